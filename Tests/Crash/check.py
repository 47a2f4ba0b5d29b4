"""Compares a folder, after a start, with what was acknowledged before."""
import collections, json, os, sqlite3
from server import Fault, TENANT, wait_until

# Counts that are kept, and what they count; each gives no rows when all is well.
INVARIANTS = {
    "votes of a comment": """
        SELECT c.id, c.votes_up, c.votes_down FROM comment AS c
        WHERE c.votes_up <> (SELECT count(*) FROM vote WHERE comment_seq = c.seq AND direction = 1 AND is_pending = 0)
           OR c.votes_down <> (SELECT count(*) FROM vote WHERE comment_seq = c.seq AND direction = -1
                               AND is_pending = 0)""",
    "flags of a comment": """
        SELECT c.id, c.flag_count FROM comment AS c
        WHERE c.flag_count <> (SELECT count(*) FROM comment_flag WHERE comment_seq = c.seq)""",
    "a reply to nothing": """
        SELECT c.id, c.parent_id FROM comment AS c
        WHERE c.parent_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM comment AS p WHERE p.id = c.parent_id AND p.seq = c.parent_seq AND p.page_id = c.page_id)""",
    "comments by state": """
        SELECT tenant_id, state, SUM(kept), SUM(counted) FROM (
            SELECT tenant_id, state, count AS kept, 0 AS counted FROM comment_count
            UNION ALL
            SELECT tenant_id, is_approved + 2 * is_spam + 4 * is_reviewed + 8 * (flag_count > 0) + 16 * is_locked, 0,
                   COUNT(*) FROM comment WHERE is_deleted = 0 GROUP BY 1, 2)
        GROUP BY 1, 2 HAVING SUM(kept) <> SUM(counted)""",
    "reactions to a page": """
        SELECT page_id, react_id, SUM(kept), SUM(counted) FROM (
            SELECT page_id, version, react_id, count AS kept, 0 AS counted FROM page_react_count
            UNION ALL
            SELECT page_id, version, react_id, 0, COUNT(*) FROM page_react GROUP BY 1, 2, 3)
        GROUP BY page_id, version, react_id HAVING SUM(kept) <> SUM(counted)""",
    "reactions to a post": """
        SELECT post_id, react_type, SUM(kept), SUM(counted) FROM (
            SELECT post_id, react_type, total AS kept, 0 AS counted FROM feed_react_total
            UNION ALL SELECT post_id, react_type, 0, COUNT(*) FROM feed_react GROUP BY 1, 2)
        GROUP BY post_id, react_type HAVING SUM(kept) <> SUM(counted)""",
    "words to search": """
        SELECT c.id FROM comment AS c LEFT JOIN comment_search AS s ON s.rowid = c.seq
        WHERE s.rowid IS NULL OR s.words <> c.source""",
    "words of nothing": "SELECT rowid FROM comment_search WHERE rowid NOT IN (SELECT seq FROM comment)",
    "events with one id": "SELECT id, count(*) FROM event_log GROUP BY id HAVING count(*) > 1",
    "stamps out of order": """
        SELECT id, room, stamp FROM (
            SELECT id, room, stamp, lag(stamp) OVER (PARTITION BY tenant_id, room ORDER BY position) AS before
            FROM event_log)
        WHERE stamp < before + 2""",
    "a notice twice": """
        SELECT comment_seq, owner_key FROM notice GROUP BY comment_seq, owner_key, is_of_votes HAVING count(*) > 1""",
}


