import Images
import JSON
import TestSupport
import Testing

/// Uploads of images (contract: public 16). One at a time, because each compares the whole folder with the rows.
@Suite(.serialized) struct UploadTests {
    private static let crossPlatform: QueryItems = ["sizePreset": "CrossPlatform", "urlId": "FEEDS"]

    // MARK: What is taken

    @Test(arguments: [[:], ["sizePreset": "Default"], ["sizePreset": "", "urlId": "null"]] as [QueryItems])
    func anImageIsFittedIntoAThousandPixels(_ query: QueryItems) throws {
        let site = try UploadSite()
        let answer = try site.uploaded("photo.jpg", query)
        let media = Media.list(answer)
        #expect(media.map(\.size) == [[1000, 750]] && media.first?.address == answer["url"]?.string)
        let file = try site.fetch(answer["url"]?.string)
        #expect(try APITests.probe(file.body).width == 1000)
        #expect(try site.files() == site.names())
    }

    @Test func theOtherPresetMakesSeveralWidths() throws {
        let site = try UploadSite()
        let answer = try site.uploaded("photo.jpg", Self.crossPlatform)
        let media = Media.list(answer)
        #expect(media.map(\.size) == [[480, 360], [1000, 750], [1600, 1200]])
        #expect(answer["url"]?.string == media[1].address && Set(media.map(\.address)).count == 3)
        for item in media {
            let probe = try APITests.probe(site.fetch(item.address).body)
            #expect([probe.width, probe.height] == item.size)
        }
    }

    @Test(
        arguments: [
            ("picture.png", "image/png", [40, 30], 1), ("still.webp", "image/webp", [50, 30], 1),
            ("moving.gif", "image/gif", [120, 80], 5), ("moving.webp", "image/webp", [90, 60], 3),
            ("progressive.jpg", "image/jpeg", [64, 48], 1),
        ] as [(String, String, [Int], Int)])
    func formatAndFramesStay(_ name: String, _ type: String, _ size: [Int], _ frames: Int) throws {
        let site = try UploadSite()
        for query in [[:], Self.crossPlatform] as [QueryItems] {
            let answer = try site.uploaded(name, query)
            #expect(Media.list(answer).map(\.size) == [size])
            let file = try site.fetch(answer["url"]?.string)
            let probe = try APITests.probe(file.body)
            #expect(file.header("content-type") == type && probe.frames == frames)
            #expect(probe.format.mediaType == type && [probe.width, probe.height] == size)
        }
    }

    @Test func photosTellNothingOfTheirPlace() throws {
        let site = try UploadSite()
        let answer = try site.uploaded("rotated.jpg", Self.crossPlatform)
        #expect(Media.list(answer).map(\.size) == [[40, 60]])
        #expect(try !site.fetch(answer["url"]?.string).text.contains("SECRET"))
    }

    @Test(
        arguments: [
            ("photo.jpg", "image/jpeg", "x"), ("photo.jpg", "image/jpg", "photo.png"), ("photo.jpg", nil, "IMG_1.JPEG"),
            ("photo.jpg", "application/octet-stream", "x"), ("picture.png", "IMAGE/PNG; q=1", "x"),
            ("still.webp", "image/*", "x"), ("moving.gif", nil, "x.html"), ("photo.jpg", nil, "x.svg"),
            ("photo.jpg", "application/octet-stream", "photo.png"), ("picture.png", "image/png", "IMG.0001"),
        ] as [(String, String?, String)])
    func aTrueClaimIsTaken(_ file: String, _ type: String?, _ name: String) throws {
        let site = try UploadSite()
        try site.site.takes { try site.upload(TestImage.file(file), type: type, name: name) }
    }

    @Test(arguments: ["../../../etc/cron.d/x.jpg", "..\\..\\x.jpg", "/etc/passwd.jpg", "a\u{7F}.jpg", ".", "..", ""])
    func aFileIsCalledWhatTheServerCallsIt(_ name: String) throws {
        let site = try UploadSite()
        let before = try site.files()
        let answer = try site.upload(TestImage.file("picture.png"), type: "image/png", name: name)
        if name.contains("\u{7F}") {
            #expect(answer.status == 400)
        } else {
            let added = try site.files().subtracting(before)
            #expect(added.count == 1 && added.first?.count == 28 && added.first?.hasSuffix(".png") == true)
        }
        #expect(try site.files() == site.names())
    }

    @Test func otherFieldsOfTheFormAreIgnored() throws {
        let site = try UploadSite()
        var form = Form()
        form.add(Array("x".utf8), name: "note")
        form.add(try TestImage.file("picture.png"), type: "image/png", fileName: "a.png")
        form.end()
        try site.site.takes { try site.site.client().upload(form, to: site.site.tenant.id) }
    }

    @Test func aFileMayHaveTwentyMegabytes() throws {
        let site = try UploadSite()
        let photo = try TestImage.file("photo.jpg")
        let filler = [UInt8](repeating: 0, count: (20 << 20) - photo.count)
        try site.site.takes { try site.upload(photo + filler, type: "image/jpeg") }
        try site.refuses(413, "file-too-big") { try site.upload(photo + filler + [0], type: "image/jpeg") }
    }

    @Test func aBodyMayHaveLittleMoreThanItsFile() throws {
        let site = try UploadSite()
        let client = try site.site.client()
        let connection = try RawConnection(port: client.port)
        let length = (20 << 20) + (64 << 10) + 1
        try connection.send(
            "POST /upload-image/\(site.site.tenant.id) HTTP/1.1\r\nhost: x\r\ncontent-type: \(Form.contentType)\r\n"
                + "content-length: \(length)\r\nexpect: 100-continue\r\n\r\n")
        let answer = try connection.readAnswer()
        #expect(answer.status == 413 && answer.code == "file-too-big")
    }

