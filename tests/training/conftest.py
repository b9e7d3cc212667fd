"""What the training tests share: small data of its own, a mix over it, and a tiny encoder."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from tests.models.tiny import SPECIAL, sizes
from training.mix import load_mix
from training.rows import Rows, load_rows

POSITIONS = 256
MIX = """
seed = 1
holdout = 4
max_tokens = 64

[made]
asked = 120
told = 40
clozed = 40
misplaced = 24
abstained = 24
edited = 80
joined = 40
tables = 40
foreign = 40
nearby = 40
extended = 40
swapped = 40
yes_no = 40
confirmed = 40
restated = 0.3
surrounded = 0.3

[pairs.rooms]
rows = 400
licence = "MIT"
repeat = 2

[pairs.lakes]
rows = 60
passages = true
licence = "none stated (own sentences)"

[questions.mills]
rows = 150
licence = "Apache-2.0"

[questions.choices]
rows = 30
licence = "none stated"
"""
STEMS = ("Ar", "Bel", "Cor", "Dun", "Ell", "Far", "Gor", "Hal", "Ing", "Kel")
ENDS = ("den", "ford", "ley", "more", "stead", "wick")
FIRST = ("Anna", "Boris", "Carla", "David", "Elena", "Frank", "Greta", "Henry", "Irene", "Jonas")
LAST = ("Berg", "Lund", "Moss", "Nash", "Ortiz", "Price")
WARES = ("flour", "paper", "cloth", "timber", "oil")
LABELS = ("entailment", "neutral", "contradiction", "supported", "unsupported")


def town(at: int) -> str:
    """One of 60 names."""
    return STEMS[at % 10] + ENDS[at // 10 % 6]


def person(at: int) -> str:
    """One of 60 names."""
    return f"{FIRST[at % 10]} {LAST[at // 10 % 6]}"


def mill(at: int) -> str:
    """A passage; no two share a sentence that tells where it is from."""
    return (
        f"The mill in {town(at)} was built in {1801 + at} by {person(at)}. "
        f"About {200 + 7 * at} people work there today. "
        f"It sells {WARES[at % 5]} to shops in {town(at + 7)}. "
        f"The owner, {person(at + 23)}, opens its doors to visitors on {1 + at % 28} May."
    )


def write_records(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    """A file as the data comes in."""
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in records)
    return path


def _rooms() -> Iterator[dict[str, str]]:
    for at in range(100):
        shop, count = f"The shop in {town(at)}", 20 + at
        told = (
            f"{shop} has rooms.",
            f"{shop} sells bread.",
            f"{shop} has no rooms.",
            f"{shop} has {count} rooms.",
            f"{shop} has {count + 500} rooms.",
        )
        for label, hypothesis in zip(LABELS, told, strict=True):
            yield {
                "premise": f"{shop} has {count} rooms on two floors.",
                "hypothesis": hypothesis,
                "label": label,
            }


def _lakes() -> Iterator[dict[str, str]]:
    for at in range(60):
        lake = f"Lake {STEMS[at % 10]}{LAST[at // 10].lower()}"
        yield {
            "premise": (
                f"{lake} is {30 + at} km long and was mapped by {person(at)} in {1850 + at}. "
                f"It is colder than the sea near {town(at)}. "
                f"In {town(at + 3)} there are {40 + at} boats, all of which belong to the village."
            ),
            "hypothesis": f"{lake} is {30 + at if at % 2 else 330 + at} km long.",
            "label": "entailment" if at % 2 else "contradiction",
        }


def _mills() -> Iterator[dict[str, str]]:
    for at in range(50):
        for question, answer in (
            ("When was the mill built?", str(1801 + at)),
            (f"Who built the mill in {town(at)}?", person(at)),
            ("What does the mill sell?", WARES[at % 5]),
        ):
            yield {"context": mill(at), "question": question, "answer": answer}


def _choices() -> Iterator[dict[str, Any]]:
    for at in range(30):
        way = f"from {town(at)} to {town(at + 1)}"
        yield {
            "context": f"{person(at)} walked {way} and met nobody else.",
            "question": f"Was {person(at)} alone?",
            "answer": "yes",
            "wrong_answers": ["no"],
        }


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> Iterator[None]:
    """Tiny models gain nothing from more, and wait long for one another on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """The files of the sources that the mix names."""
    folder: Path = tmp_path_factory.mktemp("data")
    for name, records in (
        ("rooms", _rooms()),
        ("lakes", _lakes()),
        ("mills", _mills()),
        ("choices", _choices()),
    ):
        write_records(folder / f"{name}.jsonl.gz", list(records))
    return folder


@pytest.fixture(scope="session")
def mix_file(tmp_path_factory) -> Path:
    """A mix with every maker."""
    path: Path = tmp_path_factory.mktemp("mix") / "small.toml"
    path.write_text(MIX, encoding="utf-8")
    return path


@pytest.fixture
def mix(mix_file) -> dict[str, Any]:
    """The mix, a fresh one for each test to change."""
    return load_mix(mix_file)


@pytest.fixture(scope="session")
def rows(mix_file, data) -> Rows:
    """The rows of the mix; nothing changes them."""
    return load_rows(load_mix(mix_file), data)


@pytest.fixture(scope="session")
def encoder(tmp_path_factory, data) -> Path:
    """A tiny encoder with random weights that knows every word of the data."""
    folder: Path = tmp_path_factory.mktemp("encoder")
    known: set[str] = set()
    for path in data.iterdir():
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            known.update(re.findall(r"\w+|[^\w\s]", stream.read().lower()))
    vocabulary = {word: at for at, word in enumerate([*SPECIAL, *sorted(known)])}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")],
    )
    tokens = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=POSITIONS, **tokens
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(**sizes(vocab_size=len(vocabulary), max_position_embeddings=POSITIONS))
    BertModel(config).save_pretrained(folder)
    return folder
