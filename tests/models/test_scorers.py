"""Which LLM a name means, and what the names are that mean none."""

from __future__ import annotations

import sys

import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.openai_scorer import OpenAIScorer
from cgs_rag.models.scorers import create_scorer
from tests.models.ollama_server import NAME, ollama_serving
from tests.models.openai_server import NAME as OPENAI_NAME
from tests.models.openai_server import openai_serving
from tests.models.small_llm import Bigrams
from tests.models.tiny import save_causal

LM = Bigrams()
LOCK = Forced("The lock", " costs 49 euros.")
URL = "http://localhost:1"


def test_ollama_is_asked_at_its_address_for_a_model_with_a_tag():
    with ollama_serving(LM) as server:
        scorer = create_scorer(f"ollama:{NAME}", url=server.url)

        assert scorer.score([LOCK]) == [TokenScores(tuple(LM.exact(*LOCK)))]
        assert (scorer.name, scorer.version()) == (f"ollama:{NAME}", "0.12.11")
        assert scorer.method.startswith("stepwise")


def test_openai_is_asked_at_the_address_of_the_environment(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with openai_serving(LM) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        scorer = create_scorer(f"openai:{OPENAI_NAME}", url=URL)

        assert scorer.score([LOCK]) == [TokenScores(tuple(LM.exact(*LOCK)))]
        assert scorer.method == "exact, prompt_logprobs"


def test_transformers_reads_a_folder(tmp_path):
    scorer = create_scorer(f"transformers:{save_causal(tmp_path)}", url=URL, device="cpu")

    (found,) = scorer.score([Forced("Who?", "a")])
    assert isinstance(found, TokenScores)
    assert scorer.method == "exact"


def test_a_device_that_is_not_there_is_a_reason(tmp_path):
    scorer = create_scorer(f"transformers:{save_causal(tmp_path)}", url=URL, device="cuda:99")

    (found,) = scorer.score([Forced("Who?", "a")])
    assert "cuda:99" in found.reason


def test_llamacpp_reads_a_file(tmp_path):
    scorer = create_scorer(f"llamacpp:{tmp_path}/none.gguf", url=URL)

    (found,) = scorer.score([LOCK])
    assert isinstance(found, Unscored)
    assert "token by token" in scorer.method


@pytest.mark.parametrize("name", ["ollama:m", "openai:m", "llamacpp:m.gguf"])
def test_without_httpx_the_reason_is_how_to_install_it(name, monkeypatch):
    for module in list(sys.modules):
        if module.startswith("cgs_rag.models."):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "httpx", None)
    scorer = create_scorer(name, url=URL)

    assert "pip install httpx" in scorer.missing()
    assert scorer.score([LOCK]) == [Unscored(scorer.missing())]
    assert (scorer.name, scorer.method) == (name, "not asked")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("ollama:m", "nonsense"),
        ("ollama:m", "http://me:s3cret@h:1/?x"),
        ("llamacpp:http://me:s3cret@h:1/?x", URL),
    ],
)
def test_an_address_that_is_none_is_refused_at_once_and_its_password_not_told(name, url):
    with pytest.raises(InvalidInputError, match="the address of a service") as raised:
        create_scorer(name, url=url)

    assert "s3cret" not in str(raised.value)


def test_an_address_of_openai_that_is_none_is_refused_at_once_with_its_variable(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "me:s3cret@h.test/v1")
    for make in (lambda: create_scorer("openai:m", url=URL), lambda: OpenAIScorer("m")):
        with pytest.raises(InvalidInputError, match="OPENAI_BASE_URL") as raised:
            make()
        assert "s3cret" not in str(raised.value)

    assert OpenAIScorer("m", "http://localhost:1/v1").url == "http://localhost:1/v1"


def test_a_key_of_openai_that_can_not_be_sent_is_refused_at_once_with_its_variable(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "s3crét")
    with pytest.raises(InvalidInputError, match="OPENAI_API_KEY") as raised:
        create_scorer("openai:m", url=URL)

    assert "s3cr" not in str(raised.value)


@pytest.mark.parametrize(
    "place", ["me:s3cret@h.test:1", "me:s3@cret@h.test:1", "me:s 3cret@h.test:1"]
)
@pytest.mark.parametrize("scheme", ["http", "HTTP", " http"])
def test_an_address_is_told_without_its_password(scheme, place, caplog):
    caplog.set_level(1)
    name = f"llamacpp:{scheme}://{place}".replace("h.test", "127.0.0.1")
    scorer = create_scorer(name, url=URL)
    given = scorer.name
    told = f"{given} {scorer!r} {scorer.missing()} {scorer.score([LOCK])} {caplog.text}"

    assert given == f"llamacpp:{scheme}://127.0.0.1:1"
    assert scorer.name == "llamacpp:http://127.0.0.1:1"
    assert "cret" not in told


def test_a_name_that_means_none_is_refused_without_the_password_in_it():
    with pytest.raises(InvalidInputError) as raised:
        create_scorer("http://me:s3cret@h.test", url=URL)

    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("source", ["ollama", "openai", "transformers"])
def test_an_address_in_the_place_of_a_model_is_refused_without_its_password(source):
    with pytest.raises(InvalidInputError, match="an address where a model is wanted") as raised:
        create_scorer(f"{source}:http://me:s3cret@h.test:11434", url=URL)

    assert "s3cret" not in str(raised.value)
    assert "ollama_url" in str(raised.value)


def test_an_address_of_ollama_that_is_none_is_refused_before_it_is_stored():
    with pytest.raises(InvalidInputError) as raised:
        create_scorer("ollama:m", url="me:s3cret@h.test:11434")

    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize(
    "name", ["ollama:llama3.2:1b", "openai:org/m", "transformers:org/m", "llamacpp:/a/b.gguf"]
)
def test_a_name_is_kept_and_nothing_is_asked_or_loaded(name):
    assert create_scorer(name, url=URL).name == name


@pytest.mark.parametrize(
    "name", ["", "llama3.2", "ollama", "ollama:", "ollama:  ", "gpt:4", "Ollama:m", ":m", "x" * 999]
)
def test_a_name_that_means_none_is_refused_with_what_does(name):
    with pytest.raises(InvalidInputError) as raised:
        create_scorer(name, url=URL)

    message = str(raised.value)
    assert repr(name)[:80] in message
    for source in ("ollama", "openai", "transformers", "llamacpp"):
        assert f"'{source}:<model>'" in message
    assert len(message) < 400
