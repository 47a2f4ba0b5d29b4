"""A server on a folder of its own, those who call it, and a receiver for its webhooks."""
import base64, hashlib, hmac, http.client, http.server, json, os, shutil, signal, subprocess, tempfile, threading, time
import urllib.parse

TENANT, KEY = "crash", "CRASHKEY-9f3b72"
IMAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ImagesTests", "images")


class Fault(Exception):
    """Something that must not happen."""


def sso(id, key=KEY, **members):
    """A signed payload of somebody."""
    data = base64.b64encode(json.dumps(
        {"id": id, "username": id, "email": f"{id}@example.com", **members}).encode()).decode()
    stamp = int(time.time() * 1000)
    proof = hmac.new(key.encode(), f"{stamp}{data}".encode(), hashlib.sha256).hexdigest()
    return json.dumps({"userDataJSONBase64": data, "verificationHash": proof, "timestamp": stamp})


class Receiver:
    """Takes webhooks and remembers them in the order in which they came."""

    def __init__(self):
        self.calls = []
        self.lock = threading.Lock()
        self.running = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                with outer.lock:
                    outer.calls.append((self.command, self.headers.get("x-parley-event-id"), body))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            do_PUT = do_POST = do_DELETE = answer

            def handle(self):
                with outer.lock:
                    outer.running += 1
                try:
                    super().handle()
                except OSError:
                    pass
                finally:
                    with outer.lock:
                        outer.running -= 1

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settle(self):
        """Waits until what a killed server sent has been read."""
        wait_until("the receiver is idle", lambda: self.running == 0, 10)


def wait_until(what, test, seconds=30):
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            raise Fault(f"waited {seconds} s in vain until {what}")
        time.sleep(0.005)


class Site:
    """The program on one data folder; started, killed and started again."""

    def __init__(self, program, tenants=None, environment={}):
        self.program = os.path.abspath(program)
        self.folder = tempfile.mkdtemp(prefix="parley-crash-")
        self.data = self.folder + "/data"
        self.database = self.data + "/parley.db"
        self.log = self.folder + "/log"
        self.process = None
        self.environment = dict(
            os.environ, PARLEY_OUTBOUND_ALLOW="127.0.0.1", PARLEY_WEBHOOK_RETRY="1", **environment)
        tenants = tenants or [{"id": TENANT, "key": KEY, "ownerEmail": "owner@fctest.com"}]
        self.seed({"tenants": tenants})

    def seed(self, content):
        with open(self.folder + "/seed.json", "w") as file:
            json.dump(content, file)
        self.command("seed", self.folder + "/seed.json", "--data", self.data)

    def command(self, *words, check=True):
        """Runs a command of the program; gives status and what it said."""
        done = subprocess.run([self.program, *words], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)
        if check and done.returncode:
            raise Fault(f"parley {' '.join(words)} ended with {done.returncode}: {done.stdout}")
        return done.returncode, done.stdout

    def launch(self, environment={}, arguments=(), before=None):
        """Begins to start, without waiting. `before` runs in the new process."""
        self.ready = self.folder + "/ready"
        if os.path.exists(self.ready):
            os.unlink(self.ready)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--data", self.data, "--port", "0", "--ready-file", self.ready, *arguments],
                stdout=log, stderr=log, env=dict(self.environment, **environment), preexec_fn=before)

    def start(self, environment={}, arguments=(), before=None):
        self.launch(environment, arguments, before)
        end = time.monotonic() + 20
        while not (os.path.exists(self.ready) and os.path.getsize(self.ready)):
            if self.process.poll() is not None:
                raise Fault(f"the server ended with {self.process.returncode}: {self.tail()}")
            if time.monotonic() > end:
                raise Fault(f"the server did not start: {self.tail()}")
            time.sleep(0.002)
        return self.find_address()

    def find_address(self):
        """Reads where it listens."""
        self.address = urllib.parse.urlparse(json.load(open(self.ready))["url"]).netloc
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends it in order."""
        self.process.terminate()
        status = self.process.wait(15)
        if status != 0:
            raise Fault(f"the server ended with {status}: {self.tail()}")

    def tail(self):
        return open(self.log, "rb").read()[-1500:].decode("utf-8", "replace")

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Lost(Exception):
    """The connection broke before the answer was whole: nobody knows whether it was done."""


class Refused(Lost):
    """The server said that it cannot save now. What it was asked for may come back with a crash."""


class Caller:
    """One connection of somebody. A new one is made when the server is another one."""

    def __init__(self, site, who="", key=KEY, tenant=TENANT, **members):
        self.site, self.tenant = site, tenant
        self.sso = sso(who, key, **members) if who else None
        self.connection = None

    def connect(self):
        self.close()
        self.connection = http.client.HTTPConnection(self.site.address, timeout=20)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, path, query={}, body=None, headers={}):
        """Status and JSON of the answer."""
        if self.connection is None:
            self.connect()
        query = dict(query, **({"sso": self.sso} if self.sso else {}))
        data = body
        if body is not None and not isinstance(body, bytes):
            data = json.dumps(body).encode()
            headers = {"content-type": "application/json", **headers}
        target = path + "?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        try:
            self.connection.request(method, target, data, headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost(str(error)) from None
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, {"text": text[:300].decode("utf-8", "replace")}

    def upload(self, name="picture.png", page=None):
        content = open(os.path.join(IMAGES, name), "rb").read()
        edge = b"edge-of-a-part"
        body = (b"--" + edge + b'\r\ncontent-disposition: form-data; name="file"; filename="' + name.encode() +
                b'"\r\ncontent-type: image/png\r\n\r\n' + content + b"\r\n--" + edge + b"--\r\n")
        query = {"urlId": page} if page else {}
        return self.ask("POST", f"/upload-image/{self.tenant}", query, body,
                        {"content-type": "multipart/form-data; boundary=" + edge.decode()})


def backend(caller, method, path, body=None):
    """A call of the site's own backend."""
    return caller.ask(method, f"/api/v1/{path}", {"tenantId": caller.tenant}, body, {"x-api-key": KEY})


def hook(site, url):
    """Has the receiver told of everything; what happened is told by the method."""
    caller = Caller(site)
    for event, method in [("comment-created", "PUT"), ("comment-updated", "POST"), ("comment-deleted", "DELETE")]:
        status, answer = backend(caller, "POST", "webhooks", {"url": url, "event": event, "method": method})
        if status != 200:
            raise Fault(f"no webhook: {answer}")
    caller.close()
