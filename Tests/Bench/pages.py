"""Reading pages, beside nginx that serves the same bytes from a file."""
import gzip, http.client, random, shutil
from bench import cost, costs, per_second, rates
from machine import Missing, free_port, nginx
from subject import FIRST, WHOLE, BenchSite, Forum, encoded


def fetch(site, path, headers={}):
    connection = http.client.HTTPConnection(site.address)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def hot(bench):
    """a page of 30 comments, asked for again and again by strangers"""
    with BenchSite(bench.program) as site:
        site.fill_page("hot", 30)
        path = site.page_path("hot")
        bench.beside_nginx("hot", "anonymous hot page of 30 comments", 0.7, fetch(site, path)[1],
                           bench.reader(site.port, site.pids, site.gets([path])), site)


def signed(bench):
    """the same by 16 people who signed on, with votes, flags and blocks of their own on it"""
    with BenchSite(bench.program) as site:
        ids = site.fill_page("hot", 30)
        people = [f"reader-{number}" for number in range(16)]
        for number, who in enumerate(people):
            site.mark("hot", ids, who, number)
        page = fetch(site, site.page_path("hot", who=people[0]))[1]
        paths = [site.page_path("hot", who=who) for who in people]
        bench.beside_nginx("signed", "the same, signed-in readers with votes, flags and blocks on it", 0.2, page,
                           bench.reader(site.port, site.pids, site.gets(paths)), site)


def cold(bench):
    """pages of 30 comments, each asked for once after a start"""
    count, what = bench.plan.pages, "cold page of 30 comments (not in memory)"
    site = Forum(bench.program)
    bench.tell(f"  writing {30 * count:,} comments")
    site.fill(30 * count, count, lambda number: number % count)
    with site:
        order = list(range(count))
        random.Random(2).shuffle(order)
        paths = [site.page_path(f"page-{number}") for number in order]
        page, lists = fetch(site, paths[0])[1], [site.gets(paths[turn::4]) for turn in range(4)]
        turn = 0

        def read(_):
            nonlocal turn
            site.restart()
            turn += 1
            return bench.load(site.port, site.pids, 60, 32, "-R", lists[turn % 4], "-o")

        bench.beside_nginx("cold", what, 0.12, page, read, site)


def thousand(bench):
    """all of a page of 1,000 comments against all of one of 100"""
    with BenchSite(bench.program) as site:
        runs = {}
        for size in (100, 1000):
            site.fill_page(f"page-{size}", size)
            path = site.page_path(f"page-{size}", WHOLE)
            runs[size] = bench.reader(site.port, site.pids, site.gets([path]), 8)
        results = bench.turns(runs)
        bench.check("thousand", results[100] + results[1000])
        bench.table.ratio("thousand", "page of 1,000 comments against 100", costs(results[1000]), costs(results[100]),
                          most=11, unit="× the processor time",
                          figures=f"{cost(results[1000])}; of 100 {cost(results[100])}")


def packed(bench):
    """the hot page for those who take gzip, and files that are known by their tags"""
    with BenchSite(bench.program) as site:
        site.fill_page("hot", 30)
        path = site.page_path("hot")
        for _ in range(3):  # What is read once only is not packed.
            answer, body = fetch(site, path, {"accept-encoding": "gzip"})
        if answer.headers["content-encoding"] != "gzip" or b'"success"' not in gzip.decompress(body):
            bench.table.fault("packed", "a page was not packed for who takes gzip")
        file = site.gets([path])
        results = bench.turns({"plain": bench.reader(site.port, site.pids, file),
                               "gzip": bench.reader(site.port, site.pids, file, 32, "-z")})
        bench.check("packed", results["plain"] + results["gzip"])
        bench.table.ratio("packed", "hot page as gzip, packed once per change", costs(results["gzip"]),
                          costs(results["plain"]), most=3, unit="× the processor time of plain",
                          figures=f"{cost(results['gzip'])}; plain {cost(results['plain'])}; {len(body):,} bytes packed")
        know_tags(bench, site)


def know_tags(bench, site):
    """Asks for a file of the moderators' page again with the tag it came with."""
    answer, body = fetch(site, "/moderate/page.js")
    tag = answer.headers["etag"]
    again, rest = fetch(site, "/moderate/page.js", {"if-none-match": tag or ""})
    good = answer.status == 200 and tag and body and again.status == 304 and not rest
    if not good:
        bench.table.fault("packed", f"a known entity tag was answered {again.status} with {len(rest)} bytes")
    bench.table.add("packed", "304 for a known entity tag", [1.0 if good else 0.0], least=1, unit="of 1")


def tls(bench):
    """the hot page over one kept connection, with TLS and without"""
    with BenchSite(bench.program) as site:
        site.stop()
        site.command("dev-cert", "--out", site.folder + "/certificates", "127.0.0.1")
        port = free_port()
        certificates = site.folder + "/certificates/server"
        site.start(arguments=("--tls-cert", certificates + ".pem", "--tls-key", certificates + "-key.pem",
                              "--tls-port", str(port)))
        site.fill_page("hot", 30)
        file = site.gets([site.page_path("hot")])

        def ask(port, *words):
            return lambda seconds: bench.tools.run(
                "kept", "-a", port, "-R", file, "-P", site.pids, "-t", seconds or bench.plan.reading * 2 / 3, *words)

        results = bench.turns({"plain": ask(site.port), "tls": ask(port, "-T")})
        bench.check("tls", results["plain"] + results["tls"])
        bench.table.ratio("tls", "TLS: hot page over one kept connection", rates(results["tls"]), rates(results["plain"]),
                          least=0.6, unit="× the plain rate",
                          figures=f"{per_second(results['tls'])} at {cost(results['tls'])}; plain "
                          f"{per_second(results['plain'])} at {cost(results['plain'])}; {results['tls'][0]['protocol']}")
