"""Posting, beside SQLite alone, and posting among reads, beside nginx."""
import sqlite3
from bench import middle, per_second, rates
from machine import Missing
from pages import fetch
from subject import BenchSite

PAGES = [f"page-{number}" for number in range(50)]


def posts(bench):
    """64 connections post to 50 pages as fast as they are answered, then at half that rate"""
    with BenchSite(bench.program) as site:
        done, paced = [], []

        def run(seconds, *words, count):
            file = site.posts(count, PAGES)
            done.append(bench.load(site.port, site.pids, seconds, 64, "-W", file, *words))
            return done[-1]

        def top(seconds):
            seconds = seconds or bench.plan.writing
            best = run(seconds, count=int(seconds * (1.5 * max(rates(done), default=4000))) + 1000)
            if seconds == bench.plan.writing:
                half = best["rate"] / 2
                paced.append(run(bench.plan.pace, "-r", half, count=int(half * bench.plan.pace) + 100))
            return best

        def alone(seconds):
            return bench.tools.run("sqlfloor", site.folder + "/floor.db", 64, seconds or bench.plan.writing * 2 / 3)

        results = bench.turns({"server": top, "sqlite": alone})
        bench.check("posts", done)
        ours, theirs = results["server"], results["sqlite"]
        bench.table.ratio(
            "posts", "durable posts, 64 connections, full pipeline", rates(ours), rates(theirs), least=0.25,
            unit="× SQLite's rows/s",
            figures=f"{per_second(ours)} at {middle([r['cost'] for r in ours]):.3g} µs; SQLite {per_second(theirs)} in "
                    f"transactions of 64, at {middle([r['cost'] for r in theirs]):.3g} µs")
        bench.table.add("posts", "p99 of posts at half the top rate", [r["writes"]["p99"] for r in paced], most=10,
                        unit="ms", figures=f"p50 {middle([r['writes']['p50'] for r in paced]):.2f} ms")
        count_again(bench, site, done)


def count_again(bench, site, done):
    """Whatever was acknowledged is there once, and pages count what is there."""
    counted = sum(site.page(page)["commentCount"] for page in PAGES)
    site.stop()
    with sqlite3.connect(site.database) as database:
        rows, texts = database.execute("SELECT count(*), count(DISTINCT source) FROM comment").fetchone()
    site.start()
    good, unknown = sum(r["good"] for r in done), sum(r["unanswered"] for r in done)
    if not (rows == texts == counted and good <= rows <= good + unknown):
        bench.table.fault("posts", f"{good} posts were acknowledged, {rows} are there, {texts} of them different, "
                                   f"{counted} counted")


def mixed(bench):
    """19 reads and one post by turns, on 50 pages of 30 comments"""
    with BenchSite(bench.program) as site:
        filled = bench.load(site.port, site.pids, 60, 64, "-W", site.posts(30 * len(PAGES), PAGES))
        bench.check("mixed", [filled])
        reads = site.gets(site.page_path(page) for page in PAGES)
        done = []

        def run(seconds):
            seconds = seconds or bench.plan.reading
            file = site.posts(int(seconds * 5000) + 500, PAGES)
            done.append(bench.load(site.port, site.pids, seconds, 32, "-R", reads, "-W", file, "-s", 5))
            return done[-1]

        bench.beside_nginx("mixed", "mixed: 95 % reads, 5 % posts", 0.4, fetch(site, site.page_path(PAGES[0]))[1], run, site)
        bench.check("mixed", done)
        for kind in ("reads", "writes"):
            bench.table.add("mixed", f"mixed: p99 of {kind}", [r[kind]["p99"] for r in done[1:]], unit="ms",
                            figures=f"p50 {middle([r[kind]['p50'] for r in done]):.2f} ms")
