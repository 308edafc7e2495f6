"""Parts drawn together: the shares made exact, the order mixed, shards, index and account."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from strad.text_file import write_text
from training.budget import lot
from training.dataset import DATASET, SPLITS, VERSION, Dataset, Entry, write_index
from training.example import Kind
from training.preparing.film import Part
from training.preparing.ownership import shards_in
from training.preparing.plan import in_shares
from training.preparing.wishes import Wishes
from training.shards import LARGEST, ShardWriter, read_piece
from training.skipped import Skips

FORMAT = "training-data"


def assemble(
    folder: Path,
    parts: Path,
    made: Sequence[Part],
    wishes: Wishes,
    about: dict[str, Any],
    skips: Skips,
    *,
    largest: int = LARGEST,
) -> Dataset:
    """The data set, from parts that lie in ``parts``. Raises WorkError when the disk fails."""
    for stale in shards_in(folder):
        stale.unlink()
    entries: list[Entry] = []
    for split in SPLITS:
        there = {e.key: e for part in made for e in part.entries if e.split == split}
        pairs = ((key, entry.kind) for key, entry in there.items())
        seed = wishes.manner.seed
        keys = sorted(in_shares(pairs, wishes.shares, seed), key=lambda key: lot(seed, "/" + key))
        with ShardWriter(folder, split, largest=largest) as shards:
            for key in keys:
                place = shards.add(read_piece(parts, there[key].place))
                entries.append(replace(there[key], place=place))
    write_index(folder, entries)
    account = {"strad": FORMAT, "version": VERSION, **about, **account_of(entries, made, skips)}
    write_text(folder / DATASET, json.dumps(account, indent=2) + "\n", overwrite=True)
    return Dataset.open(folder)


def account_of(entries: Sequence[Entry], made: Sequence[Part], skips: Skips) -> dict[str, Any]:
    """Counts and shares by split, and what was passed over."""
    passed: Counter[str] = Counter()
    for part in made:
        passed.update(part.passed)
    return {
        "counts": {split: _counted([e for e in entries if e.split == split]) for split in SPLITS},
        "windows_passed": dict(sorted(passed.items())),
        "skipped_counts": skips.counts(),
        "skipped": [
            {"fault": one.fault.value, "what": one.what, "why": one.why}
            for one in sorted(skips.listed, key=lambda one: (one.fault, one.what, one.why))
        ],
    }


def _counted(entries: Sequence[Entry]) -> dict[str, Any]:
    kinds, whys = Counter(e.kind.value for e in entries), Counter(e.why for e in entries)
    return {
        "examples": len(entries),
        "films": len({entry.film for entry in entries}),
        "kinds": {kind.value: kinds[kind.value] for kind in Kind},
        "shares": {kind.value: round(kinds[kind.value] / max(1, len(entries)), 4) for kind in Kind},
        "why": dict(sorted(whys.items())),
    }
