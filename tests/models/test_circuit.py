"""Many texts of one service: what was lost is waited for once, and what is silent is left alone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.arguments import cap, workers
from cgs_rag.models.circuit import MOST_SILENCES, REST, Circuit
from cgs_rag.models.http import (
    ONE_TRY,
    PATIENT,
    Patience,
    RefusedError,
    ServiceUnreachableError,
    SilentError,
)

FOUND = TokenScores((-1.0,))
LOST = ServiceUnreachableError("nothing answers")
SILENT = SilentError("silent for 1 second")


def texts(n: int) -> list[Forced]:
    return [Forced("p", f"a{number}") for number in range(n)]


class Service:
    """Raises what it is told to; notes what is asked of it."""

    def __init__(self, error: Exception | None = None, look: Exception | None = None) -> None:
        self.error = error
        self.look_error = look
        self.looks = 0
        self.naps: list[float] = []
        self.asked: list[Patience] = []
        self.circuit = Circuit("some:llm", self.look, self.naps.append)

    def look(self) -> None:
        self.looks += 1
        if self.look_error is not None:
            raise self.look_error

    def score(self, text: Forced, patience: Patience) -> TokenScores | Unscored:
        self.asked.append(patience)
        if self.error is not None:
            raise self.error
        return FOUND

    def scores(self, n: int, **settings: Any) -> list[TokenScores | Unscored]:
        return self.circuit.scores(texts(n), self.score, **settings)


def test_a_service_that_is_well_is_asked_patiently_and_never_looked_at():
    service = Service()

    assert service.scores(3) == [FOUND] * 3
    assert (service.asked, service.looks) == ([PATIENT] * 3, 0)


@pytest.mark.parametrize(
    "error",
    [
        LOST,
        BackendError("the connection broke"),
        RefusedError("answered 500", 500, ""),
        RefusedError("answered 401", 401, ""),
        ModelUnavailableError("no model"),
    ],
    ids=str,
)
def test_a_lost_service_is_waited_for_once_and_then_only_looked_at(error):
    service = Service(error, look=LOST)

    found = service.scores(50)

    assert found == [Unscored(str(error))] + [Unscored(str(LOST))] * 49
    assert (service.asked, service.looks) == ([PATIENT], 49)


def test_a_look_in_vain_rests_a_moment():
    service = Service(LOST, look=LOST)

    service.scores(4)

    assert service.naps == [REST] * 3


def test_what_was_lost_stays_lost_for_the_next_call():
    service = Service(LOST, look=LOST)
    service.scores(1)
    service.scores(1)

    assert len(service.asked) == 1


def test_a_service_that_answers_a_look_is_tried_once():
    service = Service(LOST)

    service.scores(3)

    assert service.asked == [PATIENT, ONE_TRY, ONE_TRY]
    assert service.naps == []


def test_the_first_text_that_is_scored_again_makes_all_as_it_was():
    service = Service(LOST)
    service.scores(1)
    service.error = None

    assert service.scores(3) == [FOUND] * 3
    assert service.asked == [PATIENT, ONE_TRY, PATIENT, PATIENT]


@pytest.mark.parametrize("status", [400, 413, 422])
def test_what_is_wrong_with_a_text_says_nothing_of_the_service(status):
    service = Service(RefusedError("too long", status, ""))

    assert service.scores(2) == [Unscored("too long")] * 2
    assert (service.asked, service.looks) == ([PATIENT] * 2, 0)


def test_after_silences_in_a_row_no_more_is_asked():
    service = Service(SILENT)

    found = service.scores(10)

    assert len(service.asked) == MOST_SILENCES
    assert found[:MOST_SILENCES] == [Unscored(str(SILENT))] * MOST_SILENCES
    assert all("not asked" in one.reason for one in found[MOST_SILENCES:])


def test_a_text_that_is_scored_ends_a_row_of_silences():
    service = Service()
    times = iter([SILENT, SILENT, None] * 4)

    def score(text: Forced, patience: Patience) -> TokenScores | Unscored:
        service.error = next(times)
        return service.score(text, patience)

    found = service.circuit.scores(texts(12), score)

    assert found == [Unscored(str(SILENT)), Unscored(str(SILENT)), FOUND] * 4


def test_the_next_call_asks_a_silent_service_again():
    service = Service(SILENT)
    service.scores(10)
    service.error = None

    assert service.scores(2) == [FOUND] * 2


@pytest.mark.parametrize(
    "text",
    [Forced("", "a"), Forced("p", ""), Forced("p", "\ud800"), Forced("\udfff", "a")],
    ids=ascii,
)
def test_what_can_not_be_asked_is_not(text):
    service = Service()

    (found,) = service.circuit.scores([text], service.score)

    assert isinstance(found, Unscored)
    assert service.asked == []


def test_what_is_no_failure_of_a_service_is_raised_and_leaves_no_thread():
    with pytest.raises(ZeroDivisionError):
        Service(ZeroDivisionError()).scores(8, max_workers=4)

    assert not [thread for thread in threading.enumerate() if "cgs-rag" in thread.name]


@pytest.mark.parametrize("max_workers", [1, 2, 4])
def test_the_order_is_kept_and_no_thread_is_left(max_workers):
    def score(text: Forced, patience: Patience) -> TokenScores | Unscored:
        return TokenScores((-float(text.answer[1:]),))

    found = Service().circuit.scores(texts(40), score, max_workers)

    assert found == [TokenScores((-float(number),)) for number in range(40)]
    assert not [thread for thread in threading.enumerate() if "cgs-rag" in thread.name]


@pytest.mark.parametrize("max_workers", [2, 4])
def test_so_many_texts_are_scored_at_once(max_workers):
    """All of them wait for each other: fewer would never come past."""
    together = threading.Barrier(max_workers, timeout=20)

    def score(text: Forced, patience: Patience) -> TokenScores | Unscored:
        together.wait()
        return FOUND

    n = 3 * max_workers
    assert Service().circuit.scores(texts(n), score, max_workers) == [FOUND] * n


@pytest.mark.parametrize("check", [workers, cap])
@pytest.mark.parametrize("asked", [0, -1, True, 1.0, "1", None])
def test_a_number_that_makes_no_sense_is_refused_with_the_value(check: Callable, asked):
    with pytest.raises(InvalidInputError, match=f"got {asked!r}"):
        check(asked)


def test_numbers_that_make_sense_are_taken():
    assert [workers(1), workers(4), cap(1), cap(10_000)] == [1, 4, 1, 10_000]


def test_more_workers_than_help_are_refused():
    with pytest.raises(InvalidInputError, match="from 1 to 4, got 5"):
        workers(5)


def test_that_it_is_lost_and_that_it_is_back_are_logged_once_each(caplog):
    caplog.set_level(logging.INFO, "cgs_rag")
    service = Service(LOST)
    service.scores(3)
    service.error = None
    service.scores(3)
    service.scores(3, max_workers=2)

    assert caplog.messages == ["some:llm was lost: nothing answers", "some:llm is back"]


def test_what_is_wrong_with_a_text_alone_is_not_logged_as_a_loss(caplog):
    caplog.set_level(logging.INFO, "cgs_rag")
    Service(RefusedError("answered 400", 400, "")).scores(2)

    assert caplog.messages == []
