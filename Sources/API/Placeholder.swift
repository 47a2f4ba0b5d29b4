enum APIPlaceholder {}