    // MARK: What is refused

    @Test(
        arguments: [
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>", "<html></html>", "text", "",
            "\u{0}\u{0}\u{0}\u{18}ftypheic\u{0}\u{0}\u{0}\u{0}",
        ], [nil, "image/png", "image/svg+xml"])
    func otherFormatsAreRefused(_ content: String, _ type: String?) throws {
        let site = try UploadSite()
        try site.refuses(422, "invalid-file-type") { try site.upload(Array(content.utf8), type: type) }
    }

    @Test(
        arguments: [
            ("photo.jpg", "image/png", "x.jpg"), ("picture.png", "image/jpeg", "x.png"),
            ("picture.png", "text/html", "x"),
            ("moving.gif", "image/svg+xml", "x.gif"), ("photo.jpg", "text/plain", "photo.jpg"),
        ] as [(String, String?, String)])
    func aFalseClaimIsRefused(_ file: String, _ type: String?, _ name: String) throws {
        let site = try UploadSite()
        try site.refuses(422, "invalid-file-type") { try site.upload(TestImage.file(file), type: type, name: name) }
    }

    @Test func bombsAreRefusedBeforeTheyAreDecoded() throws {
        let site = try UploadSite()
        let bombs = [
            TestImage.pngHeader(50_000, 50_000), TestImage.pngHeader(10_000, 5001),
            TestImage.gif(65535, 65535, frames: 1),
            TestImage.gif(1, 1, frames: 1001), TestImage.gif(301, 100, frames: 1000),
            TestImage.pngHeader(5001, 5000, depth: 16, colourType: 6),
            TestImage.pngHeader(5001, 3000, isInterlaced: true),

            TestImage.jpegHeader(65500, 65500, scans: 1), Array("GIF87a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
        ]
        for bomb in bombs { try site.refuses(413, "image-too-big") { try site.upload(bomb) } }
    }

    @Test(arguments: ["photo.jpg", "picture.png", "moving.gif", "still.webp", "moving.webp"])
    func damagedImagesAreRefused(_ file: String) throws {
        let site = try UploadSite()
        let bytes = try TestImage.file(file)
        for length in [bytes.count / 2, bytes.count - bytes.count / 10, bytes.count - 3, 20] {
            try site.refuses(422, "invalid-image") { try site.upload(Array(bytes[..<length])) }
        }
    }

    @Test func headersWithoutPicturesAreRefused() throws {
        let site = try UploadSite()
        for image in [TestImage.pngHeader(10_000, 5000), TestImage.jpegHeader(8, 8, scans: 101)] {
            try site.refuses(422, "invalid-image") { try site.upload(image) }
        }
    }

    @Test func nothingOfAPolyglotSurvives() throws {
        let site = try UploadSite()
        let tail = Array("PK\u{3}\u{4}/*<script>alert(1)</script>*/".utf8)
        for name in ["photo.jpg", "moving.gif", "picture.png"] {
            let answer = try site.site.takes { try site.upload(TestImage.file(name) + tail) }
            #expect(try !site.fetch(answer["url"]?.string).text.contains("<script>"))
        }
    }

    @Test func aFormMustBeWhole() throws {
        let site = try UploadSite()
        let image = try TestImage.file("picture.png")
        var empty = Form()
        empty.end()
        var unfinished = Form()
        unfinished.add(image)
        var twice = unfinished
        twice.add(image)
        twice.end()
        var many = Form()
        for _ in 0..<10_000 { many.add([]) }
        many.end()
        var other = Form()
        other.add(image, name: "image", fileName: "a.png")
        other.end()
        var flood = Form()
        flood.add(image, fileName: "a.png", head: (0..<5000).map { "X-\($0): y" })
        flood.end()
        for form in [Form(), empty, unfinished, twice, many, other, flood] {
            try site.refuses(400, "invalid-input") { try site.site.client().upload(form, to: site.site.tenant.id) }
        }
    }

    @Test(arguments: ["application/json", "multipart/form-data", "multipart/mixed; boundary=x", "image/png"])
    func theBodyMustBeAForm(_ type: String) throws {
        let site = try UploadSite()
        let body = Form(try TestImage.file("picture.png")).body
        try site.refuses(400, "invalid-input") {
            try site.site.client().send(
                "POST", "/upload-image/\(site.site.tenant.id)", headers: [("content-type", type)], body: body)
        }
        try site.refuses(400, "invalid-input") {
            try site.site.client().send("POST", "/upload-image/\(site.site.tenant.id)", headers: [], body: nil)
        }
    }

    @Test func parametersAreChecked() throws {
        let site = try UploadSite()
        let image = try TestImage.file("picture.png")
        for preset in ["default", "Huge", "crossplatform"] {
            try site.refuses(400, "invalid-input") { try site.upload(image, ["sizePreset": preset]) }
        }
        for page in ["%00", "a%00b", "%20"] {
            try site.refuses(400, "invalid-input") {
                try site.site.client().send(
                    "POST", "/upload-image/\(site.site.tenant.id)?urlId=\(page)",
                    headers: [("content-type", Form.contentType)], body: Form(image).body)
            }
        }
        try site.refuses(404, "invalid-tenant") { try site.site.client().upload(Form(image), to: "nobody") }
        try site.refuses(401, "malformed-sso") { try site.upload(image, ["sso": "nonsense"]) }
        try site.refuses(405, "method-not-allowed") {
            try site.site.client().send("GET", "/upload-image/\(site.site.tenant.id)", headers: [], body: nil)
        }
    }
}
