"""The forms in which the bundled NLI model can be stored: how each is written, and read."""

from __future__ import annotations

import importlib
import json
import shutil
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor
from transformers import BertConfig

from cgs_rag.models.compact import pack
from cgs_rag.models.entailer import BundledEntailer
from cgs_rag.models.forward_pass import ForwardPass
from cgs_rag.models.manifest import CONFIG_FILE, MANIFEST_FILE, TOKENIZER_FILE, Manifest
from cgs_rag.models.network import Network
from cgs_rag.models.pair_classifier import LABELS, PairClassifier
from cgs_rag.models.reader import Reader
from cgs_rag.models.weights import WEIGHTS_FILE, sha256_of

ONNX_FILE = "model.onnx"
ONNX_PACKAGES = ("onnx", "onnxruntime")
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class MissingPackageError(RuntimeError):
    """A form needs a package that is not installed."""


class OnnxEntailer(BundledEntailer):
    """The bundled model as a graph that onnxruntime runs, in place of the torch module.

    Its folder holds ``model.onnx`` instead of ``model.safetensors``. It runs with as many threads
    as torch has when it is loaded.
    """

    def _load(self) -> Network:
        runtime = importlib.import_module("onnxruntime")
        manifest, file = Manifest.read(self.folder), self.folder / ONNX_FILE
        if (found := sha256_of(file)) != manifest.sha256:  # as every form's load checks its file
            raise ValueError(f"{file}: SHA-256 is {found}, expected {manifest.sha256}")
        settings = runtime.SessionOptions()
        settings.intra_op_num_threads = torch.get_num_threads()
        session = runtime.InferenceSession(str(file), settings, providers=["CPUExecutionProvider"])
        forward_pass = ForwardPass(
            lambda inputs: torch.from_numpy(
                session.run(None, {name: held.numpy() for name, held in inputs.items()})[0]
            ),
            width=len(LABELS),
            device=torch.device("cpu"),
            pad_id=0,
            with_types=True,
        )
        tokenizer = Tokenizer.from_file(str(self.folder / TOKENIZER_FILE))
        reader = Reader.of(tokenizer, manifest.max_tokens, tokenizer.token_to_id("[UNK]"))
        return Network(reader, forward_pass, range(len(LABELS)), manifest.temperature)


class Form(NamedTuple):
    """What the weights file of a form is called, and what writes and reads it."""

    file: str
    write: Callable[[Mapping[str, Tensor], Path], None]
    entailer: type[BundledEntailer]


def stored(name: str, state: Mapping[str, Tensor], model: Path, folder: Path) -> BundledEntailer:
    """Store the model in a form, with configuration, tokenizer and manifest; its entailer.

    Args:
        name: Of the form, one of ``FORMS``.
        state: The weights, float32.
        model: Folder of a bundled model, for all but the weights.
        folder: Is made and written to.

    Raises:
        MissingPackageError: The form needs a package that is not here.
    """
    form = FORMS[name]
    folder.mkdir()
    for file in (CONFIG_FILE, TOKENIZER_FILE):
        shutil.copyfile(model / file, folder / file)
    form.write(state, folder)
    manifest = json.loads((model / MANIFEST_FILE).read_text(encoding="utf-8"))
    manifest["sha256"] = sha256_of(folder / form.file)
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    return form.entailer(folder)


def need(packages: Sequence[str]) -> None:
    """Refuse to go on without the packages.

    Raises:
        MissingPackageError: One of them is not installed.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise MissingPackageError(
            f"needs {' and '.join(missing)}, which this project does not: install with "
            f"`pip install -c constraints.txt {' '.join(missing)}`, best in an environment apart"
        )


def _write_fp32(state: Mapping[str, Tensor], folder: Path) -> None:
    save_file(dict(state), folder / WEIGHTS_FILE)


def _write_fp16(state: Mapping[str, Tensor], folder: Path) -> None:
    save_file({name: part.half() for name, part in state.items()}, folder / WEIGHTS_FILE)


def _write_int8(state: Mapping[str, Tensor], folder: Path) -> None:
    save_file(pack(state), folder / WEIGHTS_FILE)


def _write_onnx(state: Mapping[str, Tensor], folder: Path) -> None:
    """Weights as int8 a channel; activations are quantised as they come, batch by batch."""
    need(ONNX_PACKAGES)
    quantization = importlib.import_module("onnxruntime.quantization")
    model = PairClassifier(BertConfig.from_json_file(folder / CONFIG_FILE)).eval()
    model.load_state_dict(state)
    whole = folder / "whole.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter by tracing, which needs no more packages
        torch.onnx.export(
            model,
            _traced(),
            str(whole),
            input_names=list(_INPUTS),
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in _INPUTS},
            dynamo=False,
        )
        quantization.quantize_dynamic(
            str(whole),
            str(folder / ONNX_FILE),
            per_channel=True,
            weight_type=quantization.QuantType.QInt8,
        )
    whole.unlink()


def _traced() -> tuple[Tensor, ...]:
    """Two pairs to trace, one of them padded: without padding, the trace would forget the mask."""
    ids = torch.ones((2, 8), dtype=torch.long)
    mask, types = ids.clone(), torch.zeros_like(ids)
    mask[1, 6:], types[:, 4:] = 0, 1
    return ids, mask, types * mask


FORMS: Mapping[str, Form] = {
    "fp32": Form(WEIGHTS_FILE, _write_fp32, BundledEntailer),
    "fp16": Form(WEIGHTS_FILE, _write_fp16, BundledEntailer),
    "int8": Form(WEIGHTS_FILE, _write_int8, BundledEntailer),
    "onnx": Form(ONNX_FILE, _write_onnx, OnnxEntailer),
}
"""By name: plain float32, plain float16, ``cgs_rag.models.compact``, onnxruntime's dynamic int8."""