class Checker:
    def __init__(self, site, memory, receiver=None, tenant=TENANT):
        self.site, self.memory, self.receiver, self.tenant = site, memory, receiver, tenant
        self.position = 0       # events up to here were compared
        self.events = collections.defaultdict(list)
        self.born, self.died = [], []

    def open(self):
        database = sqlite3.connect(f"file:{self.site.database}?mode=ro", uri=True, timeout=10)
        database.execute("PRAGMA query_only = 1")
        return database

    def check(self, full=True):
        """After a start. Makes certain in the memory what was not."""
        database = self.open()
        try:
            if full:
                for pragma in ("integrity_check", "foreign_key_check"):
                    rows = database.execute(f"PRAGMA {pragma}").fetchmany(20)
                    if rows not in ([], [("ok",)]):
                        raise Fault(f"{pragma}: {rows}")
            self.check_background(database)
            self.check_invariants(database)
            self.check_facts(database)
            self.check_events(database)
            self.check_files(database)
        finally:
            database.close()
        if full:
            status, text = self.site.command("doctor", "--check", "--data", self.site.data, check=False)
            if status:
                raise Fault(f"the doctor found: {text}")

    def check_invariants(self, database):
        for name, sql in INVARIANTS.items():
            rows = database.execute(sql).fetchmany(5)
            if rows:
                raise Fault(f"{name}: {rows}")

    def check_whole(self):
        """That what is there is of one moment, whichever it is: for a folder that was damaged.
        - Returns: how many events it has."""
        database = self.open()
        try:
            for pragma in ("integrity_check", "foreign_key_check"):
                rows = database.execute(f"PRAGMA {pragma}").fetchmany(20)
                if rows not in ([], [("ok",)]):
                    raise Fault(f"{pragma}: {rows}")
            self.check_background(database)
            self.check_invariants(database)
            there, count = set(), 0
            for data, in database.execute("SELECT data FROM event_log ORDER BY position"):
                event, count = json.loads(data), count + 1
                if event["type"] == "new-comment":
                    there.add(event["comment"]["_id"])
                if event["type"] == "deleted-comment":
                    there.remove(event["comment"]["_id"])
            rows = {id for id, in database.execute("SELECT id FROM comment WHERE is_deleted = 0")}
            if rows != there:
                raise Fault(f"rows and events disagree: {list(rows ^ there)[:5]}")
            return count
        finally:
            database.close()

    def check_background(self, database):
        """What comes after the answer comes, once it is given time."""
        def idle():
            return all(database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
                       for table in ("notice_job", "long_task", "webhook_sweep"))
        wait_until("what comes after the answers is done", idle)

    # Facts

    def read(self, database):
        """Everything of the kinds of facts that is there, beside what is not."""
        found = {}

        def take(kind, sql, value=lambda row: 1):
            for row in database.execute(sql):
                found[(kind, *row[:KEYS[kind]])] = value(row)

        take("comment", "SELECT id, source FROM comment WHERE is_deleted = 0", lambda row: row[1])
        take("pin", "SELECT id FROM comment WHERE pinned_at IS NOT NULL")
        take("vote", f"""SELECT c.id, replace(v.voter_key, '{self.tenant}:', '') FROM vote AS v
                         JOIN comment AS c ON c.seq = v.comment_seq WHERE v.direction = 1""")
        take("flag", f"""SELECT c.id, replace(f.flagger_key, '{self.tenant}:', '')
                         FROM comment_flag AS f JOIN comment AS c ON c.seq = f.comment_seq""")
        take("post", "SELECT id, title FROM feed_post WHERE deleted_at IS NULL", lambda row: row[1])
        take("react", f"SELECT post_id, replace(reactor_key, '{self.tenant}:', '') FROM feed_react")
        take("page-react", f"""SELECT p.url_id, replace(r.reactor_key, '{self.tenant}:', '')
                               FROM page_react AS r JOIN page AS p ON p.id = r.page_id""")
        take("notice", "SELECT id FROM notice WHERE is_viewed = 1")
        take("ban", "SELECT email_key FROM ban")
        return found

    def check_facts(self, database):
        memory, found = self.memory, self.read(database)
        self.adopt(found)
        for key, value in found.items():
            if key not in memory.facts:
                raise Fault(f"nobody asked for {key}: {value!r}")
        for key, values in memory.facts.items():
            value = found.get(key, EMPTY[key[0]])
            if self.hangs_on_nothing(key, found):
                value = min(values, key=str) if value in values or value == EMPTY[key[0]] else value
            if value not in values:
                raise Fault(f"{key} is {value!r} instead of {values!r}")
        for id, address in memory.victims.items():
            if (("comment", id) in found) == (("ban", address) in found):
                if ("comment", id) in found or max(memory.facts.get(("ban", address), {0})):
                    raise Fault(f"half of a ban: {address}, {id}")
        for change in memory.changes:
            if change.happened is None:
                change.happened = change.subject is not None and \
                    found.get(change.subject, EMPTY[change.subject[0]]) == change.value
        for key, values in memory.facts.items():
            if len(values) > 1:
                memory.facts[key] = {found.get(key, EMPTY[key[0]])}
        rows = dict(database.execute("SELECT id, parent_id FROM comment"))
        for id, parent in rows.items():
            if memory.parents.get(id) != parent:
                raise Fault(f"{id} hangs on {parent} instead of {memory.parents.get(id)}")
        self.check_notices(database)

    def hangs_on_nothing(self, key, found):
        """Votes and pins go with their comment, reactions with their post."""
        if key[0] in ("vote", "flag", "pin"):
            return ("comment", key[1]) not in found
        return key[0] == "react" and ("post", key[1]) not in found

    def adopt(self, found):
        """Takes over what was asked for and is there, though nobody was told."""
        memory = self.memory
        for key, value in list(found.items()):
            if key in memory.facts or value not in memory.asked:
                continue
            kind, parent, author, change = memory.asked.pop(value)
            if (kind == "new-feed-post") != (key[0] == "post"):
                raise Fault(f"{value!r} became {key}")
            change.subject = key
            memory.facts[key] = {value}
            if key[0] == "comment":
                memory.parents[key[1]], memory.authors[key[1]] = parent, author
                memory.children.setdefault(parent, []).append(key[1])
                memory.adopted.append(key[1])
        memory.asked = {}

    def check_notices(self, database):
        """Who was answered by somebody else has one notice of it."""
        owners = dict(self.memory.anchors)
        rows = collections.Counter(database.execute(
            "SELECT c.id, n.owner_key FROM notice AS n JOIN comment AS c ON c.seq = n.comment_seq WHERE n.kind = 0"))
        for id, parent in self.memory.parents.items():
            owner = owners.get(parent)
            if owner and owner != self.memory.authors[id] and self.memory.facts[("comment", id)] != {None}:
                if rows[(id, f"{self.tenant}:{owner}")] != 1:
                    raise Fault(f"{owner} has {rows[(id, f'{self.tenant}:{owner}')]} notices of {id}")

    # Events

    def check_events(self, database):
        memory = self.memory
        last = self.position
        for position, mark, data in database.execute(
                "SELECT position, broadcast_id, data FROM event_log WHERE position > ? ORDER BY position", (last,)):
            event = json.loads(data)
            self.events[mark].append((position, event["type"]))
            self.position = position
            if event["type"] == "new-comment":
                self.born.append(event["comment"]["_id"])
            if event["type"] == "deleted-comment":
                self.died.append(event["comment"]["_id"])
        there = {key[1] for key, values in memory.facts.items() if key[0] == "comment" and values != {None}}
        gone = {key[1] for key, values in memory.facts.items() if key[0] == "comment" and values == {None}}
        for name, ids in (("new", self.born), ("deleted", self.died)):
            twice = [id for id, count in collections.Counter(ids).items() if count > 1]
            if twice:
                raise Fault(f"told twice that a comment is {name}: {twice[:5]}")
        if set(self.born) != there | gone:
            raise Fault(f"told of as new: not {list((there | gone) - set(self.born))[:5]}, "
                        f"but {list(set(self.born) - there - gone)[:5]}")
        if set(self.died) != gone:
            raise Fault(f"told of as deleted: not {list(gone - set(self.died))[:5]}, "
                        f"but {list(set(self.died) - gone)[:5]}")
        self.check_marks(last)

    def check_marks(self, last):
        """Each change that happened has its one event, in the order of who made it, and nothing else has one."""
        memory, places = self.memory, {}
        told_of = {mark for mark in self.events}
        for change in memory.changes:
            told = self.events.pop(change.mark, [])
            if change.kind in UNTOLD:
                expected = []
            else:
                expected = [TYPES.get(change.kind, change.kind)] if change.happened else []
            types = [type for _, type in told]
            if change.kind == "deleted-comment" and change.happened:
                types = sorted(set(types))
            if types != expected and not (types == [] and self.is_by_another(change, told_of)):
                raise Fault(f"{change.kind} {change.subject} (mark {change.mark}, "
                            f"{'acknowledged' if change.isKnown else 'not acknowledged'}, "
                            f"{'done' if change.happened else 'not done'}) was told of as {types}")
            if told:
                writer = change.mark.split(".")[0]
                if told[0][0] <= places.get(writer, last):
                    raise Fault(f"the event of {change.mark} is before an earlier one of the same writer")
                places[writer] = told[-1][0]
        memory.changes.clear()
        ours = [mark for mark in self.events if mark.startswith("writer")]
        if ours:
            raise Fault(f"events of changes that nobody made: {ours[:5]}")
        self.events.clear()

    def is_by_another(self, change, told_of):
        """Whether what was not acknowledged looks done because a change that was told of did it too, or removed what it
        was about."""
        if change.isKnown or not change.happened:
            return False
        if any(other is not change and other.subject == change.subject and other.value == change.value
               and other.mark in told_of for other in self.memory.changes):
            return True
        kind, id = change.subject[:2]
        holder = {"vote": "comment", "flag": "comment", "pin": "comment", "react": "post"}.get(kind)
        if holder:
            return change.value == EMPTY[kind] and self.memory.facts.get((holder, id)) == {None}
        return kind == "comment" and change.value is None and id in self.died

    # Files and webhooks

    def check_files(self, database):
        folder = self.site.data + "/uploads"
        rows = {name for name, in database.execute("SELECT name FROM upload")}

        def same():
            return set(os.listdir(folder)) == rows
        wait_until("the files are those that rows name", same, 5)
        lost = [name for name in self.memory.uploads if name not in rows]
        if lost:
            raise Fault(f"uploads are lost: {lost[:5]}")

    def check_hooks(self, seconds=120):
        """All was told, in order; nothing was told that did not happen."""
        database = self.open()
        try:
            wait_until("all webhooks are delivered", lambda: database.execute(
                "SELECT count(*) FROM webhook_event").fetchone() == (0,), seconds)
        finally:
            database.close()
        told, seen = collections.defaultdict(list), {}
        for method, event, body in self.receiver.calls:
            if seen.setdefault(event, (method, body)) != (method, body):
                raise Fault(f"the event {event} was told in two ways")
            comment = json.loads(body)
            told[comment["id"]].append((method, comment.get("comment"), event))
        repeated = len(self.receiver.calls) - len(seen)
        for id, calls in told.items():
            methods = "".join(method[1] for method, _, _ in calls)   # PUT, POST and DELETE: U, O and E
            if methods.lstrip("U").lstrip("O").lstrip("E") or not methods.startswith("U"):
                raise Fault(f"{id} was told of in the order {[call[0] for call in calls]}")
        there = {key[1]: values for key, values in self.memory.facts.items() if key[0] == "comment"}
        if set(told) != set(there):
            raise Fault(f"webhooks: {list(set(there) - set(told))[:5]} not told of, "
                        f"but {list(set(told) - set(there))[:5]}")
        for id, values in there.items():
            if (values == {None}) != any(method == "DELETE" for method, _, _ in told[id]):
                raise Fault(f"{id} is {values} and was told of as {told[id]}")
            texts = {text for method, text, _ in told[id] if method != "DELETE"}
            if texts - self.memory.texts:
                raise Fault(f"{id} was told of with texts that it never had: {texts - self.memory.texts}")
            if values != {None} and [text for _, text, _ in told[id]][-1] not in values:
                raise Fault(f"{id} is {values} but was last told of as {told[id][-1]}")
        lost = [(id, text) for id, text in self.memory.edits if all(call[1] != text for call in told[id])]
        if lost:
            raise Fault(f"edits were not told of: {lost[:5]}")
        return len(seen), repeated


KEYS = {"comment": 1, "pin": 1, "vote": 2, "flag": 2, "post": 1, "react": 2, "page-react": 2, "notice": 1, "ban": 1}
EMPTY = {"comment": None, "pin": 0, "vote": 0, "flag": 0, "post": None, "react": 0, "page-react": 0, "notice": 0,
         "ban": 0}
# Changes without an event in the log that bears their mark.
UNTOLD = {"flag", "page-react", "notice", "ban"}
TYPES = {"pin": "updated-comment"}
