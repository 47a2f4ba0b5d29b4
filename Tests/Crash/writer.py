"""Somebody who changes all kinds of things until the server is gone, and remembers what was acknowledged."""
import random, threading, time
from server import Caller, Fault, Lost, Refused, TENANT

PAGES = 3


class Memory:
    """What is known of the folder. A value is what the thing may be now: one that was acknowledged, or more than one
    after a change whose answer never came."""

    def __init__(self):
        self.lock = threading.Lock()
        self.facts = {}       # (kind, …) -> set of values; None is a thing that is not there
        self.parents = {}     # comment -> parent or None
        self.authors = {}     # comment -> who
        self.children = {}
        self.pages = {}       # comment -> page
        self.asked = {}       # marker of a creation whose answer never came -> (kind, parent, author)
        self.changes = []     # Change, in the order of each writer
        self.uploads = []     # names of the files of acknowledged uploads
        self.victims = {}     # comment of whom is banned -> address
        self.adopted = []     # comments whose answer never came
        self.anchors = []     # (comment, owner): never deleted, so that others may answer
        self.texts = set()    # all that comments ever were
        self.edits = []       # (comment, text) acknowledged
        self.counts = {}      # acknowledged changes by kind


class Change:
    """One change with the mark that its event bears."""

    def __init__(self, mark, kind, subject, value):
        self.mark, self.kind, self.subject, self.value = mark, kind, subject, value
        self.isKnown = False
        self.happened = None


