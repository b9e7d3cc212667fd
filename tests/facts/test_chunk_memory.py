"""Chunks that are read once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from cgs_rag.facts.chunk_memory import ChunkMemory


def test_a_text_is_read_once():
    """The same chunk is given again."""
    memory = ChunkMemory()

    assert memory.chunk("It costs 5 euros.") is memory.chunk("It costs 5 euros.")


def test_what_was_not_used_lately_is_forgotten():
    """When more characters are held than may be."""
    memory = ChunkMemory(most_characters=10)
    first, second = memory.chunk("a" * 5), memory.chunk("b" * 5)
    assert memory.chunk("a" * 5) is first
    memory.chunk("c" * 5)

    assert memory.chunk("a" * 5) is first
    assert memory.chunk("b" * 5) is not second


def test_a_text_that_is_too_long_is_held_alone():
    """Until another one comes."""
    memory = ChunkMemory(most_characters=1)
    long = memory.chunk("a long text")

    assert memory.chunk("a long text") is long
    memory.chunk("another text")
    assert memory.chunk("a long text") is not long


def test_threads_may_share_it():
    """Each gets the chunk of its text."""
    memory = ChunkMemory(most_characters=40)
    texts = [f"It costs {n % 7} euros." for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert [chunk.text for chunk in pool.map(memory.chunk, texts)] == texts
