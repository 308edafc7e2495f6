"""Judges: bounded, resumable, each question once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from strad.errors import DescriberError, FormatError, InputError, WorkError
from strad_engines.engine_errors import EngineBusyError, EngineError
from strad_engines.scripted_engine import ScriptedEngine
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.judges.engine_judge import EngineJudge
from strad_eval.judges.panel import ask_all
from strad_eval.judges.question import JudgeQuestion

pytestmark = pytest.mark.eval


class Echo:
    """A judge that answers with the question, counts, and fails on demand."""

    name = "echo 1"

    def __init__(self, broken: dict[str, list[Exception]] | None = None) -> None:
        self.asked: list[str] = []
        self.busy = self.busiest = 0
        self.broken = broken or {}

    async def answer(self, question: JudgeQuestion) -> str:
        self.asked.append(question.user)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        await asyncio.sleep(0)
        self.busy -= 1
        if self.broken.get(question.user):
            raise self.broken[question.user].pop(0)
        return f"<{question.user}>"


class Silent:
    """A judge that never answers."""

    name = "silent"

    async def answer(self, question: JudgeQuestion) -> str:
        await asyncio.Event().wait()
        return ""


def _questions(*users: str) -> list[JudgeQuestion]:
    return [JudgeQuestion("score it", user) for user in users]


def test_answers_come_in_order_and_equal_questions_are_asked_once(tmp_path: Path) -> None:
    judge = Echo()
    with AnswerBook(tmp_path / "book.jsonl") as book:
        answers = asyncio.run(ask_all(_questions("a", "b", "a"), judge, book))
    assert answers == ["<a>", "<b>", "<a>"]
    assert sorted(judge.asked) == ["a", "b"]


def test_no_more_than_allowed_are_asked_at_once(tmp_path: Path) -> None:
    judge = Echo()
    with AnswerBook(tmp_path / "book.jsonl") as book:
        asyncio.run(ask_all(_questions(*map(str, range(50))), judge, book, at_once=4))
    assert judge.busiest == 4
    assert len(judge.asked) == 50


def test_a_run_that_broke_off_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    judge = Echo({"c": [WorkError("out of memory")]})
    with AnswerBook(path) as book, pytest.raises(WorkError, match="out of memory"):
        asyncio.run(ask_all(_questions("a", "b", "c", "d"), judge, book, at_once=1))
    again = Echo()
    with AnswerBook(path) as book:
        answers = asyncio.run(ask_all(_questions("a", "b", "c", "d"), again, book))
    assert answers == ["<a>", "<b>", "<c>", "<d>"]
    assert again.asked == ["c", "d"]


def test_what_can_help_is_tried_again(tmp_path: Path) -> None:
    judge = Echo({"a": [DescriberError("busy"), DescriberError("busy")]})
    with AnswerBook(tmp_path / "book.jsonl") as book:
        assert asyncio.run(ask_all(_questions("a"), judge, book)) == ["<a>"]
    assert judge.asked == ["a"] * 3


def test_a_judge_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    with (
        AnswerBook(tmp_path / "book.jsonl") as book,
        pytest.raises(WorkError, match="silent gave no answer"),
    ):
        asyncio.run(ask_all(_questions("a"), Silent(), book, timeout_s=0.01))


def test_another_judge_or_prompt_is_another_question() -> None:
    one, other = JudgeQuestion("s", "u"), JudgeQuestion("s", "u", max_tokens=8)
    assert len({one.key("a"), one.key("b"), other.key("a")}) == 3


def test_a_line_cut_off_by_a_crash_is_dropped_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    path.write_bytes(b'{"key": "k", "answer": "5"}\n{"key": "half')
    with AnswerBook(path) as book:
        assert (len(book), book.get("k")) == (1, "5")
        book.put("l", "\u2028 4")
    with AnswerBook(path) as book:
        assert book.get("l") == "\u2028 4"
    path.write_bytes(b'{"key": "k"}\n{"key": "l", "answer": "4"}\n')
    with pytest.raises(FormatError, match=r"book\.jsonl:1: not an answer"), AnswerBook(path):
        pass
    with pytest.raises(InputError, match="can't be opened"), AnswerBook(tmp_path / "no" / "x"):
        pass


def test_a_server_out_of_reach_is_not_asked_for_three_deadlines(tmp_path: Path) -> None:
    engine = ScriptedEngine(lambda _: EngineBusyError("nobody there"))
    with AnswerBook(tmp_path / "book") as book, pytest.raises(EngineError, match="nobody there"):
        asyncio.run(ask_all([JudgeQuestion("s", "u")], EngineJudge(engine), book))
    assert len(engine.asked) == 1


@pytest.mark.parametrize("line", [b"[" * 100_000, b"\0", b'{"key":1,"answer":2}', b"\xff"])
def test_a_line_that_is_no_answer_is_refused(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_bytes(line + b"\n")
    with pytest.raises(FormatError, match="book:1: not an answer"), AnswerBook(path):
        pass
