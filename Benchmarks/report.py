"""Gathers what was measured, says it as tables, and draws it."""

import dataclasses
import html
import math
import pathlib


@dataclasses.dataclass
class Line:
    """One comparison. `figure` is ours by theirs, or how many times the base; `must` and `aim` are its bounds."""

    part: str
    work: str
    against: str
    ours: str
    theirs: str
    figure: float | None
    must: float | None
    aim: float | None
    higher_is_better: bool = True
    # How the aim is said, where it is no ratio.
    aim_words: str = ""

    @property
    def is_missed(self) -> bool:
        return self.must is not None and self.figure is not None and not self._meets(self.must)

    def _meets(self, bound: float) -> bool:
        return self.figure >= bound if self.higher_is_better else self.figure <= bound

    @property
    def verdict(self) -> str:
        if self.figure is None or self.must is None:
            return ""
        if self.is_missed:
            return "MISSED"
        return "reached, and the aim" if self.aim is not None and self._meets(self.aim) else "reached"

    def bound(self, value: float | None) -> str:
        if value is None:
            return ""
        return f"{'≥' if self.higher_is_better else '≤'} {value:g}"


class Report:
    def __init__(self):
        self.lines: list[Line] = []
        self.notes: list[tuple[str, str]] = []

    def add(self, line: Line) -> None:
        self.lines.append(line)
        figure = "" if line.figure is None else f"{line.figure:.2f}"
        print(f"  {line.work} / {line.against}: {line.ours} / {line.theirs}: {figure} "
              f"(must {line.bound(line.must)}) {line.verdict}", flush=True)

    def note(self, part: str, text: str) -> None:
        """A sentence below the table of a part."""
        self.notes.append((part, text))
        print(f"  {text}", flush=True)

    @property
    def missed(self) -> list[str]:
        return [f"{line.work}: {line.figure:.2f}, must {line.bound(line.must)}" for line in self.lines if line.is_missed]

    def markdown(self) -> str:
        out = []
        for part in dict.fromkeys(line.part for line in self.lines):
            out += [f"### {part}", "", "| work | against | restored | the other | figure | must | aim | |"]
            out += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"]
            for line in self.lines:
                if line.part == part:
                    figure = "" if line.figure is None else f"**{line.figure:.2f}**"
                    out.append(f"| {line.work} | {line.against} | {line.ours} | {line.theirs} | {figure} "
                               f"| {line.bound(line.must)} | {line.aim_words or line.bound(line.aim)} | {line.verdict} |")
            out += ["", *(text for of, text in self.notes if of == part), ""]
        return "\n".join(out)

    def draw(self, path: pathlib.Path, parts: list[str], title: str) -> None:
        """Writes bars on a logarithmic scale: the figure of each line, and a mark where it must be."""
        lines = [line for line in self.lines if line.part in parts and line.figure]
        if lines:
            path.write_text(_drawing(lines, title))


LABEL, WIDTH, ROW, TOP = 720, 400, 22, 56


def _drawing(lines: list[Line], title: str) -> str:
    values = [value for line in lines for value in (line.figure, line.must, line.aim) if value]
    low, high = math.log10(min(values) * 0.8), math.log10(max(values) * 1.25)

    def x(value: float) -> float:
        return LABEL + (math.log10(value) - low) / (high - low) * WIDTH

    height = TOP + ROW * len(lines) + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + WIDTH + 90}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="22" font-size="15">{html.escape(title)}</text>',
        f'<text x="12" y="42" fill="#555">bar: measured · line: must · dots: aim · red: missed</text>',
    ]
    if low < 0 < high:
        out.append(f'<line x1="{x(1):.1f}" x2="{x(1):.1f}" y1="{TOP - 6}" y2="{height - 10}" stroke="#bbb"/>')
    for index, line in enumerate(lines):
        top = TOP + index * ROW
        start = x(1) if low < 0 < high else LABEL
        left, right = sorted((start, x(line.figure)))
        colour = "#c0392b" if line.is_missed else "#2e7d5b"
        label = f"{line.work} / {line.against}" if line.against else line.work
        out.append(f'<text x="{LABEL - 8}" y="{top + 14}" text-anchor="end">{html.escape(label[:114])}</text>')
        out.append(f'<rect x="{left:.1f}" y="{top + 3}" width="{max(right - left, 1):.1f}" height="14" fill="{colour}"/>')
        for bound, dash in ((line.must, ""), (line.aim, ' stroke-dasharray="2 2"')):
            if bound:
                out.append(f'<line x1="{x(bound):.1f}" x2="{x(bound):.1f}" y1="{top + 1}" y2="{top + 19}" '
                           f'stroke="#222"{dash}/>')
        out.append(f'<text x="{LABEL + WIDTH + 8}" y="{top + 14}">{line.figure:.2f}</text>')
    return "\n".join([*out, "</svg>", ""])
