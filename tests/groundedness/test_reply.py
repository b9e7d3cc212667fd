"""A reply is read whole or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.groundedness.reply import SentenceReply, UnusableReplyError, read_reply

YES = {"supported": True, "quotes": ["a"], "reason": "r"}
NO = {"supported": False, "quotes": [], "reason": ""}


def test_the_entries_come_in_the_order_of_their_numbers():
    found = read_reply(json.dumps({"2": NO, "1": YES}), 2)

    assert found == [SentenceReply(True, ("a",), "r"), SentenceReply(False, (), "")]


@pytest.mark.parametrize(
    "fence", ["```json\n{}\n```", "```\n{}\n```", " \n```json\n{}```\n", " {} "]
)
def test_a_fence_around_it_is_let_pass(fence):
    assert len(read_reply(fence.replace("{}", json.dumps({"1": YES})), 1)) == 1


def test_a_reason_may_be_missing():
    assert read_reply('{"1": {"supported": false, "quotes": []}}', 1)[0].reason == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "All sentences are supported.",
        '{"1": ',
        '{"1": {"supported": true,}}',
        'Sure! {"1": {}}',
        "[" * 100_000,
        "\ud800",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_json_is_unusable(text):
    with pytest.raises(UnusableReplyError, match="it is no JSON"):
        read_reply(text, 1)


@pytest.mark.parametrize("text", ["[]", "1", '"all"', "null", "true"])
def test_what_is_no_object_is_unusable(text):
    with pytest.raises(UnusableReplyError, match="must be a JSON object"):
        read_reply(text, 1)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["1"], "missing: '2'; not asked for: none"),
        (["1", "2", "3"], "missing: none; not asked for: '3'"),
        (["1", "02"], "missing: '2'; not asked for: '02'"),
        (["0", "1"], "missing: '2'; not asked for: '0'"),
        ([], "missing: '1', '2'; not asked for: none"),
        (["all"], "not asked for: 'all'"),
    ],
    ids=str,
)
def test_numbers_that_are_missing_or_extra_are_named(keys, message):
    with pytest.raises(UnusableReplyError, match=message):
        read_reply(json.dumps(dict.fromkeys(keys, YES)), 2)


def test_many_keys_are_named_in_short():
    keys = {f"x{number}": YES for number in range(1000)}

    with pytest.raises(UnusableReplyError, match="and 990 more") as raised:
        read_reply(json.dumps(keys), 1)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        '{"1": {"supported": false, "quotes": []}, "1": {"supported": true, "quotes": []}}',
        '{"1": {"supported": false, "supported": true, "quotes": []}}',
    ],
)
def test_a_key_that_is_there_twice_is_unusable(text):
    with pytest.raises(UnusableReplyError, match="keys are there twice"):
        read_reply(text, 1)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (True, "entry 1 must be an object"),
        ([], "entry 1 must be an object"),
        ({}, '"supported" of entry 1 must be true or false'),
        ({**YES, "supported": "true"}, '"supported" of entry 1'),
        ({**YES, "supported": 1}, '"supported" of entry 1'),
        ({**YES, "supported": None}, '"supported" of entry 1'),
        ({**YES, "quotes": "a"}, '"quotes" of entry 1 must be a list of texts'),
        ({**YES, "quotes": None}, '"quotes" of entry 1'),
        ({**YES, "quotes": [1]}, '"quotes" of entry 1'),
        ({"supported": True}, '"quotes" of entry 1'),
        ({**YES, "reason": None}, '"reason" of entry 1 must be a text'),
        ({**YES, "score": 1}, "entry 1 has keys not asked for: 'score'"),
    ],
    ids=str,
)
def test_an_entry_of_another_form_is_unusable(entry, message):
    with pytest.raises(UnusableReplyError, match=message):
        read_reply(json.dumps({"1": entry}), 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["1", "2", "supported", "quotes", "reason"]), inner, max_size=4
        )
    ),
)


@given(json_values.map(json.dumps) | st.text())
def test_nothing_is_guessed(text):
    """A reply is of the form, or it is refused with that error alone."""
    try:
        found = read_reply(text, 2)
    except UnusableReplyError:
        return
    assert [type(reply.supported) for reply in found] == [bool, bool]
