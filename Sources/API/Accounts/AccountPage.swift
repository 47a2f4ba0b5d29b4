import Domain
import HTTP1
import RichText
import Server

/// The small pages around an account: without scripts, readable on a phone and by a screen reader.
enum AccountPage {
    /// - Parameter wanted: where to go afterwards, as a page asked for it.
    static func signIn(email: String, fault: String?, wanted: String?, status: Int) -> Reply {
        let alert = fault.map { #"<p role="alert" class="login-request-failure">\#(Escaping.text($0))</p>"# } ?? ""
        let target = wanted.map { #"<input type="hidden" name="to" value="\#(Escaping.attribute($0))">"# } ?? ""
        let body = """
            <h1>Sign in</h1>\(alert)
            <form method="post" action="/auth/login">
            <label>E-mail <input name="username" type="email" autocomplete="username" required
              value="\(Escaping.attribute(email))"></label>
            <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
            <input type="hidden" name="mechanism" value="password">\(target)
            <button>Sign in</button>
            </form>
            <p>No password yet? \(linkHint)</p>
            """
        return page("Sign in", body, status: status)
    }

    private static let linkHint =
        "<code>parley user login-link EMAIL</code> on the server prints a link to sign in with."

    /// A link that was used, is too old, or never was.
    static func uselessLink(_ reason: String, status: Int) -> Reply {
        let body = """
            <h1>Sign in</h1>
            <p role="alert" class="login-request-failure">\(Escaping.text(reason))</p>
            <p>\(linkHint)</p>
            <p><a href="/auth/my-account">Sign in with a password</a></p>
            """
        return page("Sign in", body, status: status)
    }

    static func link(token: String) -> Reply {
        let body = """
            <h1>Sign in</h1>
            <p>This link works once.</p>
            <form method="post" action="/auth/login-link">
            <input type="hidden" name="token" value="\(Escaping.attribute(token))">
            <button>Sign in</button>
            </form>
            """
        return page("Sign in", body, status: 200)
    }

    /// - Parameter moderates: the account may.
    static func account(_ account: Account, moderates: Bool) -> Reply {
        let moderation =
            moderates
            ? #"<p><a href="\#(ModeratePageRoutes.path)">Moderate comments</a></p>"#
            : "<p>This account may not moderate comments.</p>"
        let body = """
            <h1>Signed in</h1>
            <p>\(Escaping.text(account.name)), \(Escaping.text(account.email)), of the tenant
            <code>\(Escaping.text(account.tenant))</code>.</p>
            \(moderation)
            <p><a href="/auth/logout">Sign out</a></p>
            """
        return page("Your account", body, status: 200)
    }

    private static func page(_ title: String, _ body: String, status: Int) -> Reply {
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(title) · Parley</title>
            <style>
            :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
            main { max-width: 26rem; margin: 3rem auto; padding: 0 1rem }
            label { display: block; margin: .75rem 0 }
            input, button { font: inherit; padding: .5rem; width: 100%; box-sizing: border-box }
            button { margin-top: .75rem }
            [role=alert] { border-left: .25rem solid #c00; padding-left: .75rem }
            </style><main>
            \(body)
            </main></html>
            """
        let headers: HeaderFields = [
            "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "referrer-policy": "same-origin",
            "content-security-policy":
                "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'",
        ]
        return .response(Response(status: status, headers: headers, body: .bytes(Array(html.utf8))))
    }
}
