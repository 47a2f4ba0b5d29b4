"""What all measurements share: how long they take, and how they take turns."""
import dataclasses, sys
from machine import Missing, Tools, floor, nginx
from table import Table


@dataclasses.dataclass
class Plan:
    """How much is measured; seconds where nothing else is said."""
    rounds: int = 5
    reading: float = 3    # One run of reads.
    writing: float = 3
    pace: float = 5       # One run at half of the top rate.
    rooms: float = 4      # One run of posts to sockets.
    stuck: float = 12
    pages: int = 8_000   # That are read cold, each once.
    starts: int = 9
    total: int = 1_000_000  # Comments of the large start.
    joins: tuple = (2_500, 5_000, 10_000)


QUICK = Plan(rounds=1, reading=1, writing=1, pace=2, rooms=1.5, stuck=10, pages=3_000, starts=3, total=50_000,
             joins=(2_500, 10_000))


class Bench:
    def __init__(self, program, plan, folder):
        self.program, self.plan, self.folder = program, plan, folder
        self.tools, self.table = Tools(folder), Table()

    def turns(self, runs, rounds=None, warms=True):
        """Has each of the runs its turn in every round, in every other round backwards. The results of each by name."""
        results = {name: [] for name in runs}
        if warms:
            for run in runs.values():
                run(0.3)
        for number in range(rounds or self.plan.rounds):
            for name in list(runs)[:: -1 if number % 2 else 1]:
                results[name].append(runs[name](None))
        return results

    def load(self, port, pids, seconds, connections, *words):
        return self.tools.run("load", "-a", port, "-P", pids, "-t", seconds, "-c", connections, *words, seconds=seconds)

    def reader(self, port, pids, file, connections=32, *words):
        """A run for `turns` that reads what the file lists."""
        return lambda seconds: self.load(port, pids, seconds or self.plan.reading, connections, "-R", file, *words)

    def beside_nginx(self, case, what, least, page, runs, site):
        """Compares runs of the server, the first of which has a goal, with nginx that serves a page."""
        try:
            with nginx(self.folder, page) as (port, pids):
                peer = self.reader(port, pids, site.file(["GET /page.json"]))
                results = self.turns({"server": runs, "nginx": peer})
        except Missing as reason:
            return self.table.absent(case, what, reason)
        ours, theirs = results["server"], results["nginx"]
        self.check(case, ours)
        self.table.ratio(case, what, rates(ours), rates(theirs), least=least, unit="× nginx",
                         figures=f"{per_second(ours)} at {cost(ours)}; nginx {per_second(theirs)} at {cost(theirs)}")

    def check(self, case, results):
        """Tells of answers that were not as they should be."""
        wrong = sum(r["bad"] + r["unanswered"] for r in results)
        if wrong:
            first = next((r["first_bad"] for r in results if r["first_bad"]), "")
            self.table.fault(case, f"{wrong} answers were refused or missing, the first: {first}")

    def floor(self, merges=False):
        return floor(self.tools, merges)

    def tell(self, text):
        print(text, file=sys.stderr, flush=True)


def rates(results):
    return [r["rate"] for r in results]


def costs(results):
    return [r["cost"] for r in results]


def middle(numbers):
    return sorted(numbers)[len(numbers) // 2]


def per_second(results):
    return f"{middle(rates(results)):,.0f}/s"


def cost(results):
    return f"{middle(costs(results)):.3g} µs"
