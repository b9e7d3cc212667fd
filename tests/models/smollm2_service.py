"""SmolLM2 over llama.cpp in Ollama's shapes, for a look or a measure, until it is interrupted.

``python -m tests.models.smollm2_service``
"""

from __future__ import annotations

import threading
from contextlib import suppress

from tests.models.ollama_server import NAME, ollama_serving
from tests.models.small_llm import smollm2

if __name__ == "__main__":
    with suppress(KeyboardInterrupt), smollm2() as llama, ollama_serving(llama) as server:
        print(f"{NAME} at {server.url}", flush=True)  # noqa: T201 -- what it is for
        threading.Event().wait()
