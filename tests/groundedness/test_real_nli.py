"""Groundedness with the bundled NLI model, on the published example."""

from __future__ import annotations

import pytest

from cgs_rag import Groundedness
from tests.groundedness.fakes import CONTEXT, RESPONSE

pytestmark = pytest.mark.models


def test_the_published_example_comes_out_as_published():
    found = Groundedness().run(context=CONTEXT, response=RESPONSE)

    assert (found.result, f"{found.score:.2f}") == ("Fail", "0.67")
    assert found.explanation == (
        "There is no evidence of the following sentence in the context:\n"
        '  - "In exchange, they take 7% equity"'
    )
