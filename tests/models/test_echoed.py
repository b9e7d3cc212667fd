"""What replies tell of a text that was sent: which tokens are its own, and what is no reply."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import BackendError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.echoed import WAYS, Told, Written, scores, written

OF_PROMPT, OF_ECHO = (way.read for way in WAYS)
SKY = Forced("The sky is", " blue.")
TOKENS = ["The", " sky", " is", " blue", "."]
LOGS = [None, -3.0, -1.0, -2.0, -0.5]
TOLD = Told(TOKENS, LOGS)


def entry(token: str, log: float, **others: float) -> dict[str, Any]:
    """As vLLM tells of a token: itself, and the most probable one."""
    tokens = {token: log, **{name.replace("_", " "): value for name, value in others.items()}}
    return {
        str(number): {"logprob": value, "rank": 1, "decoded_token": one}
        for number, (one, value) in enumerate(tokens.items())
    }


def of_prompt(*entries: Any) -> Any:
    return {"choices": [{"text": " and", "prompt_logprobs": [None, *entries]}]}


def of_echo(tokens: Any, logs: Any, usage: Any = None, text: str = "") -> Any:
    choice = {"text": text, "logprobs": {"tokens": tokens, "token_logprobs": logs}}
    return {"choices": [choice], **({} if usage is None else {"usage": usage})}


def test_the_less_probable_of_two_listed_tokens_is_that_of_the_text():
    reply = of_prompt(entry(" sky", -3.0, _sea=-0.1), entry(" is", -1.0))

    assert OF_PROMPT(reply, SKY) == Told([" sky", " is"], [-3.0, -1.0])


def test_what_a_service_wrote_behind_an_echo_is_left_out():
    reply = of_echo([*TOKENS, " And"], [*LOGS, -9.0], {"completion_tokens": 1})

    assert OF_ECHO(reply, SKY) == TOLD


@pytest.mark.parametrize("usage", [None, {}, {"completion_tokens": 1}, {"completion_tokens": "1"}])
@pytest.mark.parametrize("more", [[], [" And"], ["</s>"]], ids=str)
def test_an_echo_is_read_up_to_the_end_of_the_text_whatever_was_counted(more, usage):
    """A service that counts the mark of the end need not list it."""
    text = "".join([*TOKENS, *(one for one in more if one != "</s>")])
    reply = of_echo([*TOKENS, *more], [*LOGS, *(-9.0 for _ in more)], usage, text)

    assert OF_ECHO(reply, SKY) == TOLD


@pytest.mark.parametrize(("more", "text"), [([], "a a a"), ([" a"], "a a a a")], ids=str)
def test_of_equal_tokens_the_text_tells_which_one_was_written(more, text):
    reply = of_echo(["a", " a", " a", *more], [None, -1.0, -2.0, *(-3.0 for _ in more)], None, text)

    assert OF_ECHO(reply, Forced("a a", " a")) == Told(["a", " a", " a"], [None, -1.0, -2.0])


@pytest.mark.parametrize("usage", [{"completion_tokens": -4}, {"completion_tokens": 99}], ids=str)
def test_a_count_that_makes_no_sense_is_not_believed(usage):
    assert OF_ECHO(of_echo(TOKENS, LOGS, usage, "The sky is blue."), SKY) == TOLD


BROKEN: list[Any] = [
    None,
    [],
    "text",
    {},
    {"choices": None},
    {"choices": [None]},
    {"choices": [{}]},
    {"choices": [{"logprobs": None, "prompt_logprobs": None}]},
    {"choices": [{"logprobs": {}, "prompt_logprobs": {}}]},
    {"choices": [{"logprobs": {"tokens": ["a"]}, "prompt_logprobs": []}]},
    {"choices": [{"logprobs": {"content": []}, "prompt_logprobs": [None, None]}]},
    of_echo(["a", "b"], [-1.0]),
    of_echo(["a"], ["-1"]),
    of_echo([1], [-1.0]),
    of_echo(["a"], [0.5]),
    of_echo(["a"], [float("nan")]),
    of_echo(["a"], [-(10**400)]),
    of_prompt({}),
    of_prompt({"1": {"logprob": None, "decoded_token": "a"}}),
    of_prompt({"1": {"logprob": -1.0, "decoded_token": None}}),
    of_prompt({"1": {"logprob": -1.0}}),
    of_prompt({"1": {"logprob": 2.0, "decoded_token": "a"}}),
    of_prompt({"1": {"logprob": -(10**400), "decoded_token": "a"}}),
]


@pytest.mark.parametrize("reply", BROKEN, ids=str)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_another_reply_is_refused_with_what_it_was(way, reply):
    with pytest.raises(BackendError, match="the service answered without"):
        way.read(reply, SKY)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "logprobs",
                    "prompt_logprobs",
                    "tokens",
                    "token_logprobs",
                    "usage",
                    "text",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON | st.builds(lambda one: {"choices": [one]}, JSON))
def test_any_json_is_read_or_refused(reply):
    for way in WAYS:
        try:
            told = way.read(reply, SKY)
        except BackendError:
            continue
        assert len(told.tokens) == len(told.logprobs)
    assert len(written(reply).told.tokens) == len(written(reply).told.logprobs)


def test_what_was_written_is_its_text_and_tokens():
    reply = of_echo([" blue", "."], [-1.0, -2.0], text=" blue.")

    assert written(reply) == Written(" blue.", Told([" blue", "."], [-1.0, -2.0]))


def test_half_of_a_surrogate_pair_can_not_be_sent_back_and_so_was_not_written():
    reply = of_echo(["\ud83e"], [-1.0], text="\ud83e")

    assert written(reply) == Written("", Told([], []))


@pytest.mark.parametrize("reply", BROKEN, ids=str)
def test_of_another_reply_nothing_was_written(reply):
    assert written(reply) == Written("", Told([], []))


def test_the_scores_are_those_of_the_answer():
    assert scores(TOLD, SKY) == TokenScores((-2.0, -0.5))


def test_a_token_without_a_value_makes_no_score():
    found = scores(Told(TOKENS, [None, -3.0, -1.0, None, -0.5]), SKY)

    assert "left out the log-probability" in found.reason


@pytest.mark.parametrize("tokens", [[], ["hello"], ["The", " sky"]], ids=str)
def test_tokens_of_another_text_make_no_score(tokens):
    assert isinstance(scores(Told(tokens, [-1.0] * len(tokens)), SKY), Unscored)
