"""The rules of ``statements``: what may be read as a statement, and what only arranges."""

from __future__ import annotations

import pytest

from cgs_rag.statements import head_may_state, is_code, may_state, only_leads_in


@pytest.mark.parametrize(
    "title",
    [
        *("Price: 99 euros", "Price: high", "49", "Ninety euros", "Founded in May", "Deadly!"),
        *("Price – high", "Status → recalled"),
        *("Acme withdraws lock", "Acme Acquired Beta", "Made in China", "No refunds", "Not safe"),
        *("Lock banned everywhere", "The lock isn't safe", "Unsafe for children. Do beware"),
        *("Is it safe, or did 3 die?", "It is safe, right?", "价格九十九欧元"),
        "Lock w\u200bas shut",
        "A long heading that goes on and on about everything",
    ],
)
def test_a_title_that_tells_something_may_state_it(title):
    """A clause, a figure, a denial, an event, a colon, or many words."""
    assert may_state(title)


@pytest.mark.parametrize(
    "title",
    [
        *("Price", "Key Features and Benefits", "Step 2: Install the Package", "1. Introduction"),
        *("What does it cost?", "How It Works", "Frequently Asked Questions", "Tools Needed"),
        *("Related Work", "Early Life and Career", "Causes of the War", "一、概述", "主要特点"),
        *("The Locks Act", "Note:", "**Colour:**", "Recommended dosage", "Area (m²)"),
    ],
)
def test_a_title_that_only_names_what_follows_states_nothing(title):
    """Also one with its number in the answer."""
    assert not may_state(title)


@pytest.mark.parametrize("head", ["| Item | Price |", "Item | Costs | Notes", "| Name | Uses |"])
def test_a_head_of_nouns_states_nothing(head):
    """It names the columns."""
    assert not head_may_state(head)


@pytest.mark.parametrize("head", ["| Price | 99 |", "| It is blue | a |", "| the lock | is old |"])
def test_a_head_with_a_figure_or_a_clause_may_state_it(head):
    """Also over more than one cell."""
    assert head_may_state(head)


@pytest.mark.parametrize(
    "line",
    [
        *("The system requires:", "Key dates:", "Here are the steps:", "These are:", "Run this:"),
        *("The lock has the following parts:", "The requirements are as follows:", "You can:"),
        *("Based on the provided context, the key features are:", "Symptoms may include:"),
        *("The following documents are required:", "Here's how it works:", "There are many ways:"),
        *("To open it, follow these steps:", "The parts are listed below:", "Die Teile sind:"),
        *("The table below shows the prices:", "步骤如下：", "Let me explain:"),
    ],
)
def test_a_line_whose_verb_the_items_go_on_from_only_leads_in(line):
    """So does one without a verb."""
    assert only_leads_in(line)


@pytest.mark.parametrize(
    "line",
    [
        *("The lock was recalled by Acme:", "The lock kills people:", "These locks were recalled:"),
        *("The lock is old and has these parts:", "The following locks were recalled:"),
        *("The price, which is high, includes:", "It has 2 keys:", "It never fails:", "Key dates"),
        *("Here is why the lock was recalled:", "Price: high, with:", "Recalled. Reasons:"),
    ],
)
def test_a_line_that_says_more_does_not_only_lead_in(line):
    """It is a claim."""
    assert not only_leads_in(line)


@pytest.mark.parametrize(
    "line",
    [
        *("x = 99", "for i in range(3): print(i)", "pip install locks", "return 5", "sleep 10"),
        *("if self._x is not None:", "rm -rf /tmp/a", '{"height": 80}', "i += 1", "a. b. c.", "x"),
        *("SELECT name FROM locks;", "# A note", 'open("a file")', "| grep x", "import dam"),
        *("SELECT name FROM locks", "apt-get install lock key bolt", "exit 1", "x is not None"),
        *(
            "from pathlib import Path",
            "if not conv:",
            "while x:",
            "# x = 99",
            "stdin, stdout, stderr, mode,",
        ),
    ],
)
def test_a_line_of_code_is_code(line):
    """In the usual languages."""
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    [
        *("It costs 99 euros", "Price: 99", "the lock kills", "99 euros", "Not safe", "价格99欧元"),
        *("in 2021 it was closed", "if you open it, it explodes", "new locks cost 99 euros"),
        *("return the lock to us", "not safe", "- 3 dead", "Lock,99"),
        *("€99", "Price=99 euros", "# Price: 99 euros", "x = 1  # price 99"),
        *("x = 1  # it was closed", 'echo "It was closed"', "// it was closed", "<p>It is old</p>"),
    ],
)
def test_a_line_of_prose_is_no_code(line):
    """Nor is one that holds a clause in a comment or a string."""
    assert not is_code(line)
