#!/usr/bin/env python3
"""Shows the texts of payloads.txt on every page of a running server in a real browser: none may run, ask or lead away.

    python3 Tests/Browser/hostile_text.py http://127.0.0.1:8080 --key KEY --link LINK

`make test-browser` does so with a server of its own. The key is that of the tenant `demo`, the link is what `parley user
login-link` prints for an owner. The browser heeds no content security policy here, so that nothing hides behind one.
Needs what front_page.py needs, and ends with the same statuses.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

from front_page import Steps, Window, until

HERE = pathlib.Path(__file__).parent

# Runs before anything of a page: whatever a text calls is noted.
CANARY = """
    window.caught = [];
    for (const name of ['pwn', 'alert', 'confirm', 'prompt', 'print', 'open'])
        window[name] = (...rest) => { window.caught.push(name + ' ' + rest); };
    window.isFirst = true;
"""

# Faults of HTML: what stands in it that may not, before and after one more turn through the parser.
JUDGE = """
    const allowed = new Set(arguments[1]), faults = [];
    const look = (root, html) => {
        for (const node of root.querySelectorAll('*')) {
            const name = node.localName;
            if (!allowed.has(name)) faults.push([`<${name}>`, html]);
            for (const { name: key, value } of node.attributes) {
                if (!['class', 'href', 'src', 'rel', 'target'].includes(key)) faults.push([`${name} ${key}`, html]);
                if (key !== 'href' && key !== 'src') continue;
                let scheme = 'unreadable';
                try { scheme = new URL(value).protocol; } catch {}
                if (!['https:', 'http:', 'mailto:'].includes(scheme)) faults.push([`${key}=${value}`, html]);
            }
        }
    };
    for (const html of arguments[0]) {
        const whole = new DOMParser().parseFromString(html, 'text/html');
        look(whole.body, html);
        if (whole.head.childNodes.length) faults.push(['head', html]);
        const template = document.createElement('template');
        template.innerHTML = html;
        look(template.content, html);
        const again = document.createElement('template');
        again.innerHTML = template.innerHTML;
        look(again.content, html);
        if (again.innerHTML !== template.innerHTML) faults.push(['differs when it is read again', html]);
    }
    return faults;
"""

# Everything that somebody may do to a text without leaving the page.
TOUCH = """
    addEventListener('click', event => event.preventDefault(), { capture: true, once: false });
    const nodes = document.querySelectorAll(arguments[0]);
    for (const node of nodes)
        for (const type of ['mouseover', 'mouseenter', 'focus', 'focusin', 'blur', 'pointerenter', 'animationstart',
                            'toggle', 'wheel', 'keydown', 'input', 'error', 'load'])
            node.dispatchEvent(new Event(type, { bubbles: false }));
    return nodes.length;
