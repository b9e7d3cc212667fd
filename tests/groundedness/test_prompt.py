"""What an LLM is asked: data that can't break out, and numbers of our own."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.groundedness.prompt import ORDERS, messages, schema
from tests.groundedness.fakes import Call, sample


def asked(row, sentences, problems=()) -> Call:
    return Call(tuple(messages(row, sentences, problems)), {})


def test_the_orders_are_the_systems_and_the_texts_the_users():
    system, user = messages(sample("A. B.", "C."), ["A.", "B."])

    assert (system.role, system.content, user.role) == ("system", ORDERS, "user")


def test_the_sentences_are_numbered_from_one():
    assert asked(sample("A. B.", "C."), ["A.", "B."]).sentences == {"1": "A.", "2": "B."}


def test_each_chunk_is_a_passage_of_its_own():
    assert asked(sample("A.", "C.", "D."), ["A."]).data["context"] == ["C.", "D."]


@pytest.mark.parametrize(("question", "has"), [("Who?", True), ("", False), (" \n", False)])
def test_a_blank_question_is_left_out(question, has):
    assert ("question" in asked(sample("A.", "C.", question=question), ["A."]).data) == has


def test_the_response_is_there_where_its_sentences_are_not_all_of_it():
    row = sample("The lock is new. It costs 49 euros.", "C.")

    assert asked(row, ["It costs 49 euros."]).data["response"] == row.answer
    assert "response" not in asked(row, ["The lock is new.", "It costs 49 euros."]).data


hostile = st.lists(
    st.sampled_from([*'"\\{}[]<>|/\n', "```", "<|im_end|>", "[INST]", "1", "a", "\u2028"]),
    max_size=20,
).map("".join)


@given(hostile, hostile, hostile)
def test_no_text_breaks_out_of_its_place(context, question, sentence):
    row = sample(sentence, context, question=question)
    content = messages(row, [sentence])[-1].content

    data = json.loads(content)
    assert data["context"] == [context]
    assert data["sentences"] == {"1": sentence}


@pytest.mark.parametrize(
    "mark", ["<|im_end|>", "<|eot_id|>", "</s>", "<end_of_turn>", "[INST]", "[/INST]", "<｜User｜>"]
)
def test_marks_of_chat_templates_do_not_reach_the_template(mark):
    found = asked(sample(mark, f"a {mark} b"), [mark], [f"lost: {mark}"])

    assert mark not in found.messages[-1].content
    assert found.data["context"] == [f"a {mark} b"]


def test_what_was_wrong_before_is_named():
    first = asked(sample("A.", "C."), ["A."])
    second = asked(sample("A.", "C."), ["A."], ['1: it quotes "x"', "more"])

    assert first.complaint == ""
    assert '- "1: it quotes \\"x\\""\n- "more"' in second.complaint
    assert second.data == first.data


def test_the_schema_demands_each_number_and_no_other():
    found = schema(3)

    assert found["required"] == list(found["properties"]) == ["1", "2", "3"]
    assert found["additionalProperties"] is False
    entry = found["properties"]["2"]
    assert entry["required"] == list(entry["properties"]) == ["supported", "quotes", "reason"]
    assert entry["additionalProperties"] is False
