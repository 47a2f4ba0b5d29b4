"""Sockets: beside the C floor where there is one."""
import itertools, os, re, subprocess, sys
from bench import cost, costs, middle, per_second, rates
from machine import HERE, Missing, Wrong, memory
from subject import BenchSite

LOAD = os.path.join(HERE, "..", "Load")
numbers = itertools.count()


def fan(bench, port, pids, readers, sockets, writes, seconds, *words):
    return bench.tools.run("fan", "-a", port, "-n", readers, "-S", sockets, "-W", writes, "-t", seconds, "-P", pids, *words,
                           seconds=seconds + 60)


def serving(bench, site, tickets, readers, count, *words, length=20):
    """A run on a page of its own."""
    def run(seconds):
        page = f"room-{next(numbers)}"
        return fan(bench, site.port, site.pids, readers, site.sockets(page, tickets[:readers]),
                   site.posts(count, [page], length), seconds or bench.plan.rooms, *words)
    return run


def bare(bench, site, port, pids, readers, count, size, *words):
    """The same at the floor, with frames of that size."""
    def run(seconds):
        room = f"/room-{next(numbers) % 50}"
        pad = "x" * max(0, int(size) - 4 - len("mark-00000000 "))
        return fan(bench, port, pids, readers, site.file([f"GET {room}"]),
                   site.file(f"POST {room} mark-{number:08d} {pad}" for number in range(count)),
                   seconds or bench.plan.rooms, *words)
    return run


def check(bench, case, results):
    for key, what in (("lost", "lost"), ("doubled", "doubled"), ("refused", "posts refused"), ("closed", "readers sent away"),
                      ("reordered", "out of order"), ("malformed", "malformed frames")):
        if number := sum(r[key] for r in results):
            bench.table.fault(case, f"{number} {what} {next((r['first_bad'] for r in results if r['first_bad']), '')}".strip())


def fanout(bench):
    """posts to 1,000 and 5,000 readers of a page: one at a time, eight at a time, 50 a second"""
    with BenchSite(bench.program) as site:
        tickets = list(site.tickets(5000))
        frame = serving(bench, site, tickets, 100, 300, "-c", 1)(0.5)["frame"]
        for what, readers, least, words, merges in (
                ("fan-out to 1,000 readers, one event at a time", 1000, 0.8, ("-c", 1), False),
                ("fan-out to 5,000 readers, one event at a time", 5000, 0.9, ("-c", 1), False),
                ("fan-out to 1,000 readers, 8 posts in flight", 1000, 0.6, ("-c", 8), True)):
            results = beside_floor(bench, site, tickets, readers, frame, words, merges)
            bench.table.ratio(
                "fanout", what, rates(results["server"]), rates(results["floor"]), least=least, unit="× the floor",
                figures=f"{per_second(results['server'])} at {cost(results['server'])}; floor "
                        f"{per_second(results['floor'])} at {cost(results['floor'])}; frames of {frame:,.0f} bytes")
        results = beside_floor(bench, site, tickets, 1000, frame, ("-r", 50), False)
        late = {name: [r["p99"] for r in results[name]] for name in results}
        bench.table.ratio("fanout", "p99 of delivery at 50,000 deliveries/s", late["server"], late["floor"], most=1.2,
                          unit="× the floor's", figures=f"{middle(late['server']):.2f} ms; floor {middle(late['floor']):.2f} ms; "
                          f"{cost(results['server'])} each; floor {cost(results['floor'])}")


def beside_floor(bench, site, tickets, readers, frame, words, merges):
    count = 20_000 if readers < 5000 else 5_000
    if "-r" in words:
        count = int(50 * bench.plan.rooms * 2)
    with bench.floor(merges) as (port, pids):
        results = bench.turns({"server": serving(bench, site, tickets, readers, count, *words),
                               "floor": bare(bench, site, port, pids, readers, count, frame, *words)}, warms=False)
    check(bench, "fanout", results["server"])
    return results


def stuck(bench):
    """280 readers hear 120 posts a second, alone and beside 20 more who stopped reading"""
    results, peaks = {0: [], 20: []}, {0: [], 20: []}
    for turn in range(min(bench.plan.rounds, 3)):
        for count in (0, 20) if turn % 2 == 0 else (20, 0):
            with BenchSite(bench.program) as site:
                tickets = list(site.tickets(280 + count))
                run = serving(bench, site, tickets, 280 + count, int(120 * bench.plan.stuck), "-r", 120, "-k", count,
                              length=330)
                before = memory(site.process.pid)
                results[count].append(run(bench.plan.stuck))
                peaks[count].append(memory(site.process.pid, "VmHWM") - before)
    check(bench, "stuck", results[0] + results[20])
    late = {count: [r["p99"] for r in results[count]] for count in results}
    bench.table.ratio("stuck", "20 of 300 readers stuck: p99 of the others", late[20], late[0], most=1.3,
                      unit="× that without", figures=f"{middle(late[20]):.2f} ms; without {middle(late[0]):.2f} ms")
    bench.table.add("stuck", "memory for each who is stuck", [max(0.0, a - b) * 1024 / 20 for a, b in zip(peaks[20], peaks[0])],
                    most=256, unit="KiB")
    bench.table.add("stuck", "of those, closed with 1013", [r["told"] for r in results[20]], least=20, unit="of 20",
                    figures=f"{middle([r['ended'] for r in results[20]])} hung up on without a word")


def joins(bench):
    """people who come to a page within seconds, and what they take while they stay"""
    seen = {}
    for count in bench.plan.joins:
        for _ in range(1 if count < 10_000 else min(bench.plan.rounds, 3)):
            done = subprocess.run([sys.executable, LOAD + "/joins", bench.program, str(count)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=120)
            said = re.search(r"joined in [\d.]+ s: ([\d.]+) s of CPU, ([\d.]+) s with what followed, ([\d.-]+) KiB each", done.stdout)
            if not said:
                raise Wrong(f"joins: {done.stderr.strip()[-200:]}")
            seen.setdefault(count, []).append([float(number) for number in said.groups()])
    most = seen[max(seen)]
    bench.table.add("joins", f"{max(seen):,} people join a page within 5 s", [one[1] for one in most], most=2,
                    unit="s of processor", figures=f"{middle([one[0] for one in most]):.2f} s until the last has come")
    each = {count: middle([one[1] for one in seen[count]]) / count * 1e6 for count in seen}
    least = min(seen)
    bench.table.add("joins", f"the same for each of {max(seen):,} against {least:,}", [each[max(seen)] / each[least]], most=1.25,
                    unit="× the processor time", figures="; ".join(f"{count:,}: {each[count]:.0f} µs" for count in seen))
    bench.table.add("joins", "memory per idle socket, person and room known", [one[2] for one in most], most=1.5, unit="KiB")