"""

TAGS = ("a img b strong i em u s del strike code pre p br ul ol li span embed blockquote sub sup").split()


def payloads():
    """(family, text) of every line."""
    family, found = "", []
    for line in (HERE / "payloads.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("# ") and not line.startswith("# <"):
            family = line[2:]
        elif line:
            found.append((family, re.sub(r'\\(u[0-9a-fA-F]{4}|[ntr\\"])', lambda m: json.loads(f'"{m[0]}"'), line)))
    return found


class Reading(Window):
    """A browser that finds no other host and notes what it asks for."""

    def __init__(self):
        super().__init__(flags=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
                         logs={"browser": "ALL", "performance": "ALL"})
        self.command("Page.enable")
        self.command("Page.setBypassCSP", enabled=True)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=CANARY)

    def complaints(self):
        # Pictures of hosts that are not there.
        return [line for line in super().complaints() if "ERR_NAME_NOT_RESOLVED" not in line
                and "status of 4" not in line]

    def requests(self):
        """(address, kind) of everything that was asked for since the last time."""
        found = []
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append((message["params"]["request"]["url"], message["params"].get("type")))
        return found


class Trial(Steps):
    def __init__(self, base, key, link):
        self.key, self.link = key, link
        self.window = Reading()
        super().__init__(base, None, window=self.window)
        self.texts = [text for _, text in payloads()]
        self.page = f"hostile-{self.run}"
        assert len(self.texts) >= 400

    def shot(self, window, name):
        pass

    def request(self, method, path, query, body=None, raw=None, kind="application/json"):
        """The answer, refusals included."""
        request = urllib.request.Request(
            f"{self.base}{path}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}",
            raw if raw is not None else body and json.dumps(body).encode(),
            {"Content-Type": kind, "x-api-key": self.key}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)

    def backend(self, method, path, body=None, **query):
        return self.request(method, "/api/v1" + path, {"tenantId": "demo", **query}, body)

    def save(self, comments):
        """Saves comments; returns how many were taken."""
        basics = {"commenterName": "Somebody", "url": f"{self.base}/?urlId={self.page}", "urlId": self.page,
                  "locale": "en_us", "approved": True}
        taken = 0
        self.refusals = collections.Counter()
        for start in range(0, len(comments), 50):
            answers = self.backend("POST", "/comments/bulk", [{**basics, **one} for one in comments[start:start + 50]])
            assert isinstance(answers, list), answers
            taken += sum(answer["status"] == "success" for answer in answers)
            self.refusals.update(answer["code"] for answer in answers if answer["status"] != "success")
        return taken

    def quiet(self, where):
        """Nothing ran, nothing was asked of others, nothing led away."""
        caught = self.window.script("return window.caught")
        assert caught == [], f"{where}: {caught}"
        assert self.window.driver.current_url.startswith(self.base), f"{where}: {self.window.driver.current_url}"
        assert len(self.window.driver.window_handles) == 1, f"{where}: it opened a window"
        assert self.window.script("return frames.length") == 0, f"{where}: it has frames"
        for url, kind in self.window.requests():
            host = urllib.parse.urlsplit(url).hostname
            if url.startswith((self.base + "/", "data:", "ws://127.0.0.1", "chrome", "about:blank", "blob:")):
                continue
            assert kind == "Image" and host != "evil.test", f"{where}: it asked for {url} ({kind})"

    def harmless(self, where, pieces):
        faults = self.window.script(JUDGE, pieces, TAGS)
        assert not faults, f"{where}: {len(faults)} faults, {faults[:5]}"

    def turn(self, button, listed, count):
        """Presses until everything is listed."""
        self.window.script("""
            const [button, listed, done] = [arguments[0], arguments[1], arguments[2]];
            window.turning = setInterval(() => {
                const node = document.querySelector(button);
                if (node && !node.hidden && !node.hasAttribute('aria-disabled')) node.click();
            }, 5);""", button, listed, count)
        until(f"{count} of {listed} are shown",
              lambda: self.window.script(f"return document.querySelectorAll({listed!r}).length") >= count, 60)
        self.window.script("clearInterval(window.turning)")

    # Steps, in order

    def saves(self):
        """Every text is taken or refused, as a comment, a name, a label, a picture, a title and a post."""
        texts = self.texts
        # Of some nothing is left that could be shown: they come once more with a word before them.
        self.comment_count = self.save([{"comment": text} for text in texts])
        self.comment_count += self.save([{"comment": "Word " + text} for text in texts])
        print("      refused:", dict(self.refusals))
        for index, text in enumerate(texts):
            person = {"id": f"h{self.run}{index}", "email": f"h{index}@{self.run}.example", "username": text}
            for more in ({"displayName": text, "displayLabel": text[:90], "websiteUrl": text, "avatarSrc": text},
                         {"displayName": text, "displayLabel": text[:90]}, {"username": f"Person {index}"}):
                if self.backend("PUT", "/sso-users", {**person, **more})["status"] == "success":
                    break
        self.person_count = self.save([
            {"comment": f"By {index}", "commenterName": text[:40] or "x", "userId": f"h{self.run}{index}",
             "urlId": f"names-{self.run}", "avatarSrc": text} for index, text in enumerate(texts)])
        self.person_count += self.save([
            {"comment": f"Also {index}", "commenterName": text[:40] or "x", "urlId": f"names-{self.run}",
             "commenterEmail": f"g{index}@{self.run}.example"} for index, text in enumerate(texts)])
        print("      refused:", dict(self.refusals))
        self.title_count = self.save([
            {"comment": f"On {index}", "urlId": f"title-{self.run}-{index}", "pageTitle": text, "url": text}
            for index, text in enumerate(texts)])
        self.post_count = 0
        for text in texts:
            post = {"title": text, "contentHTML": text, "fromUserDisplayName": text,
                    "links": [{"url": text, "title": text, "description": text, "text": text}],
                    "media": [{"title": text, "linkUrl": text, "sizes": [{"w": 9, "h": 9, "src": text}]}]}
            for drop in ((), ("links", "media"), ("links", "media", "title")):
                body = {key: value for key, value in post.items() if key not in drop}
                if self.backend("POST", "/feed-posts", body)["status"] == "success":
                    self.post_count += 1
                    break
        print(f"      {len(texts)} texts: {self.comment_count} comments, {self.person_count} by such names, "
              f"{self.title_count} on such pages, {self.post_count} posts")
        assert self.comment_count > 400 and self.person_count > 400 and self.post_count > 400

    def answers(self):
        """What the API gives as HTML holds no script, no handler and no address of another kind."""
        self.window.driver.get(self.base)
        pieces = []
        for page in range(40):
            comments = self.backend("GET", "/comments", urlId=self.page, limit=100, skip=100 * page)["comments"]
            pieces += [comment["commentHTML"] for comment in comments]
            if len(comments) < 100:
                break
        assert len(pieces) == self.comment_count
        self.harmless("comments", pieces)
        pieces, after = [], None
        while True:
            query = {"limit": 100, **({"afterId": after} if after else {})}
            posts = self.request("GET", "/feed-posts/demo", query)["feedPosts"]
            if not posts:
                break
            pieces += [post["contentHTML"] for post in posts if post.get("contentHTML")]
            for post in posts:
                urls = [link.get("url") for link in post.get("links") or []]
                urls += [link.get("linkUrl") for link in post.get("media") or []]
                urls += [size["src"] for media in post.get("media") or [] for size in media["sizes"]]
                bad = [url for url in urls if url and not url.startswith(("https://", "http://", "mailto:", "/"))]
                assert not bad, bad
            after = posts[-1]["_id"]
        self.harmless("posts", pieces)
        thread = self.request("GET", "/comments/demo", {"urlId": f"names-{self.run}", "limit": 1000})["comments"]
        pictures = [comment.get("avatarSrc") for comment in thread]
        bad = [url for url in pictures if url and not url.startswith(("https://", "http://", "data:image/", "/"))]
        assert not bad, bad

    def front(self):
        """The first page shows comments and names."""
        for page, count in ((self.page, self.comment_count), (f"names-{self.run}", self.person_count)):
            self.window.open(f"{self.base}/?urlId={page}")
            self.turn("#more", ".comment", count)
            assert self.window.script(TOUCH, ".comment *") > count
            self.quiet(page)

    def posts(self):
        """The feed shows posts."""
        self.window.driver.get(f"{self.base}/?urlId={self.page}#feed")
        self.turn("#more-posts", "#posts .post", self.post_count)
        self.window.script(TOUCH, "#posts *")
        self.quiet("feed")

    def addresses(self):
        """What stands in an address is shown as it is."""
        for index, text in enumerate(self.texts[::16]):
            for path in ("/?urlId=", "/?tenant=", "/auth/my-account?to=", "/auth/login-link?token=", "/moderate?filter="):
                if index % 5 and path != "/?urlId=":
                    continue
                self.window.driver.get(self.base + path + urllib.parse.quote(text.replace("\0", ""), safe=""))
                self.quiet(path + text)

    def queue(self):
        """The moderators' page shows the queue, its search, and the dialogs of authors and bans."""
        window = self.window
        window.driver.get(self.link)
        window.one("button").click()
        until("the socket is open", lambda: window.text("#live") == "Live")
        for page, count in ((None, 400), (self.page, len(self.texts)), (f"names-{self.run}", self.person_count)):
            query = {"filter": "all", **({"searchFilters": json.dumps({"urlId": page})} if page else {})}
            window.driver.get(f"{self.base}/moderate?{urllib.parse.urlencode(query)}")
            until("the socket is open", lambda: window.text("#live") == "Live")
            self.turn("#more", ".card", count)
            window.script(TOUCH, ".card :is(.text, .text *, h3, .face *, .when a, .marks li)")
            self.quiet(f"queue {page}")
            bad = window.script("""
                return [...document.querySelectorAll('.card .when a[href]')].map(node => node.protocol)
                    .filter(scheme => scheme !== 'http:' && scheme !== 'https:')""")
            assert not bad, bad
        window.driver.set_script_timeout(240)
        shown = window.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            (async () => {
                let count = 0;
                for (const card of [...cards.values()].filter((_, index) => index % 20 === 0)) {
                    await person.open(card.data);
                    document.querySelector('#person').close();
                    await ban.open([card.data]);
                    document.querySelector('#ban').close();
                    count++;
                }
                for (const words of ['pwn', 'img', 'script', 'svg', 'javascript', 'onerror', 'https']) {
                    document.querySelector('#words').value = words;
                    await search.suggest();
                }
                return count;
            })().then(done, problem => done(String(problem)));""")
        assert isinstance(shown, int) and shown > 20, shown
        self.quiet("dialogs")

    def bans(self):
        """Lists of bans and of removed comments show names, reasons and texts."""
        window = self.window
        done = window.driver.execute_async_script("""
            const [texts, done] = arguments;
            (async () => {
                const authors = [...cards.values()].filter((_, index) => index % 20 === 1);
                for (const [index, card] of authors.entries()) {
                    const query = { banEmail: true, banReason: texts[20 * index], deleteAllUsersComments: true };
                    await api('POST', `ban-user/from-comment/${card.id}`, query);
                }
                return authors.length;
            })().then(done, problem => done(String(problem)));""", [text.replace("\0", "") for text in self.texts])
        assert isinstance(done, int) and done > 20, done
        for name in ("bans", "removed"):
            window.driver.get(f"{self.base}/moderate?filter={name}")
            until("the socket is open", lambda: window.text("#live") == "Live")
            self.turn("#more", "#queue > li", done)
            window.script(TOUCH, "#queue *")
            self.quiet(name)

    def files(self):
        """Files are pictures or refused, whatever they are called and say they are."""
        photo = (HERE.parent / "ImagesTests/images/photo.jpg").read_bytes()
        script = b"<script>pwn()</script><svg xmlns='http://www.w3.org/2000/svg' onload='pwn()'/>"
        contents = [
            b"<svg xmlns='http://www.w3.org/2000/svg' onload='pwn()'/>", b"<!doctype html>" + script,
            b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>pwn()</script></svg>",
            b"GIF89a/*" + script + b"*/=1;pwn()", b"GIF89a=1;pwn()//", b"\x89PNG\r\n\x1a\n" + script,
            b"\xff\xd8\xff\xe0" + script, photo + script, photo[:2] + b"\xff\xfe\x00\x58" + script[:86] + photo[2:],
            b"%PDF-1.4\n" + script, b"BM" + script, b"RIFF\x00\x00\x00\x00WEBP" + script, script, b"",
        ]
        names = ["x.svg", "x.html", "x.jpg.html", "../../x.html", "x.jpg\";filename=\"x.html", "x\0.html",
                 "<img src=x onerror=pwn()>.jpg", "x.xhtml", "x.js"]
        taken = 0
        sso = json.dumps({"simpleSSOUser": {"username": "Fay " + self.run, "email": f"fay@{self.run}.example"}})
        for index, content in enumerate(contents):
            for name, kind in ((names[index % len(names)], "image/svg+xml"), (names[(index + 3) % len(names)], "text/html"),
                               ("x.jpg", "image/jpeg")):
                mark = uuid.uuid4().hex
                form = (f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
                        f"Content-Type: {kind}\r\n\r\n").encode() + content + f"\r\n--{mark}--\r\n".encode()
                answer = self.request("POST", "/upload-image/demo", {"urlId": self.page, "sso": sso}, raw=form,
                                      kind=f"multipart/form-data; boundary={mark}")
                if answer["status"] != "success":
                    continue
                taken += 1
                url = answer.get("url") or answer["media"][0]["src"]
                with urllib.request.urlopen(urllib.parse.urljoin(self.base, url)) as picture:
                    assert picture.headers["content-type"].startswith("image/"), url
                    assert "svg" not in picture.headers["content-type"], url
                    assert picture.headers["x-content-type-options"] == "nosniff", url
                    assert b"pwn()" not in picture.read(), f"{url} keeps what was hidden in it"
                self.window.driver.get(urllib.parse.urljoin(self.base, url))
                self.quiet(url)
        print(f"      {taken} files taken")

    def everything(self):
        for method in (self.saves, self.answers, self.front, self.posts, self.addresses, self.queue, self.bans, self.files):
            self.step(method)
            if method == self.saves and self.failures:
                break
        return self.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="address of the running server, for example http://127.0.0.1:8080")
    parser.add_argument("--key", required=True, help="API key of the tenant demo")
    parser.add_argument("--link", required=True, help="link to sign in for an owner of the tenant")
    arguments = parser.parse_args()
    trial = Trial(arguments.base, arguments.key, arguments.link)
    try:
        return 1 if trial.everything() else 0
    finally:
        trial.close()


if __name__ == "__main__":
    sys.exit(main())
