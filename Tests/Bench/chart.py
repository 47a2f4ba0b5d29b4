"""Lines on scales of powers of ten, as an SVG that needs no script, follows light and dark, and can be read out."""
import html, math

WIDTH, PANEL, LEFT, TOP, FIELD, HIGH = 800, 400, 64, 48, 190, 150
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f } .name { font-weight: 600; font-size: 13px } .small { font-size: 11px }
.grid { stroke: #d0d7de; stroke-width: 1 } .line { fill: none; stroke-width: 2 } .ground { fill: #ffffff }
.l0 { stroke: #0550ae } .l1 { stroke: #a0400a; stroke-dasharray: 7 3 } .l2 { stroke: #116329; stroke-dasharray: 2 3 }
.l3 { stroke: #7a2fbf; stroke-dasharray: 9 3 2 3 } .dot { stroke-dasharray: none; stroke-width: 2; fill: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .grid { stroke: #3d444d } .ground, .dot { fill: #0d1117 }
.l0 { stroke: #79c0ff } .l1 { stroke: #ffa657 } .l2 { stroke: #7ee787 } .l3 { stroke: #d2a8ff } }
"""


def power(number):
    return f"{10 ** number:,}" if number >= 0 else f"{10.0 ** number:g}"


def draw(panels, title):
    """`panels` are pairs of a name and lines; a line is a name, points of (n, µs), and the fitted exponent."""
    rows = (len(panels) + 1) // 2
    height = 40 + rows * (TOP + HIGH + 40)
    told = "; ".join(f"{name}: " + ", ".join(f"{line} from {points[0][1]:.3g} µs at {points[0][0]:,} to {points[-1][1]:.3g} µs "
                     f"at {points[-1][0]:,}, exponent {exponent:.2f}" for line, points, exponent in lines)
                     for name, lines in panels)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
             f'aria-labelledby="title desc">', f'<title id="title">{html.escape(title)}</title>',
             f'<desc id="desc">{html.escape(told)}.</desc>', f"<style>{STYLE}</style>",
             f'<rect class="ground" width="{WIDTH}" height="{height}" rx="6"/>',
             f'<text class="name" x="12" y="24">{html.escape(title)}</text>']
    for number, (name, lines) in enumerate(panels):
        parts += panel(name, lines, number % 2 * PANEL, 40 + number // 2 * (TOP + HIGH + 40))
    return "\n".join(parts + ["</svg>"]) + "\n"


def panel(name, lines, x, y):
    ns = [n for _, points, _ in lines for n, _ in points]
    costs = [cost for _, points, _ in lines for _, cost in points]
    first, last = math.floor(math.log10(min(ns))), math.ceil(math.log10(max(ns)))
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)) + 1e-9)
    high = max(high, low + 1)
    across = lambda n: x + LEFT + (math.log10(n) - first) / max(last - first, 1) * FIELD
    up = lambda cost: y + TOP + HIGH - (math.log10(cost) - low) / (high - low) * HIGH
    yield f'<text class="name" x="{x + 12}" y="{y + 16}">{html.escape(name)}</text>'
    yield f'<text class="small" x="{x + 12}" y="{y + 33}">µs of processor for a read</text>'
    for step in range(low, high + 1):
        at = up(10.0 ** step)
        yield f'<line class="grid" x1="{x + LEFT}" x2="{x + LEFT + FIELD}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text class="small" text-anchor="end" x="{x + LEFT - 5}" y="{at + 4:.1f}">{power(step)}</text>'
    for step in range(first, last + 1):
        yield (f'<text class="small" text-anchor="middle" x="{across(10 ** step):.1f}" y="{y + TOP + HIGH + 17}">'
               f'{power(step)}</text>')
    taken = []
    for number, (line, points, exponent) in sorted(enumerate(lines), key=lambda each: -each[1][1][-1][1]):
        path = " ".join(f"{across(n):.1f},{up(cost):.1f}" for n, cost in points)
        yield f'<polyline class="line l{number}" points="{path}"/>'
        for n, cost in points:
            yield f'<circle class="dot l{number}" cx="{across(n):.1f}" cy="{up(cost):.1f}" r="2.5"/>'
        at = up(points[-1][1]) + 4
        at = max([at, *(place + 28 for place in taken[-1:])])
        taken.append(at)
        beside = across(points[-1][0]) + 8
        yield f'<text class="small" x="{beside:.1f}" y="{at:.1f}">{html.escape(line)}</text>'
        yield f'<text class="small" x="{beside:.1f}" y="{at + 13:.1f}">n^{exponent:.2f}</text>'
