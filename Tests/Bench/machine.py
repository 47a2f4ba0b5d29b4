"""The programs that are measured beside the server, those that measure, and the machine they run on."""
import contextlib, ctypes, json, os, platform, shutil, signal, socket, sqlite3, subprocess, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = {"load": [], "fan": [], "floor": [], "sqlfloor": ["-lsqlite3"], "kept": ["-lssl", "-lcrypto"]}


class Missing(Exception):
    """What a figure needs and is not there."""


class Wrong(Exception):
    """An answer that was refused, or a measurement that failed."""


def end_with_parent():
    """Has a child end when this process does, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Tools:
    """The C programs of this folder, made when first asked for."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        made = f"{self.folder}/{name}"
        if not os.path.exists(made):
            compiler = shutil.which("gcc") or shutil.which("cc")
            if not compiler:
                raise Missing("no C compiler; `make bench-tools` installs one")
            done = subprocess.run([compiler, "-O2", "-o", made, f"{HERE}/{name}.c", *LIBRARIES[name]],
                                  stderr=subprocess.PIPE, text=True)
            if done.returncode:
                raise Missing(f"{name}.c cannot be made: {(done.stderr.strip().splitlines() or ['?'])[0]}")
        return made

    def run(self, name, *words, seconds=30):
        """Runs one to its end; what its line of JSON says."""
        try:
            done = subprocess.run([self.path(name), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, timeout=seconds + 60, preexec_fn=end_with_parent)
        except subprocess.TimeoutExpired:
            raise Wrong(f"{name} did not end") from None
        if done.returncode:
            raise Wrong(f"{name} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return json.loads(done.stdout)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(process, port, what):
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.005)
    raise Missing(f"{what} does not listen")


@contextlib.contextmanager
def child(words, what, port):
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
    try:
        await_port(process, port, what)
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def nginx(folder, page):
    """nginx with a configuration of its own, serving one file. Gives its port and the processes of its workers."""
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        raise Missing("nginx is not installed; `make bench-tools` does that")
    with tempfile.TemporaryDirectory(dir=folder) as home:
        os.chmod(home, 0o755)
        os.makedirs(home + "/site")
        with open(home + "/site/page.json", "wb") as file:
            file.write(page)
        port = free_port()
        places = " ".join(f"{kind}_temp_path {home}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(home + "/nginx.conf", "w") as file:
            file.write(
                f"{'user root;' if os.geteuid() == 0 else ''} daemon off; worker_processes 1; pid {home}/pid;\n"
                f"error_log {home}/errors; events {{ worker_connections 2048; }}\n"
                f"http {{ {places} access_log off; sendfile on; tcp_nopush on; open_file_cache max=100;\n"
                f"keepalive_requests 1000000000; keepalive_timeout 600; default_type application/json;\n"
                f"server {{ listen 127.0.0.1:{port} backlog=1024; root {home}/site; }} }}\n")
        with child([program, "-p", home, "-c", home + "/nginx.conf", "-e", home + "/errors"], "nginx", port) as process:
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
                yield port, ",".join(file.read().split())


@contextlib.contextmanager
def floor(tools, merges=False):
    """The C floor of rooms. Gives its port and process."""
    port = free_port()
    with child([tools.path("floor"), "-a", str(port), *(["-m"] if merges else [])], "the floor", port) as process:
        yield port, str(process.pid)


def processor(pid):
    """Seconds of processor that a process used, in nanoseconds' grain."""
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid, which="VmRSS"):
    """MiB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(which + ":")) / 1024


def said_by(*words):
    with contextlib.suppress(OSError):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=HERE)
        if done.returncode == 0:
            return done.stdout.strip()
    return "unknown"


def facts(folder):
    """What to know beside the figures."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    nginx = said_by(shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin") or "nginx", "-v")
    swift = said_by("swift", "--version").splitlines()
    return {
        "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()) + " UTC", "processor": model, "cores": os.cpu_count(),
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "kernel": platform.release(), "files": said_by("stat", "-f", "-c", "%T", folder),
        "swift": next((line.split("version ")[1].split(" ")[0] for line in swift if "version " in line), "unknown"),
        "nginx": nginx.rpartition("/")[2], "sqlite": sqlite3.sqlite_version,
        "commit": said_by("git", "describe", "--always", "--dirty", "--exclude", "*"), "load": round(os.getloadavg()[0], 2),
    }
