"""An export: made beside its place, checked against what was trained, then renamed whole."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from strad.counted import counted
from strad.errors import InputError, WorkError
from strad.model_file import NAME, write_model_file
from strad_engines.adapters import CONFIG
from strad_engines.checkpoint import read_json
from strad_engines.known_answer import write_known_answer
from strad_engines.messages import Message
from streaming.describers.strad_ft.trained import model_file
from training.base_model import family_named
from training.example import Example
from training.exporting.form import ADAPTER, BASE, Form, Wanted
from training.exporting.parity import Parity, Served, answers, chosen, compared, prompts, surest
from training.exporting.trained_run import TrainedRun
from training.exporting.weights import write_adapter, write_base, write_merged

KNOWN = "known-answer.json"
CARD = "README.md"
Say = Callable[[str], None]


async def export(
    run: TrainedRun,
    out: Path,
    wanted: Wanted,
    examples: Sequence[Example],
    card: Callable[[Parity], str],
    say: Say = lambda line: None,
) -> Parity:
    """Write the folder ``out``: weights, all that loads them, how to ask them, a known answer.

    ``examples`` are those of the validation split; ``card`` makes the text of the model's card.

    Raises InputError, MissingModelError, WorkError: among them that the export answers otherwise
    than what was trained. Then there is no ``out``.
    """
    asked = prompts(chosen(examples), run.profile)
    if not asked:
        raise InputError(
            "there is no example to check the export by: the validation split is empty"
        )
    with _appearing(out) as made:
        say(f"answered by what was trained: {counted(len(asked), 'window')}")
        trained = await _as_trained(run, asked, made)
        say("the weights are written")
        write = write_merged if wanted.form is Form.MERGED else write_adapter
        write(run.base, run.adapter, made)
        say("the same windows are answered by what is exported")
        served = _served(wanted.form, made)
        found = compared(trained, await answers(served, asked))
        _must_be_same(found, wanted.differ)
        if unknown := await _tell_how_to_ask(run, served, wanted, made):
            say(unknown)
        (made / CARD).write_text(card(found), "utf-8")
    return found


async def _tell_how_to_ask(run: TrainedRun, served: Served, wanted: Wanted, made: Path) -> str:
    """Which profile and prompts, and an answer by which a server shows that it serves this.

    Returns a line for a person where there is none.
    """
    place = made / ADAPTER if wanted.form is Form.ADAPTER else made
    known = await surest(served, run.profile)
    if known is not None:
        write_known_answer(place / KNOWN, known)
    told = model_file(run.profile, base=run.base_told)
    check = KNOWN if known is not None else ""
    write_model_file(
        place / NAME, told.model_copy(update={"check": check, "release": wanted.release})
    )
    if known is not None:
        return ""
    return "it ends none of its answers, so none is known by which a server could be checked"


async def _as_trained(
    run: TrainedRun, asked: Sequence[Sequence[Message]], made: Path
) -> list[tuple[str, ...]]:
    """The answers of base and adapter beside one another, as they were when it was trained."""
    found, family = family_named(run.base)
    if not (family.merged_first and (found.folder / family.merged_first).is_dir()):
        return await answers(Served(run.base, run.adapter, merge=False), asked)
    trained_on = str(read_json(run.adapter / CONFIG).get("base_model_name_or_path") or run.base)
    began = made / ".began"
    base = began / Path(trained_on).name  # the adapter knows its base by this name
    write_base(run.base, base)
    try:
        return await answers(Served(str(base), run.adapter, merge=False), asked)
    finally:
        shutil.rmtree(began)


def _served(form: Form, made: Path) -> Served:
    if form is Form.MERGED:
        return Served(str(made))
    return Served(str(made / BASE), made / ADAPTER)


def _must_be_same(found: Parity, allowed: int) -> None:
    if len(found.differ) > allowed:
        which = ", ".join(str(n + 1) for n in found.differ)
        raise WorkError(
            f"the export answers {len(found.differ)} of {found.windows} windows otherwise than "
            f"what was trained ({which}); where that is rounding alone, allow it: --differ "
            f"{len(found.differ)}"
        )


@contextmanager
def _appearing(out: Path) -> Iterator[Path]:
    """A folder beside ``out``, which gets its name when the block ends without an error."""
    must_be_new(out)
    draft = out.with_name(f".{out.name}.{secrets.token_hex(4)}.part")
    try:
        draft.mkdir()
        yield draft
        must_be_new(out)
        os.rename(draft, out)
    except OSError as error:
        raise WorkError(
            f"{out}: can't be written: {(error.strerror or str(error)).lower()}"
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def must_be_new(out: Path) -> None:
    """Raise InputError unless ``out`` can be made: to ask before the work, not after it."""
    if out.exists() or out.is_symlink():
        raise InputError(f"{out}: exists already; name another folder")
    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK | os.X_OK):
        raise InputError(f"{out}: can't be written: no folder {out.parent}, or no permission in it")
