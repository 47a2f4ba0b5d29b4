#!/usr/bin/env python3
"""Tries the moderators' page of a running server in a real browser: two moderators, a keyboard, a phone.

    python3 Tests/Browser/moderate_page.py http://127.0.0.1:8080 --key KEY --links LINK LINK [--screenshots FOLDER]

`make test-browser` does so with a server of its own. The links are those that `parley user login-link` prints, for an
owner and for a moderator of the tenant `demo`, whose key the other argument is, and which has a badge `Helper`. Needs what front_page.py needs, and
ends with the same statuses.
"""

import argparse
import base64
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

from selenium.common.exceptions import ElementClickInterceptedException, StaleElementReferenceException

from front_page import CONTRAST, LIVE, By, Keys, Steps, Window, until


class Desk(Window):
    """A browser with the moderators' page."""

    def sign_in(self, link):
        self.driver.get(link)
        self.hit("button", lambda: self.one("button"))
        self.live()

    def look(self, base, **query):
        self.driver.get(f"{base}/moderate?" + urllib.parse.urlencode(query))
        self.live()
        until("the list is read", lambda: self.texts() or self.nothing())
        return self

    def nothing(self):
        return self.text("#note").startswith(("Nothing", "There are no"))

    def live(self):
        until("the socket is open", lambda: self.text("#live") == "Live")

    def texts(self):
        return [node.text.strip() for node in self.all(".card .text")]

    def card(self, text, seconds=10.0):
        code = """return [...document.querySelectorAll('.card')]
            .find(li => li.querySelector('.text').textContent.trim() === arguments[0])"""
        return until(f"the comment “{text}” is listed", lambda: self.script(code, text), seconds)

    def has(self, text):
        return text in [node.get_attribute("textContent").strip() for node in self.all(".card .text")]

    def marks(self, text):
        return self.script(
            "return [...arguments[0].querySelectorAll('.marks li')].map(node => node.textContent)", self.card(text))

    def act(self, text, act):
        self.hit(f"“{text}” can be acted on by {act}",
                   lambda: self.card(text).find_element(By.CSS_SELECTOR, f"[data-act={act}]"))

    def hit(self, what, find):
        """Presses what is found, as soon as nothing moves over it any more."""
        def pressed():
            try:
                button = find()
                self.script("arguments[0].scrollIntoView({ block: 'center' })", button)
                button.click()
                return True
            except (ElementClickInterceptedException, StaleElementReferenceException):
                return False
        until(what, pressed)

    def opens_rest(self, text):
        if self.card(text).find_element(By.CSS_SELECTOR, "[data-act=rest]").get_attribute("aria-expanded") == "false":
            self.act(text, "rest")

    def gets(self, text, *marks, seconds=10.0):
        until(f"“{text}” is {marks}, not {self.marks(text)}",
              lambda: all(mark in self.marks(text) for mark in marks), seconds)

    def current(self):
        return self.script("return document.activeElement.closest('.card')?.querySelector('.text').textContent.trim()")

    def said(self):
        return self.one("#said").get_attribute("textContent")


