"""The report as one HTML page that needs nothing else: no script, no font, no picture fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from strad.counted import counted
from strad_eval.material import Programme
from strad_eval.reports.document import Document
from strad_eval.reports.svg import bars, histogram, timeline
from strad_eval.reports.table import ARROWS, MAIN, made_with, readings_line
from strad_eval.reports.wording import caveats, groups, headline, shown, shown_part

STYLE = """
:root{color-scheme:light dark;--ink:#1c1c1c;--paper:#fff;--soft:#667;--line:#ccd;--ref:#0072b2;
--pred:#d55e00;--speech:#9aa}
@media(prefers-color-scheme:dark){:root{--ink:#eee;--paper:#16181c;--soft:#aab;--line:#445;
--ref:#56b4e9;--pred:#e69f00;--speech:#667}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:2rem auto;
max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}caption{text-align:left;font-weight:bold}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
th:first-child,td:first-child,.text td{text-align:left}.doubt{border-left:4px solid var(--pred);
padding-left:.7rem}.soft{color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
svg{width:100%;height:auto;font-size:13px}svg text{fill:var(--ink)}.label{text-anchor:end}
.bar,.ref{fill:var(--ref)}.pred{fill:var(--pred)}.speech{fill:var(--speech)}
.axis{stroke:var(--line)}.key span{padding:0 .5rem;margin-right:1rem;border-left:1rem solid}
.scroll{overflow-x:auto}summary{cursor:pointer}
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
GENRE_FIGURES = ("soda", "cider", "meteor", "recall", "precision", "ol")
TIMING_REACH_S, TIMING_STEP_S = 10.0, 0.5


def html(document: Document, programmes: Sequence[Programme]) -> str:
    """The whole page. Every text from a file is escaped."""
    name = escape(document["name"])
    body = [
        f"<h1>{name}</h1>",
        *(f"<p>{escape(line)}</p>" for line in headline(document)),
        *(f'<p class="doubt">{escape(line)}</p>' for line in caveats(document)),
        *_figures(document),
        *_by(document, "Genre", "by_genre"),
        *_genre_plots(document),
        *_by(document, "Video", "by_video"),
        *_timing(document),
        *_timelines(programmes),
        *_pairs(document),
        *_provenance(document),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{name}: audio description scores</title><style>{STYLE}</style></head><body><main>"
        + "\n".join(body)
        + "</main></body></html>\n"
    )


def _figures(document: Document) -> Iterable[str]:
    for group, figures in groups(document).items():
        at = next((list(f["by_threshold"]) for _, f in figures if "by_threshold" in f), [])
        head = ["Figure", "Better", "Value", *(f"at {threshold}" for threshold in at)]
        rows = []
        for _, figure in figures:
            parts = figure.get("by_threshold", {})
            better = f"{figure['better']} {ARROWS[figure['better']]}".strip()
            cells = [shown_part(figure, parts[t]) if t in parts else "" for t in at]
            rows.append([figure["title"], better, shown(figure), *cells])
        yield _table(group, head, rows)


def _by(document: Document, what: str, key: str) -> Iterable[str]:
    main = [document["figures"][name] for name in MAIN if name in document["figures"]]
    if main and main[0][key]:
        rows = [
            [part, *(shown_part(figure, figure[key].get(part)) for figure in main)]
            for part in main[0][key]
        ]
        yield _table(f"By {what.lower()}", [what, *(figure["title"] for figure in main)], rows)


def _genre_plots(document: Document) -> Iterable[str]:
    for name in GENRE_FIGURES:
        figure = document["figures"].get(name)
        if figure and len(figure["by_genre"]) > 1:
            values = [
                (genre, None if value is None else value * figure["shown_times"])
                for genre, value in figure["by_genre"].items()
            ]
            title = f"{figure['title']} by genre"
            yield f"<h3>{escape(title)}</h3>{bars(values, title)}"


def _timing(document: Document) -> Iterable[str]:
    pairs = document["matched"]
    if not pairs:
        return
    yield "<h2>Timing errors</h2><p>Of matched descriptions, against their reference:"
    yield " below 0 is early, above 0 is late.</p>"
    for index, what in ((0, "Start"), (1, "End")):
        errors = [pair["prediction"][index] - pair["reference"][index] for pair in pairs]
        yield f"<h3>{what}</h3>"
        yield histogram(errors, TIMING_STEP_S, TIMING_REACH_S, f"{what} errors", "s")


def _timelines(programmes: Sequence[Programme]) -> Iterable[str]:
    yield "<h2>Timelines</h2>"
    yield '<p class="key"><span class="k" style="border-color:var(--ref)">Reference</span>'
    yield '<span style="border-color:var(--pred)">Prediction</span>'
    yield '<span style="border-color:var(--speech)">Speech</span>Rows of five minutes.</p>'
    for index, programme in enumerate(programmes):
        lanes = [
            ("ref", [((e.start, e.end), e.text) for e in programme.references]),
            ("pred", [((e.start, e.end), e.text) for e in programme.predictions]),
            ("speech", [(span, "") for span in programme.speech or ()]),
        ]
        drawn = timeline(programme.duration, lanes, f"Timeline of {programme.id}")
        opened = " open" if index == 0 else ""
        yield f"<details{opened}><summary>{escape(programme.id)}</summary>{drawn}</details>"


def _pairs(document: Document) -> Iterable[str]:
    yield "<h2>Matched pairs</h2>"
    by_video: dict[str, list[Document]] = {}
    for pair in document["matched"]:
        by_video.setdefault(pair["video"], []).append(pair)
    for video, pairs in by_video.items():
        rows = [_pair(pair) for pair in pairs]
        head = ["Starts", "Reference", "Starts", "Prediction", "IoU", "METEOR"]
        table = _table(counted(len(pairs), "pair"), head, rows, "text")
        yield f"<details><summary>{escape(video)}</summary>{table}</details>"


def _pair(pair: Document) -> list[str]:
    worth = "\u2013" if pair["meteor"] is None else f"{pair['meteor']:.2f}"
    (start, _, text), (at, _, said) = pair["reference"], pair["prediction"]
    return [f"{start:.2f}", text, f"{at:.2f}", said, f"{pair['iou']:.2f}", worth]


def _provenance(document: Document) -> Iterable[str]:
    yield f'<h2>Readings</h2><p class="soft">{escape(readings_line(document))}</p>'
    for name, entry in document["inputs"].items():
        said = f"{name}: {entry['file']}, SHA-256 {entry['sha256']}"
        yield f'<p class="soft">{escape(said)}</p>'
    for line in made_with(document):
        yield f'<p class="soft">{escape(line)}</p>'


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    header = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f'<div class="scroll"><table class="{kind}"><caption>{escape(title)}</caption>'
        f"<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table></div>"
    )
