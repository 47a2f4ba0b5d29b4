"""What was promised, what was seen, and whether that is enough."""
import json, statistics, sys


def short(number):
    if number >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}"


class Table:
    def __init__(self):
        self.rows, self.faults = [], []

    def add(self, case, what, values, least=None, most=None, unit="", figures=""):
        """A line whose goal holds for the middle of the values; without a goal it only tells."""
        middle = statistics.median(values)
        is_met = (least is None or middle >= least) and (most is None or middle <= most)
        must = f"≥ {least} {unit}" if least is not None else f"≤ {most} {unit}" if most is not None else ""
        self.rows.append({
            "case": case, "what": what, "must": must.strip(), "seen": middle, "from": min(values), "to": max(values),
            "unit": unit, "met": is_met if must else None, "figures": figures})

    def ratio(self, case, what, ours, theirs, least=None, most=None, unit="", figures=""):
        """The same of quotients, round by round: what drifts, drifts for both."""
        pairs = [a / b for a, b in zip(ours, theirs) if b]
        if pairs:
            self.add(case, what, pairs, least, most, unit, figures)

    def absent(self, case, what, reason):
        self.rows.append({"case": case, "what": what, "must": "", "seen": None, "met": None, "figures": str(reason)})

    def fault(self, case, text):
        self.faults.append(f"{case}: {text}")

    def text(self):
        lines = ["| what | must | seen | spread | | figures |", "|---|---|---|---|---|---|"]
        for row in self.rows:
            seen = "not measured" if row["seen"] is None else f"{short(row['seen'])} {row['unit']}".strip()
            spread = "" if row["seen"] is None else f"{short(row['from'])} – {short(row['to'])}"
            verdict = {True: "ok", False: "**missed**", None: ""}[row["met"]]
            lines.append(f"| {row['what']} | {row['must']} | {seen} | {spread} | {verdict} | {row['figures']} |")
        lines += ["", *(f"FAULT: {fault}" for fault in self.faults)]
        return "\n".join(lines).rstrip()

    def finish(self, **besides):
        """Prints all, and gives the status to end with: 1 after a fault, 2 when a goal was missed."""
        print(self.text())
        print()
        print(json.dumps({**besides, "rows": self.rows, "faults": self.faults}, ensure_ascii=False))
        missed = [row["what"] for row in self.rows if row["met"] is False]
        if missed:
            print("missed: " + "; ".join(missed), file=sys.stderr)
        return 1 if self.faults else 2 if missed else 0
