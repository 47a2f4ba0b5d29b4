/// One thing that can be configured, and the three ways to say it.
struct Setting: Sendable {
    /// Name in `config/*.json`.
    let key: String
    /// Environment variable. A secret may come from a file instead, named by `<variable>_FILE`.
    let variable: String
    /// Command line flag, without the dashes.
    let flag: String
    let isSecret: Bool
    /// For `--help`.
    let help: String

    static let all: [Setting] = [
        Setting("host", "PARLEY_HOST", "host", "address to listen on (127.0.0.1)"),
        Setting("port", "PARLEY_PORT", "port", "port for HTTP and WebSocket; 0 picks a free one (8080)"),
        Setting("data", "PARLEY_DATA", "data", "folder for database and uploads (./data)"),
        Setting("tenants", "PARLEY_TENANTS", "tenants", "id:APIKEY,id2:KEY2, made when missing", isSecret: true),
        Setting("e2eKey", "PARLEY_E2E_KEY", "e2e-key", "switches the routes for test suites on", isSecret: true),
        Setting(
            "operatorKey", "PARLEY_OPERATOR_KEY", "operator-key", "makes and deletes tenants by the API (off)",
            isSecret: true),
        Setting("tlsCert", "PARLEY_TLS_CERT", "tls-cert", "certificate chain, PEM; switches HTTPS on"),
        Setting("tlsKey", "PARLEY_TLS_KEY", "tls-key", "private key of the certificate, PEM"),
        Setting("tlsPort", "PARLEY_TLS_PORT", "tls-port", "port for HTTPS and WSS (8443)"),
        Setting("publicUrl", "PARLEY_PUBLIC_URL", "public-url", "address under which clients reach the server"),
        Setting(
            "trustedProxies", "PARLEY_TRUSTED_PROXIES", "trusted-proxies", "addresses whose X-Forwarded-For counts"),
        Setting("loops", "PARLEY_LOOPS", "loops", "event loops (one per core)"),
        Setting("chatPaging", "PARLEY_CHAT_PAGING", "chat-paging", "on pages all chats from their newest end (off)"),
        Setting(
            "giphyKey", "PARLEY_GIPHY_KEY", "giphy-key", "key of the GIF provider; switches GIFs on", isSecret: true),
        Setting("gifUrl", "PARLEY_GIF_URL", "gif-url", "address of the GIF provider (https://api.giphy.com/v1/gifs)"),
        Setting("outboundAllow", "PARLEY_OUTBOUND_ALLOW", "outbound-allow", "private hosts that calls may lead to"),
        Setting("outboundCa", "PARLEY_OUTBOUND_CA", "outbound-ca", "authorities that calls trust, PEM (the system's)"),
        Setting(
            "metricsToken", "PARLEY_METRICS_TOKEN", "metrics-token", "opens GET /metrics to whoever shows it",
            isSecret: true),
        Setting(
            "webhookRetry", "PARLEY_WEBHOOK_RETRY", "webhook-retry",
            "seconds that each failed delivery to a webhook adds to the wait (60)"),
        Setting("logFormat", "PARLEY_LOG_FORMAT", "log-format", "text or json (text)"),
        Setting("logLevel", "PARLEY_LOG_LEVEL", "log-level", "debug, info, warning or error (info)"),
    ]

    private init(_ key: String, _ variable: String, _ flag: String, _ help: String, isSecret: Bool = false) {
        self.key = key
        self.variable = variable
        self.flag = flag
        self.help = help
        self.isSecret = isSecret
    }
}
