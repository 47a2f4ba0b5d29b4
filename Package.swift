// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode, no warning passes.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets without C interfaces may not touch unsafe memory unannounced either.
let memorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// The migrations are compiled in, so that one file is the whole server.
let migrations: [Resource] = [
    "0001_server", "0002_tenants", "0003_people", "0004_comments", "0005_votes", "0006_flags_blocks", "0007_feed",
    "0008_notifications", "0009_people", "0010_uploads", "0011_settings", "0012_search_views", "0013_page_reacts",
    "0014_tenant_versions", "0015_moderation", "0016_moderation_queue", "0017_bans", "0018_badges", "0019_api",
    "0020_accounts", "0021_domains", "0022_forms", "0023_webhooks", "0024_decision", "0025_upkeep", "0026_roster",
    "0027_answers_by_day", "0028_feed_pages",
].map { .embedInCode("../../Migrations/\($0).sql") }

/// The pages, compiled in as well. Their names must differ, whatever the folder.
let pages: [Resource] =
    ["shared.js", "line.js", "page.css"].map { .embedInCode("Pages/\($0)") }
    + [
        "index.html", "state.js", "ask.js", "live.js", "thread.js", "forms.js", "reactions.js", "people.js",
        "bell.js", "feed.js", "page.js",
    ].map { .embedInCode("FrontPage/\($0)") }
    + [
        "moderate.html", "moderate.css", "desk.js", "card.js", "views.js", "queue.js", "decide.js", "details.js",
        "bulk.js", "ban.js", "person.js", "search.js", "keys.js", "watch.js", "moderate.js",
    ].map { .embedInCode("ModeratePage/\($0)") }

/// The words of all languages are compiled in too, from the files that translators edit.
let languages: [Resource] = [
    "ar_sa", "de_de", "en_us", "es_es", "fr_fr", "he_il", "it_it", "ja_jp", "ko_kr", "pt_br", "zh_cn",
].map { .embedInCode("Languages/\($0).json") }

/// What comments are judged by.
let words: [Resource] =
    ["de", "en", "es", "fr", "it", "pt"].map { .embedInCode("Moderation/Words/\($0).txt") }
    + [.embedInCode("Moderation/SpamSeed.txt")]

