import Bytes
import Domain

/// Page ids: cleaning twice changes nothing, escaping letters changes nothing, and a room's name leads back to its page.
package enum PageIdentityFuzz: FuzzBody {
    package static func run(_ data: [UInt8]) {
        let text = String(decoding: data, as: UTF8.self)
        checkEscaped(text)
        guard let page = PageIdentity.canonical(text) else { return }
        precondition(!page.isEmpty && page.utf8.count <= PageIdentity.maximumLength, "a page id out of bounds")
        precondition(page != "null" && page != "undefined", "a page id that scripts send by mistake")
        precondition(isSame(page.trimmed, page) && isSame(page.composed, page), "a page id that is not in its form")
        precondition(isSame(PageIdentity.canonical(page), page), "cleaning twice changes a page id")
        checkRoom(of: page)
    }

    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }

    /// Browsers escape what is not ASCII.
    private static func checkEscaped(_ text: String) {
        let address = text.composed.trimmed
        guard WebAddress.isWeb(address) else { return }
        let escaped = address.utf8.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte])
        }.joined()
        guard escaped.utf8.count <= 3 * PageIdentity.maximumLength else { return }
        precondition(
            isSame(PageIdentity.canonical(escaped), PageIdentity.canonical(address)), "escapes make another page")
    }

    private static func checkRoom(of page: String) {
        var name = "demo:" + page
        for _ in 0..<4 {
            precondition(isSame(LiveRoomName.resolve(name, tenant: "demo"), page), "a room's name leads elsewhere")
            name = PercentEncoding.encodeComponent(name)
        }
    }
}
