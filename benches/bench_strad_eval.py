"""strad-eval against the reference way: seconds for 33 videos, 22 h, 9,000 + 9,000 events.

The other side is our own plain rewrite of the reference programs' procedure
(tests/strad_eval/plain.py): the full METEOR matrix through the jar, one pair at a time, SODA's
recursion at each threshold, densevid_eval's scoring of each video at each threshold with the
tokenizer jar started for it. It runs on a tenth of the set and is extrapolated: everything but
METEOR's load grows with the set. In one run, on one machine; other load slows both.

Then: our memory, and time over the number of events in one video, 2,500 to 10,000.

Exit status: 0 all targets met, 1 one missed, 2 something it needs is missing.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from strad_eval.java import MissingJavaError, find_jars
from strad_eval.readings import STRAD
from strad_eval.scoring import Choice, Files, score_files
from strad_eval.tokens.ptb import tokenize
from strad_eval.unit import Event, Unit
from tests.strad_eval.plain import caption_scores, pairs_at, recall_precision, soda_f

FASTER = 20.0
MOST_MB = 500.0
MOST_BENT = 1.5
"""How much longer an event may take in a video of 10,000 than in one of 2,500."""
VIDEOS, EVENTS, HOURS, TENTH = 33, 9_000, 22.0, 10

SUBJECTS = "He|She|The man|A woman|The detective|Anna|A boy in red|Two soldiers|The old man|They"
VERBS = "walks|runs|looks|turns|steps|climbs|stares|leans|crawls|sits|stands|smiles|nods|reaches"
PLACES = (
    "into the room|out of the window|across the wet street|towards the door|at the empty chair"
    "|behind the car|over the bridge|down the narrow stairs|along the beach|through the crowd"
)
ENDS = "||, then stops|, holding a letter|and shakes his head|with a lamp in her hand|in silence"


def main() -> int:
    """Measure, print, judge."""
    try:
        find_jars()
    except MissingJavaError as error:
        print(f"needs METEOR: {error}")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> int:
    tenth = write_set(folder / "tenth", VIDEOS // TENTH, EVENTS // TENTH, HOURS / TENTH)
    whole = write_set(folder / "whole", VIDEOS, EVENTS, HOURS)
    theirs, load = reference_way(tenth)
    extrapolated = (theirs - load) * TENTH + load
    ours = _apart(whole)
    ratio = extrapolated / ours["seconds"]
    print(f"reference way, a tenth: {theirs:.1f} s, of which METEOR's load {load:.1f} s")
    print(f"reference way, extrapolated: {extrapolated:.0f} s")
    print(f"strad-eval, all of it: {ours['seconds']:.1f} s")
    print(f"times faster: {ratio:.1f} (at least {FASTER:.0f})")
    print(f"memory of our process: {ours['mb']:.0f} MB (at most {MOST_MB:.0f})")
    small = _apart(write_set(folder / "small", 1, 2_500, 6.1), "chunk_s=0")
    large = _apart(write_set(folder / "large", 1, 10_000, 24.4), "chunk_s=0")
    bent = (large["own"] / 10_000) / (small["own"] / 2_500)
    print(
        f"one video of 2,500 events: {small['own']:.2f} s of our CPU; of 10,000: {large['own']:.2f}"
        f" s; an event takes {bent:.2f} times as long (at most {MOST_BENT})"
    )
    met = ratio >= FASTER and ours["mb"] <= MOST_MB and bent <= MOST_BENT
    print("all targets met" if met else "a target is missed")
    return 0 if met else 1


def write_set(folder: Path, videos: int, events: int, hours: float) -> Files:
    """A manifest and predictions near it, always the same: about 2.7 s an event, as StrAD's."""
    folder.mkdir()
    draw = random.Random(6)
    listed: list[dict[str, Any]] = []
    said: list[str] = []
    for video in range(videos):
        count = events // videos + (video < events % videos)
        step = hours * 3600 / videos / count
        ad, lines = [], []
        for n in range(count):
            start = n * step + draw.uniform(0, step * 0.4)
            end = start + draw.uniform(1.2, 4.2)
            text = sentence(draw)
            ad.append({"start": start, "end": end, "text": text})
            lines.append({"start": end + 0.2, "end": end + step * 0.3, "text": "so they say"})
            at = max(0.0, start + draw.gauss(0, 1.5))
            guess = text if draw.random() < 0.1 else sentence(draw)
            event = {"video_id": f"v{video}", "start": at, "end": at + draw.uniform(1.2, 4.2)}
            said.append(json.dumps({**event, "text": guess}))
        duration, genre = hours * 3600 / videos + 10, f"genre {video % 5}"
        entry = {"id": f"v{video}", "duration": duration, "genre": genre, "ad": ad}
        listed.append({**entry, "transcript": lines})
    manifest = {"version": 1, "name": folder.name, "videos": listed}
    (folder / "refs.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "preds.jsonl").write_text("\n".join(said) + "\n", encoding="utf-8")
    return Files(folder / "refs.json", folder / "preds.jsonl")


def sentence(draw: random.Random) -> str:
    """A description of 4 to 12 words."""
    parts = (draw.choice(of.split("|")) for of in (SUBJECTS, VERBS, PLACES, ENDS))
    return " ".join(" ".join(parts).replace(" ,", ",").split()) + "."


def reference_way(files: Files) -> tuple[float, float]:
    """Seconds that it takes, and how many of them METEOR's load is."""
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    units = _units(files)
    began = time.perf_counter()
    meteor = Meteor()
    meteor._stat("a", ["a"])
    load = time.perf_counter() - began
    scorers = {"cider": Cider(), "meteor": meteor, "rouge_l": Rouge()}
    for unit in units:
        matrix: dict[tuple[str, str], float] = {}
        for gold in unit.references:
            for said in unit.predictions:
                pair = {0: [gold.tokens]}, {0: [said.tokens]}
                matrix[gold.tokens, said.tokens] = meteor.compute_score(pair[1], pair[0])[0]
        for tiou in STRAD.tious:
            soda_f(unit, tiou, lambda g, p, m=matrix: m[g.tokens, p.tokens])
            recall_precision(unit, tiou)
            caption_scores(pairs_at(unit, tiou), PTBTokenizer(), scorers)
    return time.perf_counter() - began, load


def _units(files: Files) -> list[Unit]:
    """The set in chunks of 30 minutes."""
    said: dict[str, list[Event]] = {}
    for line in files.predictions.read_text(encoding="utf-8").rstrip("\n").split("\n"):
        one = json.loads(line)
        said.setdefault(one["video_id"], []).append(_event(one))
    units = []
    for video in json.loads(files.references.read_text(encoding="utf-8"))["videos"]:
        gold = [_event(one) for one in video["ad"]]
        for chunk in range(int(video["duration"] // STRAD.chunk_s) + 1):
            span = (chunk * STRAD.chunk_s, (chunk + 1) * STRAD.chunk_s)
            parts = [
                tuple(e for e in events if span[0] <= e.start < span[1])
                for events in (gold, said[video["id"]])
            ]
            if all(parts):
                units.append(Unit(video["id"], chunk, span, parts[0], parts[1]))
    return units


def _event(one: dict[str, Any]) -> Event:
    return Event(one["start"], one["end"], one["text"], tokenize(one["text"]))


def _apart(files: Files, *changes: str) -> dict[str, float]:
    """Score in a process of its own: wall seconds, our own CPU seconds, most memory in MB."""
    command = [sys.executable, __file__, str(files.references), str(files.predictions), *changes]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _alone(arguments: list[str]) -> None:
    began = time.perf_counter()
    files = Files(Path(arguments[0]), Path(arguments[1]))
    score_files(files, Choice("strad", tuple(arguments[2:])))
    used = resource.getrusage(resource.RUSAGE_SELF)
    told = {"seconds": time.perf_counter() - began, "own": used.ru_utime + used.ru_stime}
    print(json.dumps({**told, "mb": used.ru_maxrss / 1024}))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _alone(sys.argv[1:])
    else:
        sys.exit(main())