class Trial(Steps):
    def __init__(self, base, key, links, screenshots):
        self.key = key
        self.links = links
        self.mia, self.max = Desk(), Desk()
        super().__init__(base, screenshots, mia=self.mia, max=self.max)
        self.page = f"desk-{self.run}"

    def shot(self, window, name):
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            data = window.command("Page.captureScreenshot", format="png")["data"]
            (self.screenshots / f"moderate-{name}.png").write_bytes(base64.b64decode(data))

    def request(self, method, path, query, body, headers=()):
        request = urllib.request.Request(
            f"{self.base}{path}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}",
            None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json", **dict(headers)}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def post(self, name, comment, page=None):
        """Posts as a reader does; returns the id. A name may post five times a minute."""
        address = f"{name}.{self.run}@readers.example".lower().replace(" ", ".")
        page = page or self.page
        body = {"comment": comment, "commenterName": name, "url": f"{self.base}/?urlId={page}", "urlId": page,
                "pageTitle": "About desks"}
        query = {"urlId": page, "broadcastId": uuid.uuid4().hex,
                 "sso": json.dumps({"simpleSSOUser": {"username": name, "email": address}})}
        return self.request("POST", "/comments/demo", query, body)["comment"]["_id"]

    def reply(self, parent, comment):
        self.save({"comment": comment, "parentId": parent})

    def save(self, *comments):
        """Saves comments as the site's backend does; returns their ids."""
        basics = {"commenterName": "Somebody", "url": f"{self.base}/?urlId={self.page}", "urlId": self.page,
                  "locale": "en_us", "approved": True}
        answers = self.backend("POST", "/comments/bulk", [{**basics, **comment} for comment in comments])
        refused = [answer for answer in answers if answer["status"] != "success"]
        assert not refused, refused
        return [answer["comment"]["id"] for answer in answers]

    def backend(self, method, path, body):
        return self.request(method, "/api/v1" + path, {"tenantId": "demo"}, body, {"x-api-key": self.key})

    def mine(self, **query):
        """What the queue of this run's page is asked for."""
        return {"filter": "all", "searchFilters": json.dumps({"urlId": self.page}), **query}

    # Steps, in order

    def signs_in(self):
        """Who is not signed in is asked to, and comes to the queue; a link does it with one button."""
        self.mia.driver.get(f"{self.base}/moderate?filter=spam")
        assert self.mia.all("[name=password]"), "it does not ask for a password"
        assert self.mia.one("[name=to]").get_attribute("value") == "/moderate?filter=spam"
        for window, link in zip((self.mia, self.max), self.links):
            window.sign_in(link)
            assert "/moderate" in window.driver.current_url
        assert "Mia" in self.mia.text(".account") and "Max" in self.max.text(".account")
        foreign = self.mia.script(
            "return performance.getEntriesByType('resource').map(e => e.name)"
            ".filter(name => !name.startsWith(location.origin) && !name.startsWith('data:'))")
        assert not foreign, foreign

    def hears(self):
        """A reader's comment arrives without reloading, and is counted."""
        for window in (self.mia, self.max):
            window.look(self.base, **self.mine())
        before = self.mia.text("#queues [data-kind=all] b") or "0"
        self.post("Ann", "First words")
        self.timed("a new comment arrives", lambda: self.mia.has("First words") and self.max.has("First words"))
        until("it is counted", lambda: int(self.mia.text("#queues [data-kind=all] b")) == int(before) + 1)
        until("it is said aloud", lambda: "Ann" in self.mia.said())
        self.mia.gets("First words", "Approved", "Needs review")
        link = self.mia.card("First words").find_element(By.CSS_SELECTOR, ".when a")
        assert link.text == "About desks" and link.get_attribute("href").startswith(self.base)

    def decides(self):
        """What one moderator decides, the other one sees; what is undone, too."""
        for act, marks in (
            ("approval", ("Needs approval", "Reviewed")), ("approval", ("Approved", "Reviewed")),
            ("spamming", ("Spam", "Reviewed")), ("spamming", ("Approved",)),
            ("reviewing", ("Needs review",)), ("reviewing", ("Reviewed",)),
        ):
            self.mia.act("First words", act)
            self.mia.gets("First words", *marks)
            self.timed(f"{act} arrives", lambda: all(mark in self.max.marks("First words") for mark in marks))
            assert self.mia.current() == "First words", "the focus went away"
        self.mia.act("First words", "remove")
        self.mia.gets("First words", "Removed")
        self.timed("a removal arrives", lambda: self.max.marks("First words") == ["Removed"])
        self.mia.click("#undo")
        self.mia.gets("First words", "Approved", "Reviewed")
        self.timed("a restoration arrives", lambda: "Approved" in self.max.marks("First words"))
        self.mia.click("#undo")
        self.mia.gets("First words", "Needs review")

    def decides_more(self):
        """Pinning, locking, editing, closing the thread, the context and the history work."""
        self.mia.opens_rest("First words")
        for act, mark in (("pinning", "Pinned"), ("locking", "Locked")):
            self.mia.act("First words", act)
            self.mia.gets("First words", mark)
            self.mia.act("First words", act)
            until(f"not {mark}", lambda: mark not in self.mia.marks("First words"))
        self.mia.act("First words", "edit")
        area = self.mia.one(".desk textarea")
        assert area.get_attribute("value") == "First words"
        area.send_keys(", changed")
        self.mia.hit(".desk .main", lambda: self.mia.one(".desk .main"))
        self.mia.card("First words, changed")
        self.timed("an edit arrives", lambda: self.max.has("First words, changed"))
        self.mia.act("First words, changed", "history")
        panel = until("the history opens", lambda: self.mia.text(".desk .panel"))
        assert "Text Changed" in panel and "by Mia" in panel, panel
        self.mia.act("First words, changed", "history")
        until("it shuts", lambda: not self.mia.all(".desk .panel"))
        self.mia.act("First words, changed", "context")
        until("the context opens", lambda: "Replies" in self.mia.text(".desk .panel"))
        self.mia.act("First words, changed", "context")
        for act, words, other in (("close", "Closed", "reopen"), ("reopen", "Reopened", "close")):
            assert not self.button("First words, changed", other).is_displayed(), f"both are offered, {other} too"
            self.mia.act("First words, changed", act)
            until("it says so", lambda: f"{words} the thread" in self.mia.said())
            until("the other one is offered", lambda: self.button("First words, changed", other).is_displayed())

    def button(self, text, act):
        return self.mia.card(text).find_element(By.CSS_SELECTOR, f"[data-act={act}]")

    def works_by_keyboard(self):
        """Keys move, decide and undo, and do nothing while something is typed."""
        for number in range(3):
            self.post(f"Key {number}", f"Keyed {number}")
        window = self.max.look(self.base, **self.mine())
        window.press("j")
        until("the first has the focus", lambda: window.current() == "Keyed 2")
        window.press("j")
        until("the second has the focus", lambda: window.current() == "Keyed 1")
        window.press("s")
        window.gets("Keyed 1", "Spam")
        assert window.current() == "Keyed 1", "the focus went away"
        window.press("u")
        window.gets("Keyed 1", "Approved", "Needs review")
        window.press("r")
        window.gets("Keyed 1", "Reviewed")
        window.press("h")
        window.gets("Keyed 1", "Needs approval")
        window.press("a")
        window.gets("Keyed 1", "Approved")
        window.press("d")
        window.gets("Keyed 1", "Removed")
        window.press("u")
        window.gets("Keyed 1", "Approved")
        window.press("k")
        until("the first has it again", lambda: window.current() == "Keyed 2")
        window.press("e")
        until("the text is edited", lambda: window.focus()["tag"] == "textarea")
        window.press("jsd")
        assert window.one(".desk textarea").get_attribute("value").startswith("jsd") \
            or window.one(".desk textarea").get_attribute("value").endswith("jsd")
        window.press(Keys.ESCAPE)
        until("the form is shut", lambda: not window.all(".desk textarea"))
        window.press("?")
        until("the help opens", lambda: window.all("#keys[open]"))
        window.press("j", Keys.ESCAPE)
        until("the help shuts", lambda: not window.all("#keys[open]"))
        window.press("/")
        until("the search has the focus", lambda: window.focus()["id"] == "words")
        assert window.marks("Keyed 2") == ["Approved", "Needs review"], window.marks("Keyed 2")

    def works_by_tab(self):
        """Everything is reached by Tab alone, and the focus is always seen."""
        window = self.max.look(self.base, **self.mine())
        assert window.tab_to(lambda focus: True)["label"] == "Skip to the comments"
        window.tab_to(lambda focus: focus["id"] == "words")
        window.tab_to(lambda focus: focus["act"] == "approval")
        window.press(Keys.SPACE)
        window.gets("Keyed 2", "Needs approval")
        assert window.focus()["act"] == "approval", "the decision took the focus away"
        window.press(Keys.SPACE)
        window.gets("Keyed 2", "Approved")
        window.tab_to(lambda focus: focus["act"] == "ban", limit=5)
        window.press(Keys.ENTER)
        until("the dialog is open", lambda: window.all("#ban[open]"))
        for _ in range(20):
            window.press(Keys.TAB)
            assert window.script("const node = document.activeElement;"
                                 "return node === document.body || Boolean(node.closest('#ban'))"), "the focus got out"
        window.press(Keys.ESCAPE)
        until("the focus is back", lambda: window.focus()["act"] == "ban")

    def searches(self):
        """Words, authors and filters find comments; the address says what is looked for; suggestions come."""
        author = f"Quinn {self.run}"
        self.post(author, f"A needle {self.run}")
        window = self.mia.look(self.base, filter="needs-review")
        window.one("#words").send_keys(f"needle {self.run}")
        window.hit("#search button", lambda: window.one("#search button"))
        until("it is found alone", lambda: window.texts() == [f"A needle {self.run}"])
        until("it is counted", lambda: window.text("#count") == "1")
        assert "text-search=needle" in window.driver.current_url
        window.driver.back()
        until("going back shows more", lambda: len(window.texts()) > 1)
        window.one("#words").send_keys(author.lower())
        until("its author is offered", lambda: f'user:"{author}"' in [
            option.get_attribute("value") for option in window.all("#suggestions option")])
        window.one("#words").clear()
        window.one("#words").send_keys(f'user:"{author}"')
        window.press(Keys.ENTER)
        until("it is found by its author", lambda: window.texts() == [f"A needle {self.run}"])
        window.click("#queues [data-kind=spam]")
        until("it is no spam", lambda: window.nothing())

    def decides_in_bulk(self):
        """Many are selected and decided about, each with its own result, and taken back together."""
        window = self.mia.look(self.base, **self.mine())
        locked, = self.save({"comment": "Locked one"})
        self.backend("PATCH", f"/comments/{locked}", {"isLocked": True})
        window.gets("Locked one", "Locked")
        total = len(window.texts())
        window.click("#all")
        until("all are selected", lambda: window.text("#bulk-state") == f"{total} comments selected")
        window.click("[data-bulk=remove]")
        until("all but one are gone", lambda: len(window.all(".card.gone")) == total - 1)
        error = window.card("Locked one").find_element(By.CSS_SELECTOR, ".body > .error")
        assert error.is_displayed() and error.text, "the locked one does not say why"
        complaints = window.complaints()
        assert all("401" in line for line in complaints), complaints
        self.timed("bulk removal arrives", lambda: len(self.max.look(self.base, **self.mine()).texts()) == 1)
        until("the undo is there", lambda: "Undo: Removed" in window.one("#undo").get_attribute("aria-label"))
        window.click("#undo")
        until("all are back", lambda: not window.all(".card.gone"))
        until("it is over", lambda: window.one("#bulk").is_displayed() is False or window.all("#bulk-acts"))
        self.timed("and come back", lambda: len(self.max.texts()) == total)

    def bans(self):
        """A ban says before what it removes, bans, and is taken back."""
        for text in ("Bad thing", "Worse thing"):
            self.post("Troll", text)
        window = self.mia.look(self.base, **self.mine())
        window.act("Worse thing", "ban")
        until("the dialog is open", lambda: window.all("#ban[open]"))
        until("it says what it finds", lambda: "2 comments by Troll" in window.text("#ban-summary"))
        window.hit("[name=deleteAllUsersComments]", lambda: window.one("[name=deleteAllUsersComments]"))
        until("it says what it removes", lambda: "will be removed" in window.text("#ban-summary"))
        self.shot(window, "ban")
        window.hit("[name=deleteAllUsersComments]", lambda: window.one("[name=deleteAllUsersComments]"))
        window.one("[name=banReason]").send_keys("Enough")
        window.hit("#ban .danger", lambda: window.one("#ban .danger"))
        until("the dialog is shut", lambda: not window.all("#ban[open]"))
        window.gets("Worse thing", "Removed")
        window.gets("Bad thing", "Banned author")
        self.timed("a ban arrives", lambda: "Banned author" in self.max.marks("Bad thing"))
        try:
            self.post("Troll", "Again")
            raise AssertionError("the banned may write")
        except urllib.error.HTTPError as refusal:
            assert refusal.code == 403, refusal.code
        window.click("#undo")
        until("the ban is lifted", lambda: "Banned author" not in window.marks("Bad thing"))
        window.gets("Worse thing", "Approved")
        self.post("Troll", "Again")
        until("their next comment waits", lambda: window.one("#arrivals").is_displayed(), LIVE)
        window.click("#arrivals")
        window.card("Again", LIVE)

    def knows_people(self):
        """The panel about an author shows their address, sets trust, gives badges, and leads to their comments."""
        window = self.mia.look(self.base, **self.mine())
        window.act("Bad thing", "person")
        until("the panel is open", lambda: window.all("#person[open]"))
        assert f"troll.{self.run}@readers.example" in window.text("#person dl")
        window.one("#trust-value").send_keys("40")
        window.hit("#trust button", lambda: window.one("#trust button"))
        until("it says so", lambda: "Trust set" in window.said())
        helper = window.one("#badges input")
        for is_held in (True, False, True):
            helper.click()
            until("the badge is given or taken", lambda: ("Helper" in window.marks("Bad thing")) == is_held)
        self.shot(window, "person")
        window.hit("#theirs", lambda: window.one("#theirs"))
        until("only theirs are shown", lambda: sorted(window.texts()) == ["Again", "Bad thing", "Worse thing"])
        assert window.one("#narrowed").is_displayed()

    def restores(self):
        """What was removed is listed, and is back for readers when it is restored there, by pointer or by key."""
        reader = Window().open(f"{self.base}/?urlId={self.page}")
        try:
            text = f"Lost words {self.run}"
            self.reply(self.post("Rita", text), "An answer")
            until("the reader sees it", lambda: reader.has(text))
            self.mia.look(self.base, **self.mine())
            window = self.max.look(self.base, filter="removed")
            self.mia.act(text, "remove")
            self.timed("a removal arrives in the list", lambda: window.has(text))
            until("the reader loses it", lambda: not reader.has(text))
            assert "Removed just now" in window.marks(text) and "With 1 reply" in window.marks(text), window.marks(text)
            self.shot(window, "removed")
            window.act(text, "remove")
            self.timed("a restoration reaches readers", lambda: reader.has(text) and reader.has("An answer"))
            window.gets(text, "Approved")
            window.click("#undo")
            until("the reader loses it again", lambda: not reader.has(text))
            window.look(self.base, filter="removed")
            assert window.tab_to(lambda focus: focus["act"] == "remove")["label"] == "Restore"
            window.press("z")
            until("the key restores it", lambda: reader.has(text))
            until("it says so", lambda: "Restored" in window.said())
            window.look(self.base, filter="removed")
            assert not window.has(text)
        finally:
            reader.close()
        for gone in self.save(*({"comment": f"Gone {number} {self.run}"} for number in range(60))):
            self.backend("DELETE", f"/comments/{gone}", None)
        window.look(self.base, filter="removed")
        until("one part is shown", lambda: len(window.all(".card")) == 50)
        assert window.texts()[0] == f"Gone 59 {self.run}"
        window.click("#more")
        until("the next one, too", lambda: window.has(f"Gone 0 {self.run}"))

    def lifts(self):
        """A ban is listed with who, why and by whom; whoever it is lifted from may write again."""
        window = self.max.look(self.base, filter="bans")
        for name, text in (("Wanda", "Words for which one is banned " * 8), ("Vera", f"Rude words {self.run}")):
            self.post(name, text.strip())
            self.mia.look(self.base, **self.mine()).act(text.strip(), "ban")
            until("the dialog is open", lambda: self.mia.all("#ban[open]"))
            self.mia.one("[name=banReason]").send_keys(f"Enough of {name} {self.run}")
            self.mia.hit("#ban .danger", lambda: self.mia.one("#ban .danger"))
            self.timed("a ban arrives in the list", lambda: window.has(text.strip()))
        assert {"Banned", "Account", f"vera.{self.run}@readers.example"} <= set(window.marks(text)), window.marks(text)
        row = window.card(text)
        assert row.find_element(By.CSS_SELECTOR, "h3").text == "Vera"
        assert row.find_element(By.CSS_SELECTOR, ".when bdi").text == "Mia"
        assert row.find_element(By.CSS_SELECTOR, ".reason").text == f"Reason: Enough of Vera {self.run}"
        until("they are counted", lambda: int(window.text("#count")) >= 2)
        assert window.text("#queues [data-kind=bans] b") == window.text("#count")
        try:
            self.post("Vera", "Again")
            raise AssertionError("the banned may write")
        except urllib.error.HTTPError as refusal:
            assert refusal.code == 403, refusal.code
        window.one("#words").send_keys(f"of vera {self.run}")
        window.hit("#search button", lambda: window.one("#search button"))
        until("one is found", lambda: window.text("#count") == "1" and window.texts() == [text])
        window.act(text, "lift")
        window.gets(text, "Lifted")
        assert window.current() == text, "the focus went away"
        self.post("Vera", "Free words")
        window.look(self.base, filter="bans")
        assert not window.has(text) and len(window.texts()) >= 1

    def announces(self):
        """What comes while a moderator is at work waits behind a button, so that nothing moves."""
        window = self.mia.look(self.base, **self.mine())
        window.press("j")
        first = window.current()
        self.post("Zoe", "Late words")
        self.timed("it is announced", lambda: window.text("#arrivals") == "Show 1 new comment")
        assert not window.has("Late words") and window.current() == first
        window.press("n")
        until("it is shown", lambda: window.current() == "Late words")

    def turns_pages(self):
        """Long queues come in parts, and none is left out when some were decided about meanwhile."""
        page, self.page = self.page, f"long-{self.run}"
        self.save(*({"comment": f"Number {number}"} for number in range(120)))
        window = self.mia.look(self.base, **self.mine(filter="needs-review"))
        self.page = page
        until("one part is shown", lambda: len(window.texts()) == 50)
        window.click("#all")
        window.click("[data-bulk=review]")
        until("they are decided about", lambda: len(window.all(".card.settled")) == 50)
        for count in (100, 120):
            window.click("#more")
            until(f"{count} are shown", lambda: len(window.all(".card")) == count)
        assert len(set(window.script(
            "return [...document.querySelectorAll('.card .text')].map(node => node.textContent.trim())"))) == 120
        until("nothing is left", lambda: not window.one("#more").is_displayed())
        query = {"filter": "all", "searchFilters": json.dumps({"urlId": f"long-{self.run}"})}
        window.look(self.base, **query)
        until("all are counted", lambda: window.text("#count") == "120")
        window.click("#all")
        window.click("#whole")
        until("all are selected", lambda: window.text("#bulk-state") == "120 comments selected")
        window.click("[data-bulk=hide]")
        until("it tells how far it is", lambda: " of 120" in window.text("#bulk-state"))
        until("it is done", lambda: "Hidden: 120 comments" in window.said(), 60)
        window.look(self.base, **{**query, "filter": "needs-approval"})
        until("all are hidden", lambda: window.text("#count") == "120")

    def ends(self):
        """A session that ended leads to signing in, and back."""
        window = self.max.look(self.base, **self.mine())
        window.command("Network.clearBrowserCookies")
        window.act("Late words", "reviewing")
        until("it says so", lambda: window.all("#ended[open]"))
        assert "to=%2Fmoderate%3Ffilter%3Dall" in window.one("#again").get_attribute("href")
        window.hit("#again", lambda: window.one("#again"))
        until("it asks for a password", lambda: window.all("[name=password]"))
        window.complaints()

    def speaks(self):
        """Every control has a name, and the landmarks are there."""
        for query in ({"filter": "removed"}, {"filter": "bans"}, self.mine()):
            self.names_all(self.mia.look(self.base, **query))
        assert self.mia.one("#said").get_attribute("aria-live") == "polite"

    def names_all(self, window):
        nodes = window.command("Accessibility.getFullAXTree")["nodes"]
        role = lambda node: node.get("role", {}).get("value")
        wanted = ("button", "link", "textbox", "searchbox", "combobox", "checkbox", "article", "dialog")
        controls = [node for node in nodes if role(node) in wanted and not node.get("ignored")]
        nameless = [role(node) for node in controls if not node.get("name", {}).get("value")]
        assert controls and not nameless, nameless
        roles = {role(node) for node in nodes if not node.get("ignored")}
        assert {"main", "banner", "navigation", "heading", "list", "article", "status"} <= roles, roles
        assert "search" in roles or not window.one("#search").is_displayed(), roles

    def looks_right(self):
        """Nothing overflows from 320 pixels on, contrast is 4.5 at least, and motion can be switched off."""
        ids = self.save(
            {"comment": "W" * 200, "commenterName": "M" * 60, "pageTitle": "x" * 120},
            {"comment": "**Held** for `approval`, with a [link](https://example.com)", "approved": False},
            {"comment": "Cheap watches"})
        self.backend("PATCH", f"/comments/{ids[1]}", {"flagCount": 3})
        self.backend("PATCH", f"/comments/{ids[2]}", {"isSpam": True})
        window = self.mia.look(self.base, **self.mine())
        for scheme in ("light", "dark"):
            window.prefer(color_scheme=scheme, reduced_motion="reduce")
            for width in (320, 360, 768, 1280):
                window.resize(width, 900)
                window.script("document.querySelectorAll('[data-act=rest]')[1].click(); scrollTo(0, 0)")
                assert window.script("return document.scrollingElement.scrollWidth <= innerWidth"), f"{width} overflows"
                self.shot(window, f"{scheme}-{width}")
                pale = window.script(CONTRAST)
                assert not pale, f"{scheme}, {width}: {pale}"
                window.script("document.querySelectorAll('[data-act=rest]')[1].click()")
            window.resize(360, 800)
            window.click("#all")
            self.shot(window, f"{scheme}-bulk")
            assert not window.script(CONTRAST)
            window.click("#unselect")
            for dialog in ("keys", "ended"):
                window.script("document.getElementById(arguments[0]).showModal()", dialog)
                self.shot(window, f"{scheme}-{dialog}")
                assert not window.script(CONTRAST)
                window.script("document.getElementById(arguments[0]).close()", dialog)
            for act, dialog in (("ban", "ban"), ("person", "person")):
                window.act("Late words", act)
                until("the dialog is open", lambda: window.all(f"#{dialog}[open]"))
                assert window.script("return document.scrollingElement.scrollWidth <= innerWidth")
                self.shot(window, f"{scheme}-{dialog}")
                assert not window.script(CONTRAST)
                window.press(Keys.ESCAPE)
            self.looks_right_beside(window, scheme)
            window.look(self.base, **self.mine())
        window.prefer()
        window.resize(1280, 900)

    def looks_right_beside(self, window, scheme):
        for filter in ("removed", "bans"):
            window.look(self.base, filter=filter)
            for width in (320, 360, 1280):
                window.resize(width, 900)
                assert window.script("return document.scrollingElement.scrollWidth <= innerWidth"), f"{width} overflows"
                self.shot(window, f"{scheme}-{width}-{filter}")
                pale = window.script(CONTRAST)
                assert not pale, f"{scheme}, {width}: {pale}"

    def everything(self):
        for method in (
            self.signs_in, self.hears, self.decides, self.decides_more, self.works_by_keyboard, self.works_by_tab,
            self.searches, self.decides_in_bulk, self.bans, self.knows_people, self.restores, self.lifts,
            self.announces, self.turns_pages, self.speaks, self.looks_right, self.ends,
        ):
            self.step(method)
            if method == self.signs_in and self.failures:
                break
        print("      milliseconds until the other window saw it: "
              + ", ".join(f"{what} {value}" for what, value in self.timings.items()))
        return self.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="address of the running server, for example http://127.0.0.1:8080")
    parser.add_argument("--key", required=True, help="key of the tenant demo")
    parser.add_argument("--links", required=True, nargs=2, metavar="LINK", help="links to sign in with")
    parser.add_argument("--screenshots", metavar="FOLDER", help="where to put pictures of the page")
    arguments = parser.parse_args()
    trial = Trial(arguments.base, arguments.key, arguments.links, arguments.screenshots)
    try:
        failures = trial.everything()
    finally:
        trial.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
