"""The review and the study in a real browser, by keyboard alone, from first page to last."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from question_generation.answering.answers import AnswersFile, answers_in
from question_generation.answering.site import StudySite
from question_generation.review.reviews import ReviewsFile, reviews_in
from question_generation.review.site import ReviewSite
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.control_room import spills, tab, tab_to, violations
from tests.question_generation.jointav.rendered import rendered
from tests.question_generation.serving import items, served

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]


async def titled(page: Page, title: str) -> None:
    """Until the page of that title is there."""
    await page.wait_for_function("title => document.title === title", arg=title)
    await page.get_by_role("heading", level=1).wait_for()


async def choose(page: Page, *downs: int) -> None:
    """In the next radio groups, the first option and so many further down."""
    for down in downs:
        await tab(page)
        await page.keyboard.press("Space")
        for _ in range(down):
            await page.keyboard.press("ArrowDown")


async def is_well_made(page: Page, where: str) -> None:
    assert await violations(page) == [], where
    assert await spills(page, 320, 640) <= 0, where


async def save(page: Page) -> None:
    await tab_to(page, "Save and go on")
    await page.keyboard.press("Enter")


async def first_choice(page: Page, name: str) -> None:
    """To the skip link, past the clip, right before the choice that begins with ``name``."""
    await tab_to(page, "Skip to the form")
    await page.keyboard.press("Enter")
    await page.wait_for_function("name => document.activeElement.id === name", arg=name)


async def review_three(page: Page) -> None:
    """Keep one, mend one, reject one."""
    await first_choice(page, "review")
    await choose(page, 0, 1, 2, 3, 0)
    await save(page)
    await titled(page, "Question 2 of 3")
    await first_choice(page, "review")
    await choose(page, 0, 0, 0, 0, 1)
    await tab_to(page, "Mend it")
    await page.keyboard.press("Enter")
    await tab_to(page, "The question")
    await page.keyboard.press("Control+A")
    await page.keyboard.type("What was it?")
    await is_well_made(page, "mended")
    await save(page)
    await titled(page, "Question 3 of 3")
    await first_choice(page, "review")
    await choose(page, 0, 0, 0, 4, 2)
    await save(page)


def test_a_reviewer_with_a_keyboard_rates_mends_and_rejects(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")
    path = tmp_path / "reviews.jsonl"
    site = ReviewSite(items(3), ReviewsFile(path), {"clip0": rendered(tmp_path)})

    async def go(url: str) -> None:
        async with open_page(tmp_path / "profile", fails=False) as page:
            await page.goto(url)
            await is_well_made(page, "begin")
            await tab_to(page, "A short name")
            await page.keyboard.type("ann")
            await page.keyboard.press("Enter")
            await titled(page, "Question 1 of 3")
            await is_well_made(page, "question")
            await save(page)
            await titled(page, "Error: Question 1 of 3")
            await page.get_by_role("alert").wait_for()
            await is_well_made(page, "error")
            await review_three(page)
            await titled(page, "That was the last question")
            await is_well_made(page, "end")

    with served(site) as client:
        asyncio.run(go(str(client.base_url)))
    first, second, third = reviews_in(path)
    assert (first.answer, first.information, first.av_dependency) == ("yes", "no", "unsure")
    assert (first.difficulty, first.verdict) == (4, "keep")
    assert second.mended is not None
    assert (second.verdict, second.mended.question) == ("fix", "What was it?")
    assert (third.difficulty, third.verdict) == (5, "reject")


def test_a_participant_with_a_keyboard_answers_ten_questions(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")
    path, all_items = tmp_path / "answers.jsonl", items(20, clips=2)
    site = StudySite(all_items, AnswersFile(path), clips={"clip0": rendered(tmp_path)})

    async def go(url: str) -> None:
        async with open_page(tmp_path / "profile", fails=False) as page:
            await page.goto(url)
            await is_well_made(page, "consent")
            await tab_to(page, "Begin")
            await page.keyboard.press("Enter")
            await titled(page, "Error: Questions about two clips")
            await is_well_made(page, "no consent")
            await tab_to(page, "I have read this")
            await page.keyboard.press("Space")
            await tab_to(page, "Begin")
            await page.keyboard.press("Enter")
            for number in range(1, 11):
                await titled(page, f"Question {number} of 10")
                if number == 1:
                    await is_well_made(page, "question")
                    await save(page)
                    await titled(page, "Error: Question 1 of 10")
                    await is_well_made(page, "error")
                await first_choice(page, "question")
                await choose(page, number % 3)
                await save(page)
            await titled(page, "Thank you")
            await is_well_made(page, "thanks")

    with served(site) as client:
        asyncio.run(go(str(client.base_url)))
    assert [one.chosen for one in answers_in(path)] == [number % 3 for number in range(1, 11)]
