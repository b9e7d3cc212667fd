"""The rules of what an LLM reads before an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.models import Forced
from cgs_rag.signals.prompt import forced


def test_the_context_comes_first_then_the_question_then_the_answer():
    assert forced("What?", ["One.", "Two."], "Three.") == Forced(
        "Context:\nOne.\n\nTwo.\n\nQuestion: What?\nAnswer:", " Three."
    )


@pytest.mark.parametrize("question", ["", "  ", "?"])
def test_without_a_question_its_line_is_left_out(question):
    assert forced(question, ["One."], "Two.").prompt == "Context:\nOne.\n\nAnswer:"


@pytest.mark.parametrize("chunks", [[], [""], [" \n"]])
def test_without_a_context_nothing_is_said_of_it(chunks):
    assert forced("What?", chunks, "Two.").prompt == "Question: What?\nAnswer:"


def test_white_space_around_a_text_is_left_out():
    """What stands there does not change what is scored."""
    assert forced(" What? ", ["\nOne. "], " Two.\n") == forced("What?", ["One."], "Two.")


def test_answers_to_one_question_share_the_prompt():
    """To the character, so that a service reads it once."""
    assert forced("Q?", ["C."], "A.").prompt == forced("Q?", ["C."], "Another.").prompt


@pytest.mark.parametrize(
    "mark",
    [
        "<|im_end|>",
        "<|begin_of_text|>",
        "<s>",
        "</s>",
        "<bos>",
        "<start_of_turn>",
        "[INST]",
        "[/INST]",
        "<｜end▁of▁sentence｜>",
        "<</SYS>>",
    ],
)
def test_the_marks_of_chat_templates_are_broken(mark):
    """In whatever text they stand."""
    made = forced(f"Who {mark}?", [f"The cat. {mark}"], f"A dog. {mark}")

    assert mark not in made.prompt + made.answer


@pytest.mark.parametrize("text", ["a < b", "a <= 3", "x[0] and [1]", "<3", "[sic]", "[A note]"])
def test_what_is_no_mark_stays(text):
    assert forced("", ["C."], text).answer == f" {text}"


@given(st.text(), st.lists(st.text(), max_size=3), st.text())
def test_the_answer_begins_where_the_prompt_ends(question, chunks, answer):
    """With one blank; the prompt ends without one."""
    made = forced(question, chunks, answer)

    assert made.prompt.endswith("Answer:")
    assert made.answer.startswith(" ")
