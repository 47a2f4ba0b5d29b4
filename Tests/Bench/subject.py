"""The server that is measured, and what is asked of it."""
import itertools, json, os, random, sys, time, urllib.parse

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name) for name in ("Crash", "Load")]
from server import Caller, Fault, Site, sso
import forum
from machine import Wrong, end_with_parent

TENANT, KEY = "bench", "BENCHKEY-41c0"
FILLER = "The quick brown fox jumps over the lazy dog, and says at some length what it thinks of that: it is a habit"
# What an app asks for when a page opens, and the whole of a page.
FIRST = {"asTree": "true", "maxTreeDepth": "1", "limit": "30", "limitChildren": "30", "countAll": "true",
         "countChildren": "true", "direction": "NF"}
WHOLE = {**FIRST, "maxTreeDepth": "999", "limit": "999999", "limitChildren": "999999"}
WORDS = [f"{a}{b}{c}" for a in ("ba", "co", "di", "fu", "le", "mi") for b in "nrst" for c in ("a", "el", "ing", "o", "us")]


def encoded(query):
    return urllib.parse.urlencode(query, quote_via=urllib.parse.quote)


class BenchSite(Site):
    """The program on a folder of its own with a tenant; use it in `with`.
    Comments are judged like those of any other tenant."""

    numbers = itertools.count()

    def __init__(self, program, tenant=TENANT, key=KEY):
        self.tenant, self.key = tenant, key
        super().__init__(program, tenants=[{"id": tenant, "key": key, "ownerEmail": "owner@example.com",
                                            "settings": {"maxCommentCreatedCountPUPM": 1000}}])
        self.identities = {}

    def __enter__(self):
        return self.start(before=end_with_parent)

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.stop()
        finally:
            self.remove()

    def restart(self):
        self.stop()
        self.start(before=end_with_parent)

    @property
    def port(self):
        return int(self.address.rpartition(":")[2])

    @property
    def pids(self):
        return str(self.process.pid)

    def identity(self, who):
        if who not in self.identities:
            self.identities[who] = sso(who, self.key)
        return self.identities[who]

    # What is asked

    def ask(self, method, path, query={}, body=None, who=""):
        """A call that must succeed."""
        caller = Caller(self, "", self.key, self.tenant)
        caller.sso = self.identity(who) if who else None
        status, answer = caller.ask(method, path, query, body)
        caller.close()
        if status != 200:
            raise Wrong(f"{method} {path}: {status} {answer}")
        return answer

    def page_path(self, page, query=FIRST, who=""):
        signed = {"sso": self.identity(who)} if who else {}
        return f"/comments/{self.tenant}?" + encoded({"urlId": page, **query, **signed})

    def page(self, page, query=FIRST, who=""):
        return self.ask("GET", f"/comments/{self.tenant}", {"urlId": page, **query}, who=who)

    def comment(self, page, text, parent=None):
        return {"comment": text, "commenterName": "-", "url": f"https://example.com/{page}", "urlId": page,
                "date": int(time.time() * 1000), **({"parentId": parent} if parent else {})}

    def fill_page(self, page, count):
        """Writes a page of which each third comment is a reply; gives the ids."""
        ids = []
        for number in range(count):
            parent = ids[number - 2] if number % 3 == 2 else None
            answer = self.ask("POST", f"/comments/{self.tenant}", {"urlId": page, "broadcastId": "b"},
                              self.comment(page, f"Comment {number} of {page}. {FILLER}", parent), f"author-{number % 10}")
            ids.append(answer["comment"]["_id"])
        if (seen := self.page(page)["commentCount"]) != count:
            raise Wrong(f"{count} comments were written to a page, it counts {seen}")
        return ids

    def mark(self, page, ids, who, number):
        """Somebody votes for two comments, flags one, and blocks the author of one."""
        first, second, flagged, blocked = (ids[(4 * number + step) % len(ids)] for step in range(4))
        for id in (first, second):
            self.ask("POST", f"/comments/{self.tenant}/{id}/vote", {"urlId": page, "broadcastId": "b"},
                     {"voteDir": "up", "url": f"https://example.com/{page}", "commenterName": None, "commenterEmail": None},
                     who)
        self.ask("POST", f"/flag-comment/{flagged}", {"tenantId": self.tenant, "isFlagged": "true"}, None, who)
        self.ask("POST", f"/block-from-comment/{blocked}", {"tenantId": self.tenant}, {"commentIds": None}, who)

    # Lists for the programs that send them

    def file(self, lines):
        path = f"{self.folder}/list-{next(self.numbers)}"
        with open(path, "w") as file:
            file.writelines(line + "\n" for line in lines)
        return path

    def gets(self, paths):
        return self.file(f"GET {path}" for path in paths)

    def posts(self, count, pages, words=20):
        """Posts to pages by turns, each with a text that is nowhere else, by people new to the site with four each."""
        run = next(self.numbers)
        dice, people = random.Random(run), [sso(f"writer-{run}-{number}", self.key) for number in range(count // 4 + 1)]

        def lines():
            for number in range(count):
                page = pages[number % len(pages)]
                query = encoded({"urlId": page, "broadcastId": f"b{number}", "sso": people[number % len(people)]})
                text = f"mark-{number:08d} {' '.join(dice.choices(WORDS, k=words))}"
                yield f"POST /comments/{self.tenant}?{query} {json.dumps(self.comment(page, text))}"
        return self.file(lines())

    def tickets(self, count):
        """What so many people open sockets with, wherever they are."""
        caller = Caller(self, "", self.key, self.tenant)
        for number in range(count):
            caller.sso = sso(f"reader-{number}", self.key)
            status, answer = caller.ask("GET", f"/comments/{self.tenant}", {"urlId": "lobby"})
            if status != 200:
                raise Wrong(f"no ticket: {status} {answer}")
            yield answer["userIdWS"]
        caller.close()

    def sockets(self, page, tickets):
        answer = self.page(page)
        room, tenant = answer["urlIdWS"], answer["tenantIdWS"]
        return self.gets("/sub?" + encoded({"urlId": room, "userIdWS": ticket, "tenantIdWS": tenant}) for ticket in tickets)


class Forum(BenchSite):
    """The same with pages that are written before it starts."""

    def __init__(self, program):
        super().__init__(program, forum.TENANT, forum.KEY)

    def fill(self, count, pages, place):
        forum.fill(self.database, count, pages, place)
