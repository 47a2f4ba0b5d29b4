#!/usr/bin/env python3
"""Tries the first page of a running server in a real browser: two windows, a keyboard, a phone.

    python3 Tests/Browser/front_page.py http://127.0.0.1:8080 [--screenshots FOLDER]

`make test-browser` does so with a server of its own. Needs Python 3.9, curl, Selenium 4, Chromium with its driver
(`make browser` installs them), and a server on this machine whose first tenant allows unsigned sign-on,
as a new one does. Writes to pages of its own, under names of its own, and once as a guest, which the server allows five
times a minute. Status 0 when everything held, 1 when something did not, 2 when something needed is missing.
"""

import argparse
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse
import urllib.request
import uuid

try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    sys.exit(print("Selenium is missing: make browser", file=sys.stderr) or 2)

LIVE = 2.0  # seconds in which another window must see a change
PATIENCE = 10.0  # seconds for everything else


def until(what, check, seconds=PATIENCE):
    """Waits until check() is true; returns its value and fails with `what` after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        try:
            value = check()
        except StaleElementReferenceException:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.02)


class Window:
    """One browser with a profile of its own, looking at one page."""

    def __init__(self, width=1280, height=900, flags=(), logs={"browser": "ALL"}):
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", *flags):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", logs)
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.resize(width, height)

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, **features):
        names = {name: "prefers-" + name.replace("_", "-") for name in features}
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": names[name], "value": value} for name, value in features.items()])

    def open(self, url):
        self.driver.get(url)
        until("the socket is open", lambda: self.text("#live") == "Live")
        return self

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return until(f"{selector} is there", lambda: (self.all(selector) or [None])[0])

    def click(self, selector):
        """For what may be drawn anew at any moment."""
        until(f"{selector} takes a click", lambda: [self.one(selector).click()])

    def text(self, selector):
        return self.one(selector).text

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def comment(self, text, seconds=PATIENCE):
        """The list item of the comment with this text."""
        code = """return [...document.querySelectorAll('.comment')]
            .find(li => li.querySelector('.text').textContent.trim() === arguments[0])"""
        return until(f"the comment “{text}” is shown", lambda: self.script(code, text), seconds)

    def has(self, text):
        return text in [element.text.strip() for element in self.all(".comment .text")]

    def act(self, text, act):
        self.comment(text).find_element(By.CSS_SELECTOR, f"[data-act={act}]").click()

    def mark(self, text, act):
        """Count and pressed state of a vote button."""
        button = self.comment(text).find_element(By.CSS_SELECTOR, f"[data-act={act}]")
        return button.text, button.get_attribute("aria-pressed")

    def sign_on(self, name):
        until("the dialog is open", lambda: self.all("#who[open]"))
        self.one("#who [name=username]").send_keys(name)
        self.one("#who [name=email]").send_keys(name.lower().replace(" ", ".") + "@example.com")
        self.one("#who .main").click()
        until("the dialog is shut", lambda: not self.all("#who[open]"))

    def write(self, text):
        self.one("#composer textarea").send_keys(text)
        self.one("#composer .main").click()

    def answer(self, text, reply):
        self.act(text, "reply")
        item = self.comment(text)
        until("the form is there", lambda: item.find_elements(By.CSS_SELECTOR, ".desk textarea"))
        item.find_element(By.CSS_SELECTOR, ".desk textarea").send_keys(reply)
        item.find_element(By.CSS_SELECTOR, ".desk .main").click()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focus(self):
        """What has the focus: its accessible description, and whether one can see that."""
        return self.script("""
            const node = document.activeElement, style = getComputedStyle(node);
            const shown = node.type === 'radio' ? getComputedStyle(node.nextElementSibling) : style;
            return {
                label: node.getAttribute('aria-label') || node.textContent.trim() || node.name || node.value || node.id,
                tag: node.tagName.toLowerCase(), id: node.id, type: node.type || '', value: node.value || '',
                act: node.dataset.act || '',
                isSeen: shown.outlineStyle !== 'none' && parseFloat(shown.outlineWidth) >= 2,
            };""")

    def tab_to(self, check, limit=60):
        """Presses Tab until check(focus) holds; every stop on the way must be visible."""
        for _ in range(limit):
            self.press(Keys.TAB)
            focus = self.focus()
            assert focus["tag"] == "body" or focus["isSeen"], f"the focus cannot be seen on {focus}"
            if check(focus):
                return focus
        raise AssertionError("Tab does not get there")

    def complaints(self):
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]

    def close(self):
        self.driver.quit()


class Steps:
    """What is tried one after another, with some windows."""

    def __init__(self, base, screenshots, **windows):
        self.base = base.rstrip("/")
        self.screenshots = screenshots and pathlib.Path(screenshots)
        self.run = uuid.uuid4().hex[:8]
        self.windows = windows
        self.failures = 0
        self.timings = {}

    def step(self, method):
        title = method.__doc__.strip().rstrip(".")
        try:
            method()
            for window in self.windows.values():
                complaints = window.complaints()
                assert not complaints, f"the console says {complaints}"
            print(f"ok    {title}")
        except (AssertionError, OSError, WebDriverException) as problem:
            self.failures += 1
            print(f"FAIL  {title}: {problem}")
            traceback.print_exc()
            for name, window in self.windows.items():
                self.shot(window, f"failure-{method.__name__}-{name}")
                window.complaints()

    def timed(self, what, check):
        """Another window must see a change in time."""
        start = time.monotonic()
        until(what, check, LIVE)
        self.timings[what] = round(1000 * (time.monotonic() - start))

    def close(self):
        for window in self.windows.values():
            window.close()


class Trial(Steps):
    def __init__(self, base, screenshots):
        self.ann, self.ben = Window(), Window()
        super().__init__(base, screenshots, ann=self.ann, ben=self.ben)

    def url(self, page):
        return f"{self.base}/?urlId={page}-{self.run}"

    def name(self, name):
        return f"{name} {self.run}"

    def shot(self, window, name):
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            window.script("scrollTo(0, 0)")
            data = window.command("Page.captureScreenshot", captureBeyondViewport=True, format="png")["data"]
            (self.screenshots / f"{name}.png").write_bytes(base64.b64decode(data))

    def request(self, method, page, name, path="", body=None):
        """Does without a browser what `name` would do."""
        address = f"{name}.{self.run}@example.com".lower().replace(" ", ".")
        person = {"simpleSSOUser": {"username": name, "email": address}}
        query = urllib.parse.urlencode(
            {"urlId": f"{page}-{self.run}", "broadcastId": uuid.uuid4().hex, "sso": json.dumps(person)},
            quote_via=urllib.parse.quote)
        request = urllib.request.Request(
            f"{self.base}/comments/{self.tenant}{path}?{query}", body and json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def post(self, page, name, comment, parent=None):
        """Posts; returns the id. A name may post five times a minute."""
        body = {"comment": comment, "commenterName": name, "url": self.base, "urlId": page, "parentId": parent}
        return self.request("POST", page, name, "", body)["comment"]["_id"]

    def erase(self, page, name, comment):
        self.request("DELETE", page, name, "/" + comment)

    # Steps, in order

    def opens(self):
        """The page opens, says where it is, and asks nobody else for anything."""
        for window in (self.ann, self.ben):
            window.open(self.url("talk"))
        self.tenant = self.ann.text("#tenant")
        assert self.ann.text("#address") == self.base
        assert self.tenant and self.tenant in self.ann.text("#read-line")
        foreign = self.ann.script(
            "return performance.getEntriesByType('resource').map(e => e.name)"
            ".filter(name => !name.startsWith(location.origin) && !name.startsWith('data:'))")
        assert not foreign, foreign
        for window in (self.ann, self.ben):
            until("both are counted", lambda: window.text("#here").endswith("2 here"))

    def posts(self):
        """A comment arrives in the other window, after its author was asked for a name."""
        self.ann.write("First words")
        self.ann.sign_on(self.name("Ann"))
        self.ann.comment("First words")
        self.timed("a comment arrives", lambda: self.ben.has("First words"))
        until("it is said aloud", lambda: "commented" in self.ben.one("#said").get_attribute("textContent"))
        assert self.ben.text("#count") == self.ann.text("#count") == "1 comment"
        assert len(self.ann.all(".comment")) == 1, "the author sees the echo too"
        assert self.ann.one("#composer textarea").get_attribute("value") == ""

    def votes(self):
        """Votes count at once in both windows, turn round, and are taken back."""
        self.ben.act("First words", "up")
        self.ben.sign_on(self.name("Ben"))
        for act, up, down in (
            (None, ("1", "true"), ("", "false")), ("down", ("", "false"), ("1", "true")),
            ("up", ("1", "true"), ("", "false")), ("up", ("", "false"), ("", "false")),
        ):
            if act:
                self.ben.act("First words", act)
            until(f"the voter sees {up} {down}", lambda: (
                self.ben.mark("First words", "up"), self.ben.mark("First words", "down")) == (up, down))
            self.timed("a vote arrives", lambda: (
                self.ann.mark("First words", "up")[0], self.ann.mark("First words", "down")[0]) == (up[0], down[0]))
            assert self.ann.mark("First words", "up")[1] == "false", "somebody else's vote is shown as one's own"

    def replies(self):
        """A reply stands under its parent in both windows."""
        self.ben.answer("First words", "A reply")
        self.timed("a reply arrives", lambda: self.ann.has("A reply"))
        for window in (self.ann, self.ben):
            parent = window.comment("First words")
            assert parent.find_elements(By.CSS_SELECTOR, ".replies > .comment"), "the reply is not nested"
            assert window.text("#count") == "2 comments"
        self.ann.answer("A reply", "And one below")
        self.timed("a reply to a reply arrives", lambda: self.ben.has("And one below"))

    def edits(self):
        """Authors change their own comments, and nobody else's."""
        other = self.ann.comment("A reply").find_element(By.CSS_SELECTOR, "[data-act=edit]")
        assert not other.is_displayed()
        self.ann.act("First words", "edit")
        item = self.ann.comment("First words")
        area = until("the form is there", lambda: item.find_elements(By.CSS_SELECTOR, ".desk textarea"))[0]
        assert area.get_attribute("value") == "First words"
        area.send_keys(", changed")
        item.find_element(By.CSS_SELECTOR, ".desk .main").click()
        self.ann.comment("First words, changed")
        self.timed("an edit arrives", lambda: self.ben.has("First words, changed"))

    def keeps_drafts(self):
        """What was typed in a form is still there when the order changes or the comment is deleted."""
        self.ben.act("And one below", "reply")
        self.ben.comment("And one below").find_element(By.CSS_SELECTOR, "textarea").send_keys("Half a thought")
        self.ben.one("#sort [value=OF]").click()
        until("the list is loaded anew", lambda: not self.ben.all(".desk textarea"))
        self.ben.act("And one below", "reply")
        area = self.ben.comment("And one below").find_element(By.CSS_SELECTOR, "textarea")
        assert area.get_attribute("value") == "Half a thought"

    def deletes(self):
        """A deleted comment goes with its replies in both windows, and an unsent reply is rescued."""
        self.ann.act("First words, changed", "remove")
        until("it asks", lambda: self.ann.all("#sure[open]"))
        self.ann.one("#sure .danger").click()
        until("it is gone", lambda: not self.ann.all(".comment"))
        self.timed("a deletion arrives", lambda: not self.ben.all(".comment"))
        for window in (self.ann, self.ben):
            until("nothing is left", lambda: window.text("#count") == "0 comments" and window.text("#note"))
        assert self.ben.one("#composer textarea").get_attribute("value") == "Half a thought"

    def reconnects(self):
        """After a lost connection the page says so, comes back, and shows what it missed, once."""
        network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.ben.command("Network.enable")
        self.ben.command("Network.emulateNetworkConditions", offline=True, **network)
        until("it says so", lambda: self.ben.text("#live") == "Reconnecting…")
        self.ann.write("While you were away")
        self.ann.comment("While you were away")
        self.ben.complaints()
        self.ben.command("Network.emulateNetworkConditions", offline=False, **network)
        until("it is back", lambda: self.ben.text("#live") == "Live")
        self.ben.comment("While you were away")
        self.ann.write("And now that you are back")
        self.timed("a comment after reconnecting arrives", lambda: self.ben.has("And now that you are back"))
        assert self.ben.text("#count") == "2 comments" and len(self.ben.all(".comment")) == 2
        self.ben.complaints()

    def takes_curl(self):
        """The lines for a terminal work as they are copied, on a page whose name is full of signs."""
        page = "a b+c%41'\"<i>&amp;é#?" + self.run
        for window in (self.ann, self.ben):
            window.open(f"{self.base}/?urlId={urllib.parse.quote(page, safe='')}")
            assert window.text("#page") == page, window.text("#page")
        self.ann.one("[data-copy=post-line]").click()
        until("it says that it copied", lambda: self.ann.text("[data-copy=post-line]") == "Copied")
        line = self.ann.script("return getSelection().toString()")
        done = subprocess.run(line, shell=True, capture_output=True, text=True)
        assert '"status":"success"' in done.stdout, (line, done)
        for window in (self.ann, self.ben):
            window.comment("Hello from a terminal", LIVE)
        done = subprocess.run(self.ann.text("#read-line"), shell=True, capture_output=True, text=True)
        assert "Hello from a terminal" in done.stdout, done
        self.ann.one("#composer textarea").send_keys("<i>Signs</i> & such %41 %")
        self.ann.one("#composer .main").click()
        until("it arrives", lambda: self.ben.text("#count") == "2 comments", LIVE)
        assert self.ann.text(".comment .text") == self.ben.text(".comment .text") == "Signs & such %41 %"

    def knows_itself(self):
        """What somebody does in one tab shows as theirs in another one."""
        driver = self.ben.driver
        self.ben.open(self.url("tabs"))
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        self.ben.open(self.url("tabs"))
        self.ben.write("Mine")
        self.ben.comment("Mine")
        driver.switch_to.window(first)
        self.ben.comment("Mine", LIVE)
        self.ben.act("Mine", "up")
        until("the vote counts", lambda: self.ben.mark("Mine", "up") == ("1", "true"))
        driver.switch_to.window(driver.window_handles[1])
        until("it shows as one's own", lambda: self.ben.mark("Mine", "up") == ("1", "true"), LIVE)
        self.ben.act("Mine", "up")
        until("it is taken back", lambda: self.ben.mark("Mine", "up") == ("", "false"))
        driver.close()
        driver.switch_to.window(first)
        until("it is taken back here too", lambda: self.ben.mark("Mine", "up") == ("", "false"), LIVE)
        assert self.ben.comment("Mine").find_element(By.CSS_SELECTOR, "[data-act=edit]").is_displayed()

    def refuses(self):
        """What the server refuses is explained beside the form, and nothing is lost."""
        text = "long " * 500
        self.ann.script("document.querySelector('#composer textarea').value = arguments[0]", text)
        self.ann.one("#composer .main").click()
        error = until("the reason is shown", lambda: self.ann.text("#composer .error"))
        assert "2000" in error, error
        assert self.ann.one("#composer textarea").get_attribute("value") == text
        self.ann.one("#composer textarea").clear()
        complaints = self.ann.complaints()
        assert all("422" in line for line in complaints), complaints

    def turns_pages(self):
        """Long threads come in pages, in any order, and keep their place when somebody writes meanwhile."""
        ids = [self.post("long", f"Writer {number} {self.run}", f"Number {number}") for number in range(1, 46)]
        unseen, *_ = [
            self.post("long", f"Replier {number} {self.run}", f"Reply {number}", ids[44]) for number in range(1, 14)]
        texts = lambda: [element.text.strip() for element in self.ann.all("#roots > .comment > article .text")]
        self.ann.open(self.url("long"))
        until("one page is shown", lambda: len(texts()) == 20)
        assert texts()[0] == "Number 45" and self.ann.text("#count") == "58 comments"
        self.post("long", f"Writer 46 {self.run}", "Number 46")
        until("the new one is on top", lambda: texts()[0] == "Number 46", LIVE)
        self.ann.one("#more").click()
        until("the second page is shown", lambda: len(texts()) == 41)
        self.ann.one("#more").click()
        until("all is shown", lambda: len(texts()) == 46 and not self.ann.one("#more").is_displayed())
        assert texts() == [f"Number {number}" for number in range(46, 0, -1)]
        more = self.ann.comment("Number 45").find_element(By.XPATH, "./button")
        assert more.text == "Show 3 more replies", more.text
        self.erase("long", f"Replier 1 {self.run}", unseen)
        until("a reply that is not shown goes", lambda: more.text == "Show 2 more replies", LIVE)
        more.click()
        replies = lambda: self.ann.all(".replies > .comment")
        until("all replies are shown", lambda: len(replies()) == 12 and not more.is_displayed())
        self.ann.one("#sort [value=OF]").click()
        until("the oldest is first", lambda: texts() == [f"Number {number}" for number in range(1, 21)])
        self.post("long", f"Writer 47 {self.run}", "Number 47")
        until("it is counted", lambda: self.ann.text("#count") == "59 comments", LIVE)
        assert len(texts()) == 20, "a comment of a later page was shown too early"
        self.ann.one("#sort [value=MR]").click()
        until("the order by votes is shown", lambda: texts()[:2] == ["Number 47", "Number 46"])

    def begins(self, window, page, name=None):
        """Opens a page as somebody new; a name may post five times a minute."""
        window.script("localStorage.clear()")
        window.command("Network.clearBrowserCookies")
        window.open(self.url(page))
        if name:
            window.write("Hello from " + name)
            window.sign_on(self.name(name))
            window.comment("Hello from " + name)
        return window

    def reacts(self):
        """Readers react to a page without a name, others see it, and it can be taken back."""
        for window in (self.ann, self.ben):
            self.begins(window, "react")
        state = lambda window: (
            window.one("#reactions [data-id=love]").text.split()[1:],
            window.one("#reactions [data-id=love]").get_attribute("aria-pressed"))
        self.ben.one("#reactions [data-id=love]").click()
        until("the reader sees it", lambda: state(self.ben) == (["1"], "true"))
        self.timed("a reaction arrives", lambda: state(self.ann) == (["1"], "false"))
        self.ben.open(self.url("react"))
        until("it is there after loading again", lambda: state(self.ben) == (["1"], "true"))
        self.ben.one("#reactions [data-id=love]").click()
        until("it is taken back", lambda: state(self.ben) == ([], "false"))
        self.timed("its end arrives", lambda: state(self.ann) == ([], "false"))

    def shows_who_is_here(self):
        """Who is here is listed by name, those without a name are counted, and the list follows who leaves."""
        self.begins(self.ann, "here", "Eve")
        self.begins(self.ben, "here", "Fay")
        names = lambda which: [item.text for item in self.ann.all(f"#{which} li")]
        until("both are here", lambda: self.ann.text("#here") == "2 here")
        self.ann.one("#here").click()
        until("both are listed", lambda: names("online") == [f"{self.name('Eve')} (you)", self.name("Fay")])
        self.ben.script("localStorage.clear()")
        self.ben.open(self.url("here"))
        until("one has no name any more", lambda: names("online") == [f"{self.name('Eve')} (you)"])
        until("it is counted", lambda: "1 reader has not said a name" in self.ann.text("#nameless"))
        until("who wrote is remembered", lambda: names("offline") == [self.name("Fay")])
        self.ann.press(Keys.ESCAPE)

    def rings(self):
        """The bell rings for replies wherever one is, counts right, and keeps what was read apart."""
        self.begins(self.ann, "bell", "Gil")
        mine = self.ann.comment("Hello from Gil").get_attribute("data-id")
        self.ann.open(self.url("elsewhere"))
        badge = lambda: [node.text for node in self.ann.all("#bell .badge") if node.is_displayed()]
        assert badge() == []
        self.post("bell", self.name("Hal"), "A reply to Gil", mine)
        self.timed("a notification arrives", lambda: badge() == ["1"])
        self.ann.open(self.url("elsewhere"))
        until("it is counted after loading again", lambda: badge() == ["1"])
        self.ann.one("#bell").click()
        entry = until("it is listed", lambda: self.ann.all("#notice-list li"))
        assert len(entry) == 1
        assert self.ann.text("#notice-list a") == f"{self.name('Hal')} replied to you"
        assert self.ann.text("#notice-list .text") == "A reply to Gil"
        until("looking sets the counter to nothing", lambda: badge() == [])
        self.ann.click("#notice-list .quiet")
        until("it is read", lambda: self.ann.text("#notice-list .quiet") == "Mark unread")
        self.ann.one("#subscribe").click()
        self.ann.press(Keys.ESCAPE)
        self.post("elsewhere", self.name("Hal"), "A root on a page that is followed")
        self.timed("a subscription's notification arrives", lambda: badge() == ["1"])
        self.ann.one("#bell").click()
        until("both are listed", lambda: len(self.ann.all("#notice-list li")) == 2)
        assert self.ann.one("#subscribe").is_selected()
        self.ann.press(Keys.ESCAPE)

    def feeds(self):
        """Posts of the feed arrive, are liked, illustrated, commented and deleted, in both windows."""
        self.begins(self.ann, "feed", "Ida")
        self.begins(self.ben, "feed", "Jon")
        for window in (self.ann, self.ben):
            window.one(".views a[href='#feed']").click()
            until("the feed is shown", lambda: window.one("#feed").is_displayed())
        title = f"News {self.run}"
        self.ann.one("#post-title").send_keys(title)
        self.ann.one("#post-form textarea").send_keys("Line <one>")
        self.ann.one("#post-form [name=image]").send_keys(self.picture())
        self.ann.one("#post-form .main").click()
        titles = lambda window: [node.text for node in window.all("#posts .title") if node.text == title]
        until("the author sees it once", lambda: len(titles(self.ann)) == 1)
        self.timed("a post is announced", lambda: self.ben.text("#new-posts").startswith("Show 1 new post"))
        assert not titles(self.ben)
        self.ben.one("#new-posts").click()
        until("it is shown", lambda: titles(self.ben))
        assert self.ben.text("#posts .text") == "Line <one>"
        until("its picture is drawn", lambda: self.ben.script(
            "const image = document.querySelector('#posts img'); return image && image.complete && image.naturalWidth"))
        like = lambda window: window.one("#posts [data-kind=l]")
        like(self.ben).click()
        until("the reader sees the like", lambda: like(self.ben).get_attribute("aria-pressed") == "true")
        self.timed("a like arrives", lambda: like(self.ann).get_attribute("aria-label") == "Like, 1 so far")
        like(self.ben).click()
        self.timed("its end arrives", lambda: like(self.ann).get_attribute("aria-label") == "Like, 0 so far")
        assert not self.ben.one("#posts [data-act=remove]").is_displayed()
        self.shot(self.ann, "feed")
        assert not self.ann.script(CONTRAST)
        self.ann.one("#posts [data-act=remove]").click()
        until("it asks", lambda: self.ann.all("#sure[open]"))
        self.ann.one("#sure .danger").click()
        until("it is gone", lambda: not titles(self.ann))
        self.timed("a post's deletion arrives", lambda: not titles(self.ben))

    def picture(self):
        """The path of a picture on this machine."""
        path = pathlib.Path(tempfile.gettempdir()) / f"parley-{self.run}.png"
        path.write_bytes(base64.b64decode(
            self.ann.script("""
                const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
                const pen = canvas.getContext('2d');
                pen.fillStyle = 'teal';
                pen.fillRect(40, 40, 560, 400);
                return canvas.toDataURL('image/png').split(',')[1];""")))
        return str(path)

    def works_by_keyboard(self):
        """Everything can be done with the keyboard alone, and the focus is always seen."""
        self.ann.script("localStorage.clear()")
        window = self.ann.open(self.url("keys"))
        assert window.tab_to(lambda focus: True)["label"] == "Skip to the conversation"
        window.press(Keys.ENTER)
        window.tab_to(lambda focus: focus["tag"] == "textarea", limit=8)
        window.press("Typed")
        ActionChains(window.driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
        until("the dialog has the focus", lambda: window.focus()["label"] == "username")
        window.press(self.name("Kay"), Keys.TAB, f"kay.{self.run}@example.com", Keys.ENTER)
        window.comment("Typed")
        assert window.focus()["tag"] == "textarea", "posting took the focus away"
        window.tab_to(lambda focus: focus["act"] == "up")
        window.press(Keys.SPACE)
        until("the vote counts", lambda: window.mark("Typed", "up") == ("1", "true"))
        assert window.focus()["act"] == "up", "the vote took the focus away"
        window.tab_to(lambda focus: focus["act"] == "reply", limit=3)
        window.press(Keys.ENTER)
        until("the reply's field has the focus", lambda: window.focus()["tag"] == "textarea")
        window.press(Keys.ESCAPE)
        until("Escape goes back", lambda: window.focus()["act"] == "reply")
        window.press(Keys.ENTER)
        until("the reply's field has the focus", lambda: window.focus()["tag"] == "textarea")
        window.press("Answered")
        window.tab_to(lambda focus: focus["label"] == "Reply", limit=3)
        window.press(Keys.ENTER)
        window.comment("Answered")
        until("the reply has the focus", lambda: window.focus()["tag"] == "article")
        window.tab_to(lambda focus: focus["act"] == "edit")
        window.press(Keys.ENTER)
        until("the field has the focus", lambda: window.focus()["tag"] == "textarea")
        window.press(Keys.END, " twice")
        window.tab_to(lambda focus: focus["label"] == "Save", limit=3)
        window.press(Keys.ENTER)
        window.comment("Answered twice")
        until("the edit button has the focus", lambda: window.focus()["act"] == "edit")
        window.tab_to(lambda focus: focus["act"] == "remove", limit=1)
        window.press(Keys.ENTER)
        until("the dialog has the focus", lambda: window.focus()["label"] == "Keep it")
        window.tab_to(lambda focus: focus["label"] == "Delete", limit=2)
        window.press(Keys.ENTER)
        until("it is gone", lambda: not window.has("Answered twice"))
        until("its parent has the focus", lambda: window.focus()["tag"] == "article")

    def speaks(self):
        """Every control has a name, and the landmarks are there."""
        window = self.ann
        nodes = window.command("Accessibility.getFullAXTree")["nodes"]
        role = lambda node: node.get("role", {}).get("value")
        controls = [node for node in nodes if role(node) in ("button", "link", "textbox", "radio", "article", "dialog")]
        controls = [node for node in controls if not node.get("ignored")]
        nameless = [role(node) for node in controls if not node.get("name", {}).get("value")]
        assert controls and not nameless, nameless
        roles = {role(node) for node in nodes if not node.get("ignored")}
        assert {"main", "banner", "heading", "list", "article", "status"} <= roles, roles
        assert window.one("#said").get_attribute("aria-live") == "polite"

    def looks_right(self):
        """Nothing overflows from 320 pixels on, contrast is 4.5 at least, and motion can be switched off."""
        window = self.ann.open(self.url("looks"))
        for depth, (name, text) in enumerate(EXAMPLES):
            parent = self.post("looks", f"{name} Example", text, parent if depth else None)
        self.post("looks", "W" * 60, "x" * 120)
        for name in ("Robin", "Ella"):
            self.post("looks", f"{name} Example", f"Nice. One more root, by {name}.")
        until("all are there", lambda: len(window.all(".comment")) == len(EXAMPLES) + 3)
        for scheme in ("light", "dark"):
            window.prefer(color_scheme=scheme, reduced_motion="reduce")
            assert window.script(
                "return [...document.querySelectorAll('.new > article')]"
                ".every(node => getComputedStyle(node).animationName === 'none')")
            for width in (320, 360, 768, 1280):
                window.resize(width, 800)
                assert window.script("return document.scrollingElement.scrollWidth <= innerWidth"), f"{width} overflows"
                self.shot(window, f"{scheme}-{width}")
                window.script("document.querySelector('[data-act=reply]').click()")
                pale = window.script(CONTRAST)
                window.script("document.querySelector('[data-act=reply]').click()")
                assert not pale, f"{scheme}, {width}: {pale}"
            window.script("document.querySelector('#who').showModal()")
            self.shot(window, f"{scheme}-dialog")
            assert not window.script(CONTRAST)
            window.script("document.querySelector('#who').close()")
        window.prefer()
        window.resize(1280, 900)

    def everything(self):
        for method in (
            self.opens, self.posts, self.votes, self.replies, self.edits, self.keeps_drafts, self.deletes,
            self.reconnects, self.takes_curl, self.knows_itself, self.refuses, self.turns_pages, self.reacts,
            self.shows_who_is_here, self.rings, self.feeds,
            self.works_by_keyboard, self.speaks, self.looks_right,
        ):
            self.step(method)
            if method == self.opens and self.failures:
                return self.failures
        print("      milliseconds until the other window saw it: "
              + ", ".join(f"{what} {value}" for what, value in self.timings.items()))
        return self.failures


EXAMPLES = [
    ("Ann", "Has anybody run this behind a proxy? I would like to keep **TLS** where it is and pass `/sub` through."),
    ("Ben", "Yes. Upgrade headers, a long read timeout, and that is it."),
    ("Cleo", "And name it, else every reader has its address:\n\n```\nPARLEY_TRUSTED_PROXIES=10.0.0.2\n```"),
    ("Ann", "That was it, thank you."),
    ("Dan", "Writing it down for the next one."),
    ("Ben", "This is now as deep as it gets on a phone."),
]

# Texts whose colour is too close to what stands behind them.
CONTRAST = """
    const parts = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const behind = node => {
        for (; node; node = node.parentElement) {
            const colour = parts(getComputedStyle(node).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const found = new Set();
    const check = (node, colour) => {
        const [a, b] = [light(parts(colour)), light(behind(node))].sort((a, b) => b - a);
        const ratio = (a + .05) / (b + .05);
        if (ratio < 4.5) found.add(`${ratio.toFixed(2)} ${node.tagName} ${node.textContent.slice(0, 20)}`);
    };
    for (const node of document.querySelectorAll('body *')) {
        if (!node.checkVisibility() || node.closest('.unseen') || node.closest('.skip')) continue;
        const hasText = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
        if (hasText || node.tagName === 'INPUT') check(node, getComputedStyle(node).color);
        if (node.tagName === 'TEXTAREA') check(node, getComputedStyle(node, '::placeholder').color);
    }
    return [...found];
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="address of the running server, for example http://127.0.0.1:8080")
    parser.add_argument("--screenshots", metavar="FOLDER", help="where to put pictures of the page")
    arguments = parser.parse_args()
    for program in ("chromedriver", "curl"):
        if not shutil.which(program):
            print(f"{program} is missing: make browser", file=sys.stderr)
            return 2
    trial = Trial(arguments.base, arguments.screenshots)
    try:
        failures = trial.everything()
    finally:
        trial.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
