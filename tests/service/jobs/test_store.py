"""The store: one process a folder, old jobs forgotten, broken ones cleared away."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from service.jobs.record import JobState
from service.jobs.store import Store
from service.pull.request import Asked
from service.security.calendar import now
from strad.errors import WorkError

pytestmark = pytest.mark.unit


def finish(store: Store, state: JobState, *, days_ago: float = 0.0) -> str:
    kept = store.new("key:a", "upload", Asked())
    kept.record.state = state
    kept.record.finished = now() - timedelta(days=days_ago)
    store.save(kept)
    return kept.record.job


def test_a_folder_is_one_processes(tmp_path: Path) -> None:
    store = Store(tmp_path / "jobs")
    with pytest.raises(WorkError, match="another process keeps its jobs"):
        Store(tmp_path / "jobs")
    del store
    Store(tmp_path / "jobs")


def test_what_was_under_way_is_interrupted_and_its_file_is_gone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    done = finish(store, JobState.DONE)
    under_way = [
        finish(store, state) for state in (JobState.RECEIVING, JobState.QUEUED, JobState.RUNNING)
    ]
    store.media(store.jobs[under_way[0]].record).write_bytes(b"x")
    del store
    store = Store(tmp_path)
    assert [*store.jobs] == [done, *under_way]
    assert store.jobs[done].record.state is JobState.DONE
    assert {store.jobs[job].record.state for job in under_way} == {JobState.INTERRUPTED}
    assert not store.media(store.jobs[under_way[0]].record).exists()


def test_too_many_and_too_old_ones_are_forgotten_but_none_under_way(tmp_path: Path) -> None:
    store = Store(tmp_path)
    running = finish(store, JobState.RUNNING)
    old = finish(store, JobState.DONE, days_ago=8)
    first, second, third = (finish(store, JobState.FAILED) for _ in range(3))
    store.prune(most=4, days=7)
    assert [*store.jobs] == [running, first, second, third]
    assert not (tmp_path / old).exists()
    store.prune(most=2, days=7)
    assert [*store.jobs] == [running, second, third]


def test_folders_that_hold_no_record_are_cleared_and_others_left(tmp_path: Path) -> None:
    broken = tmp_path / ("0" * 16)
    broken.mkdir()
    (broken / "job.json").write_text("{")
    other = tmp_path / "something"
    other.mkdir()
    assert Store(tmp_path).jobs == {}
    assert not broken.exists()
    assert other.exists()


def test_a_folder_that_cant_be_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WorkError, match="jobs can't be kept"):
        Store(tmp_path / "file" / "jobs")


def test_a_folder_that_cant_be_put_in_order_is_said_so_and_is_let_go(tmp_path: Path) -> None:
    store = Store(tmp_path)
    media = store.media(store.jobs[finish(store, JobState.DONE)].record)
    media.mkdir()
    del store
    with pytest.raises(WorkError, match=f"jobs can't be kept in {tmp_path}"):
        Store(tmp_path)
    media.rmdir()
    assert len(Store(tmp_path).jobs) == 1


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can get any bytes: the system says so itself."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_no_job_that_nobody_works_on(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with full_disk(), pytest.raises(WorkError, match="can't be kept"):
        store.new("key:a", "upload", Asked())
    assert store.jobs == {}
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_full_disk_is_no_reason_not_to_start(tmp_path: Path) -> None:
    store = Store(tmp_path)
    running = finish(store, JobState.RUNNING)
    del store
    with full_disk():
        store = Store(tmp_path)
    assert store.jobs[running].record.state is JobState.INTERRUPTED
