"""A forum of many comments on a server of its own, for the scripts beside this file."""
import base64, contextlib, hashlib, hmac, http.client, json, os, random, sqlite3, subprocess, tempfile, time, urllib.parse

TENANT, KEY = "queue", "QUEUEKEY"
PAGES, PEOPLE = 2000, 5000
START = 1_700_000_000_000


def sso(id="admin", **members):
    """A signed payload of an administrator, or of somebody else."""
    members = members or {"isAdmin": id == "admin"}
    data = base64.b64encode(json.dumps(
        {"id": id, "username": id, "email": f"{id}@example.com", **members}).encode()).decode()
    stamp = int(time.time() * 1000)
    proof = hmac.new(KEY.encode(), f"{stamp}{data}".encode(), hashlib.sha256).hexdigest()
    return json.dumps({"userDataJSONBase64": data, "verificationHash": proof, "timestamp": stamp})


def fill(path, count, pages=PAGES, place=None):
    """Writes comments into a database. `place` tells on which page, 0 and up, a comment is; by default any."""
    dice = random.Random(1)
    place = place or (lambda _: dice.randrange(pages))
    words = [f"word{n}" for n in range(2000)]
    with sqlite3.connect(path, timeout=30) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.executemany(
            "INSERT INTO page (tenant_id, url_id, url, title, created_at, updated_at) VALUES (?, ?, ?, ?, 1, ?)",
            [(TENANT, f"page-{n}", f"https://host{n % 20}.test/{n}", f"Article {n}", n) for n in range(pages)])
        database.executemany(
            "INSERT INTO person (tenant_id, id, is_simple, username, username_key, display_key, created_at, updated_at) "
            "VALUES (?, ?, 0, ?, ?, ?, 1, 1)",
            [(TENANT, f"{TENANT}:p{n}", f"Person {n}", f"person {n}", f"person {n}") for n in range(PEOPLE)])
        ids = [row[0] for row in database.execute("SELECT id FROM page ORDER BY id")]

        def rows():
            for n in range(count):
                page = place(n)
                author = f"{TENANT}:p{int(PEOPLE * dice.random() ** 3)}"
                text = " ".join(dice.choice(words) for _ in range(12))
                text = f"common {text}" if n % 3 == 0 else text
                text = f"{text} seldom" if n % 4000 == 0 else text
                yield (f"{n:024x}", TENANT, ids[page], author, author, "Person", text, f"<p>{text}</p>",
                       START + n * 1000, dice.random() > 0.02, dice.random() < 0.03, dice.random() < 0.9,
                       3 * (dice.random() < 0.005), dice.random() < 0.001, f"a{int(3000 * dice.random() ** 2)}",
                       f"host{page % 20}.test", '["g1"]' if n % 50 == 0 else None)

        database.executemany(
            "INSERT INTO comment (id, tenant_id, page_id, user_id, author_key, commenter_name, source, html, created_at, "
            "is_approved, is_spam, is_reviewed, flag_count, is_locked, address_hash, domain, moderation_groups, url, score)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0)", rows())
        database.execute(
            "INSERT INTO comment_search (rowid, place, words) SELECT seq, 'p' || page_id, source FROM comment")


@contextlib.contextmanager
def forum(program, count):
    """Starts the program on a folder of its own with so many comments. Gives the process and its address."""
    with tempfile.TemporaryDirectory() as folder:
        ready = folder + "/ready"
        environment = dict(os.environ, PARLEY_PORT="0", PARLEY_DATA=folder + "/data", PARLEY_TENANTS=f"{TENANT}:{KEY}")
        server = subprocess.Popen([program, "serve", "--ready-file", ready], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not os.path.exists(ready):
                assert server.poll() is None, "the server ended at once"
                time.sleep(0.01)
            fill(folder + "/data/parley.db", count)
            yield server, urllib.parse.urlparse(json.load(open(ready))["url"]).netloc
        finally:
            server.terminate()
            server.wait()


class Caller:
    """One connection of somebody who signed on."""

    def __init__(self, address, identity):
        self.connection = http.client.HTTPConnection(address)
        self.identity = identity

    def ask(self, method, path, query={}, body=None):
        """Status and body of the answer, which is JSON where it can be."""
        text = urllib.parse.urlencode({"tenantId": TENANT, "sso": self.identity, **query}, quote_via=urllib.parse.quote)
        headers = {"content-type": "application/json"} if body is not None else {}
        self.connection.request(method, f"{path}?{text}", None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        data = answer.read()
        with contextlib.suppress(ValueError):
            data = json.loads(data)
        return answer.status, data

    def moderate(self, method, path, query={}, body=None):
        """As a moderator; the answer must be a success."""
        status, answer = self.ask(method, f"/auth/my-account/moderate-comments/{path}", query, body)
        assert status == 200 and answer["status"] == "success", (method, path, status, answer)
        return answer
