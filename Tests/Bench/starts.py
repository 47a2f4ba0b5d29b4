"""How soon a server answers after it was started, and what it takes then."""
import http.client, os, subprocess, time
from bench import middle
from machine import Wrong, end_with_parent, free_port, memory
from subject import BenchSite, Forum


def begin(site):
    """Milliseconds until the first answer, and MiB half a second later."""
    port, start = free_port(), time.perf_counter()
    process = subprocess.Popen([site.program, "serve", "--data", site.data, "--port", str(port)], env=site.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        took = first_answer(process, port, start) * 1e3
        time.sleep(0.5)
        return took, memory(process.pid)
    finally:
        process.terminate()
        process.wait()


def first_answer(process, port, start):
    while process.poll() is None and time.perf_counter() < start + 20:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return time.perf_counter() - start
        except OSError:
            time.sleep(0.0003)
        finally:
            connection.close()
    raise Wrong("a server did not start")


def start(bench):
    """from the start of the process to its first answer, and its memory"""
    empty = BenchSite(bench.program)
    full = Forum(bench.program)
    try:
        bench.tell(f"  writing {bench.plan.total:,} comments")
        full.fill(bench.plan.total, 5000, None)
        seen = bench.turns({"empty": lambda _: begin(empty), "full": lambda _: begin(full)}, rounds=bench.plan.starts)
    finally:
        empty.remove()
        full.remove()
    bench.table.add("start", "start to first answer, empty", [took for took, _ in seen["empty"]], most=20, unit="ms")
    bench.table.add("start", f"the same with {bench.plan.total:,} comments", [took for took, _ in seen["full"]], most=50,
                    unit="ms")
    bench.table.add("start", "resident memory at the start", [size for _, size in seen["empty"]], most=15, unit="MiB",
                    figures=f"with {bench.plan.total:,} comments {middle([size for _, size in seen['full']]):.1f} MiB")