class Writer:
    def __init__(self, site, memory, name, seed, mayBeRefused=False):
        self.site, self.memory, self.name = site, memory, name
        self.random = random.Random(seed)
        self.me, self.admin = Caller(site, name), Caller(site, "admin", isAdmin=True)
        self.number = 0
        self.own, self.posts, self.votes, self.notices = [], [], {}, []
        self.anchor = None
        self.mayBeRefused = mayBeRefused
        self.refused = 0
        self.acknowledged = 0

    # Calls

    def mark(self):
        self.number += 1
        return f"{self.name}.{self.number}"

    def ask(self, caller, *words, **named):
        status, answer = caller.ask(*words, **named)
        self.require_no_refusal(status, answer)
        if status != 200 or answer.get("status") not in ("success", None):
            raise Fault(f"{self.name}: {words[:2]} was refused: {status} {answer}")
        return answer

    def require_no_refusal(self, status, answer):
        if self.mayBeRefused and status == 503 and answer.get("code") == "unavailable":
            raise Refused()

    def change(self, kind, subject, value, call, old=None):
        """Makes the value certain when the call was acknowledged. `subject` is the key of a fact."""
        mark = self.mark()
        change = Change(mark, kind, subject, value)
        facts = self.memory.facts
        with self.memory.lock:
            self.memory.changes.append(change)
            facts[subject] = facts.get(subject, {old}) | {value}
        answer = call(mark)
        with self.memory.lock:
            facts[subject] = {value}
            self.note(change)
        return answer

    def note(self, change):
        change.isKnown = change.happened = True
        self.acknowledged += 1
        self.memory.counts[change.kind] = self.memory.counts.get(change.kind, 0) + 1

    def create(self, kind, text, call, parent=None, author=None):
        """Something that gets its id from the server."""
        mark = self.mark()
        change = Change(mark, kind, None, text)
        with self.memory.lock:
            self.memory.changes.append(change)
            self.memory.asked[text] = (kind, parent, author or self.name, change)
            self.memory.texts.add(text)
        id = call(mark)
        with self.memory.lock:
            del self.memory.asked[text]
            change.subject = ("comment" if kind != "new-feed-post" else "post", id)
            self.memory.facts[change.subject] = {text}
            if change.subject[0] == "comment":
                self.memory.parents[id] = parent
                self.memory.authors[id] = author or self.name
                self.memory.children.setdefault(parent, []).append(id)
            self.note(change)
        return id

    # What is done

    def run(self, stop):
        """Until the server is gone, or stop() says so."""
        try:
            while not stop():
                try:
                    self.step()
                except Refused:
                    self.refused += 1
                    time.sleep(0.02)
        except Lost:
            return
        finally:
            for caller in (self.me, self.admin):
                caller.close()

    def step(self):
        if self.anchor is None:
            self.anchor = self.comment(None)
            with self.memory.lock:
                self.memory.anchors.append((self.anchor, self.name))
            return
        names = ["comment"] * 4 + ["reply"] * 3 + ["answer"] * 2 + ["edit"] * 4 + ["delete"] * 2 + ["vote"] * 4 + [
            "flag", "upload", "post", "post", "edit_post", "delete_post", "react", "react", "page_react", "read",
            "pin", "ban"]
        name = self.random.choice(names)
        getattr(self, "do_" + name)()

    def living(self):
        """Own comments that are surely there."""
        self.own = [id for id in self.own if self.memory.facts[("comment", id)] != {None}]
        sure = [id for id in self.own if len(self.memory.facts[("comment", id)]) == 1]
        return self.random.choice(sure) if sure else None

    def comment(self, parent, caller=None, author=None):
        caller = caller or self.me
        page = f"page-{self.random.randrange(PAGES)}"
        if parent:
            page = self.memory.pages[parent]
        text = f"text {self.name} {self.number}"

        def call(mark):
            body = {"comment": text, "commenterName": "-", "url": "https://example.com/" + page, "urlId": page}
            if parent:
                body["parentId"] = parent
            return self.ask(caller, "POST", f"/comments/{TENANT}", {"urlId": page, "broadcastId": mark}, body)[
                "comment"]["_id"]

        id = self.create("new-comment", text, call, parent, author)
        with self.memory.lock:
            self.memory.pages[id] = page
        return id

    def do_comment(self):
        self.own.append(self.comment(None))

    def do_reply(self):
        parent = self.living()
        if parent:
            self.own.append(self.comment(parent))

    def do_answer(self):
        """To somebody else, who is told of it."""
        with self.memory.lock:
            anchors = [id for id, owner in self.memory.anchors if owner != self.name]
        if anchors:
            self.comment(self.random.choice(anchors))

    def do_edit(self):
        id = self.living()
        if not id:
            return
        text = f"edit {self.name} {self.number}"
        with self.memory.lock:
            self.memory.texts.add(text)
        self.change("updated-comment", ("comment", id), text, lambda mark: self.ask(
            self.me, "POST", f"/comments/{TENANT}/{id}/update-text", {"broadcastId": mark}, {"comment": text}))
        with self.memory.lock:
            self.memory.edits.append((id, text))

    def below(self, id):
        found = [id]
        for place in found:
            found += self.memory.children.get(place, [])
        return found

    def do_delete(self):
        id = self.living()
        if not id:
            return
        with self.memory.lock:
            others = [("comment", other) for other in self.below(id)[1:]]
            others = [key for key in others if self.memory.facts[key] != {None}]
            for key in others:
                self.memory.facts[key] = self.memory.facts[key] | {None}
        self.change("deleted-comment", ("comment", id), None, lambda mark: self.ask(
            self.me, "DELETE", f"/comments/{TENANT}/{id}", {"broadcastId": mark}))
        with self.memory.lock:
            for key in others:
                self.memory.facts[key] = {None}

    def do_vote(self):
        with self.memory.lock:
            anchors = [id for id, _ in self.memory.anchors]
        id = self.random.choice([self.living() or self.anchor, self.random.choice(anchors)])
        key = ("vote", id, self.name)
        if len(self.memory.facts.get(key, {0})) > 1:
            return
        if key in self.votes:
            vote = self.votes.pop(key)
            self.change("deleted-vote", key, 0, lambda mark: self.ask(
                self.me, "DELETE", f"/comments/{TENANT}/{id}/vote/{vote}", {"broadcastId": mark, "urlId": "x"}), 0)
        elif self.memory.facts.get(key, {0}) == {0}:
            body = {"voteDir": "up", "commenterEmail": None, "commenterName": None, "url": None}
            answer = self.change("new-vote", key, 1, lambda mark: self.ask(
                self.me, "POST", f"/comments/{TENANT}/{id}/vote", {"broadcastId": mark, "urlId": "x"}, body), 0)
            self.votes[key] = answer["voteId"]

    def do_flag(self):
        with self.memory.lock:
            anchors = [id for id, owner in self.memory.anchors if owner != self.name]
        if not anchors:
            return
        id = self.random.choice(anchors)
        key = ("flag", id, self.name)
        value = 1 - max(self.memory.facts.get(key, {0}))
        self.change("flag", key, value, lambda mark: self.ask(
            self.me, "POST", f"/flag-comment/{id}",
            {"tenantId": TENANT, "isFlagged": "true" if value else "false"}), 0)

    def do_upload(self):
        status, answer = self.me.upload()
        self.require_no_refusal(status, answer)
        if status != 200:
            raise Fault(f"an upload was refused: {status} {answer}")
        with self.memory.lock:
            self.memory.uploads.append(answer["url"].rsplit("/", 1)[1])
            self.memory.counts["upload"] = self.memory.counts.get("upload", 0) + 1
            self.acknowledged += 1

    def do_post(self):
        title = f"post {self.name} {self.number}"
        self.posts.append(self.create("new-feed-post", title, lambda mark: self.ask(
            self.me, "POST", f"/feed-posts/{TENANT}", {"broadcastId": mark}, {"title": title})["feedPost"]["_id"]))

    def sure_post(self):
        sure = [id for id in self.posts if len(self.memory.facts[("post", id)]) == 1
                and self.memory.facts[("post", id)] != {None}]
        return self.random.choice(sure) if sure else None

    def do_edit_post(self):
        id = self.sure_post()
        title = f"retitled {self.name} {self.number}"
        if id:
            self.change("updated-feed-post", ("post", id), title, lambda mark: self.ask(
                self.me, "PUT", f"/feed-posts/{TENANT}/{id}", {"broadcastId": mark}, {"title": title}))

    def do_delete_post(self):
        id = self.sure_post()
        if id:
            self.change("deleted-feed-post", ("post", id), None, lambda mark: self.ask(
                self.me, "DELETE", f"/feed-posts/{TENANT}/{id}", {"broadcastId": mark}))

    def do_react(self):
        id = self.sure_post()
        if not id:
            return
        key = ("react", id, self.name)
        if len(self.memory.facts.get(key, {0})) > 1:
            return
        value = 1 - max(self.memory.facts.get(key, {0}))
        self.change("fr" if value else "dfr", key, value, lambda mark: self.ask(
            self.me, "POST", f"/feed-posts/{TENANT}/react/{id}",
            {"broadcastId": mark, "isUndo": "false" if value else "true"}, {"reactType": "l"}), 0)

    def do_page_react(self):
        page = f"page-{self.random.randrange(PAGES)}"
        key = ("page-react", page, self.name)
        if len(self.memory.facts.get(key, {0})) > 1:
            return
        value = 1 - max(self.memory.facts.get(key, {0}))
        self.change("page-react", key, value, lambda mark: self.ask(
            self.me, "POST" if value else "DELETE", f"/page-reacts/v2/{TENANT}",
            {"urlId": page, "id": "heart", "title": "Page"}), 0)

    def do_read(self):
        """Marks a notice as read."""
        if not self.notices:
            answer = self.ask(self.me, "GET", "/user-notifications", {"tenantId": TENANT})
            self.notices = [row["_id"] for row in answer["notifications"]
                            if not row["viewed"] and row["type"] in (0, 1) and ("notice", row["_id"]) not in
                            self.memory.facts]
        if self.notices:
            id = self.notices.pop()
            self.change("notice", ("notice", id), 1, lambda mark: self.ask(
                self.me, "POST", f"/user-notifications/{id}/mark/read", {"tenantId": TENANT}), 0)

    def do_pin(self):
        id = self.living()
        if not id:
            return
        key = ("pin", id)
        if len(self.memory.facts.get(key, {0})) > 1:
            return
        value = 1 - max(self.memory.facts.get(key, {0}))
        self.change("pin", key, value, lambda mark: self.ask(
            self.admin, "POST", f"/comments/{TENANT}/{id}/{'pin' if value else 'unpin'}", {"broadcastId": mark}), 0)

    def do_ban(self):
        """The ban and the end of the comment are one change."""
        name = f"victim{self.number}of{self.name}"
        victim = Caller(self.site, name)
        id = self.comment(None, victim, name)
        victim.close()
        with self.memory.lock:
            self.memory.victims[id] = name + "@example.com"
            self.memory.facts[("comment", id)] = self.memory.facts[("comment", id)] | {None}
        self.change("ban", ("ban", name + "@example.com"), 1, lambda mark: self.ask(
            self.admin, "POST", f"/auth/my-account/moderate-comments/mod_api/ban-user/from-comment/{id}",
            {"tenantId": TENANT, "banEmail": "true", "bannedUntil": "forever", "broadcastId": mark}), 0)
        with self.memory.lock:
            self.memory.facts[("comment", id)] = {None}
