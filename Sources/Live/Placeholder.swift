enum LivePlaceholder {}
