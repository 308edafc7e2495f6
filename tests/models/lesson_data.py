"""Windows of ``shapes`` as a data set on the disk, as ``strad-train prepare`` writes them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.models import lessons, shapes
from tests.models.shapes import Sample
from training.dataset import DATASET, Dataset, Entry, write_index
from training.example import Example, Kind
from training.shards import ShardWriter, packed
from training.stored import files_of


def example(sample: Sample, key: str) -> Example:
    """The window and what is right about it; nothing that it describes was described before."""
    kind = Kind.WAIT if sample.said is None else Kind.AD
    text = sample.said[0] if sample.said else None
    told = tuple(cue for cue in sample.window.history if cue.text != text)
    window = replace(sample.window, history=told)
    return Example(key, "shapes", kind, window, lessons.decision(sample), "made")


def retold(sample: Sample) -> Sample:
    """The same window without the verb: what a run of half a minute can teach."""
    if sample.said is None:
        return sample
    text, when = sample.said
    return replace(sample, said=(text.replace(" moves", ""), when))


def write_lessons(
    folder: Path,
    counts: dict[str, int],
    *,
    changed: Callable[[Sample], Sample] = retold,
    seed: int = 11,
) -> Dataset:
    """So many windows of each split, no two alike."""
    folder.mkdir(parents=True)
    entries: list[Entry] = []
    for number, (split, count) in enumerate(counts.items()):
        seen = itertools.islice(shapes.samples(seed + number), count)
        with ShardWriter(folder, split) as shards:
            for n, sample in enumerate(seen):
                one = example(changed(sample), f"{split}-{n}")
                place = shards.add(packed(one.key, files_of(one)))
                entries.append(Entry(one.key, f"{split}-film", split, one.kind, one.why, place))
    about = {"strad": "training-data", "version": 1, "seed": seed, "sources": []}
    (folder / DATASET).write_text(json.dumps(about))
    write_index(folder, entries)
    return Dataset.open(folder)