let package = Package(
    name: "parley",
    products: [.executable(name: "parley", targets: ["parley"])],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        // Without pkg-config, whose file names the extensions as well, which nothing here uses.
        .systemLibrary(name: "CCmark", providers: [.apt(["libcmark-gfm-dev"])]),
        // Without pkg-config: it is not linked but found at run time, and needs no headers.
        .systemLibrary(name: "CVips", providers: [.apt(["libvips42"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),

        .target(name: "Bytes", swiftSettings: memorySafe),
        .target(
            name: "JSON", dependencies: ["Bytes"], swiftSettings: memorySafe,
            linkerSettings: [.linkedLibrary("m")]),
        .target(name: "HTTP1", dependencies: ["Bytes"], swiftSettings: memorySafe),
        .target(name: "WebSocket", dependencies: ["Bytes", "Compression"], swiftSettings: memorySafe),
        .target(name: "Multipart", dependencies: ["Bytes"], swiftSettings: memorySafe),
        .target(name: "Images", dependencies: ["CVips", "Bytes"], swiftSettings: strict),
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: strict),
        .target(name: "Crypto", dependencies: ["COpenSSL", "Bytes"], swiftSettings: strict),
        .target(name: "Reactor", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(
            name: "RichText", dependencies: ["CCmark", "CGumbo", "Bytes"], swiftSettings: strict),
        .target(
            name: "Domain", dependencies: ["Bytes", "JSON", "Crypto"], resources: words, swiftSettings: memorySafe,
            linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "Translations", dependencies: ["Domain", "JSON"], resources: languages, swiftSettings: memorySafe),
        .target(
            name: "Server",
            dependencies: ["Reactor", "HTTP1", "WebSocket", "Crypto", "CLinux", "Bytes", "Compression"],
            swiftSettings: strict),
        .target(
            name: "Outbound", dependencies: ["Reactor", "HTTP1", "Crypto", "Bytes", "CLinux"], swiftSettings: strict),
        .target(
            name: "Storage", dependencies: ["SQLite", "Reactor", "Domain", "Bytes", "Crypto", "Compression", "CLinux"],
            resources: migrations + [.embedInCode("../../Migrations/fresh.db.gz")], swiftSettings: strict),
        .target(
            name: "Live", dependencies: ["Server", "Storage", "JSON", "Domain", "WebSocket", "Bytes", "Crypto"],
            swiftSettings: strict),
        .target(
            name: "API",
            dependencies: [
                "Server", "Storage", "Live", "Outbound", "Domain", "JSON", "HTTP1", "WebSocket", "Bytes", "Crypto",
                "RichText", "Translations", "Images", "Multipart", "Reactor", "Compression",
            ],
            resources: pages, swiftSettings: strict),
        .executableTarget(
            name: "parley",
            dependencies: [
                "API", "Outbound", "Live", "Storage", "Server", "Domain", "Crypto", "JSON", "Bytes", "Reactor",
                "SQLite", "CLinux", "Images", "HTTP1",
            ],
            path: "Sources/App", swiftSettings: strict),

        .executableTarget(
            name: "benchmarks", dependencies: ["Storage", "Domain", "Reactor", "RichText", "Translations"],
            path: "Sources/Benchmarks",
            swiftSettings: strict),
        .target(
            name: "FuzzBodies",
            dependencies: [
                "HTTP1", "WebSocket", "Domain", "JSON", "Crypto", "RichText", "Bytes", "Multipart", "Images",
                "Compression",
            ],
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["JSON", "Crypto", "WebSocket", "Bytes", "CLinux"],
            swiftSettings: strict),

        .testTarget(name: "BytesTests", dependencies: ["Bytes"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1", "Bytes"], swiftSettings: strict),
        .testTarget(
            name: "WebSocketTests", dependencies: ["WebSocket", "Bytes", "Compression"], swiftSettings: strict),
        .testTarget(name: "MultipartTests", dependencies: ["Multipart"], swiftSettings: strict),
        .testTarget(
            name: "ImagesTests", dependencies: ["Images", "TestSupport"], exclude: ["images"], swiftSettings: strict),
        .testTarget(name: "CompressionTests", dependencies: ["Compression"], swiftSettings: strict),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Bytes"], swiftSettings: strict),
        .testTarget(name: "ReactorTests", dependencies: ["Reactor"], swiftSettings: strict),
        .testTarget(
            name: "OutboundTests", dependencies: ["Outbound", "TestSupport", "Reactor", "HTTP1", "Crypto", "CLinux"],
            swiftSettings: strict),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
        .testTarget(
            name: "StorageTests", dependencies: ["Storage", "SQLite", "Domain", "Reactor"], swiftSettings: strict),
        .testTarget(
            name: "ServerTests",
            dependencies: ["Server", "Reactor", "HTTP1", "WebSocket", "Crypto", "CLinux", "Compression"],
            swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzBodies"], exclude: ["corpus", "fuzz"], swiftSettings: strict),
        .testTarget(
            name: "ContractTests", dependencies: ["TestSupport", "API", "Server", "HTTP1", "JSON"],
            exclude: ["contract.json", "make-contract"], swiftSettings: strict),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport", "JSON", "WebSocket"], swiftSettings: strict),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "Outbound", "Domain", "Storage", "TestSupport", "SQLite", "Crypto", "JSON", "Bytes", "Images",
            ],
            exclude: ["Access/access.txt", "Access/calls.txt"], swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport", "SQLite", "JSON", "WebSocket", "Bytes", "Crypto", "Compression",
            ],
            swiftSettings: strict),
        .testTarget(name: "DomainTests", dependencies: ["Domain", "JSON", "Bytes", "Crypto"], swiftSettings: strict),
        .testTarget(
            name: "TranslationsTests", dependencies: ["Translations", "Domain", "JSON"], swiftSettings: strict),
        .testTarget(
            name: "LiveTests", dependencies: ["Live", "Server", "Storage", "JSON", "WebSocket"], swiftSettings: strict),
        .testTarget(
            name: "RichTextTests", dependencies: ["RichText", "FuzzBodies", "CGumbo"], exclude: ["cases"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzer links libFuzzer's own main, which no other program can stand, so it exists only where
// `Tests/FuzzTests/fuzz` builds it.
if Context.environment["PARLEY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzBodies"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
