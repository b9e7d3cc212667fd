"""Score three answers over the same context: a grounded, a hallucinated and a partly supported one.

Run by ``./scripts/quickstart``; needs no network and no LLM.
"""

from __future__ import annotations

import sys

from cgs_rag import CGSDetector

QUESTION = "What does the Halden bike lock cost, and how long is its warranty?"
CHUNKS = [
    "The Halden bike lock is made of hardened steel and weighs 1.4 kg. It costs 49 euros.",
    "Halden locks come with a warranty of five years. Lost keys can be ordered by post.",
]
ANSWERS = {
    "a grounded answer": "The Halden bike lock costs 49 euros. Its warranty lasts five years.",
    "a hallucinated answer": "Halden was founded by two brothers in Oslo who also sell helmets.",
    "a partly supported answer": (
        "The Halden bike lock costs 49 euros. It is the most popular lock in Norway."
    ),
}


def main() -> None:
    """Print the verdict on each answer."""
    detector = CGSDetector()
    results = detector.score_batch(
        [QUESTION] * len(ANSWERS), list(ANSWERS.values()), [CHUNKS] * len(ANSWERS)
    )
    for name, result in zip(ANSWERS, results, strict=True):
        sys.stdout.write(f"--- {name}\n{result.explain(ascii=True)}\n\n")


if __name__ == "__main__":
    main()
