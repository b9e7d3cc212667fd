"""Loading a model, whatever its kind: the device, silence, and our errors for all that fails."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cgs_rag.errors import CGSError, InvalidInputError, ModelUnavailableError

if TYPE_CHECKING:
    import torch

_loading = threading.RLock()


def device_of(device: str | None) -> torch.device:
    """The torch device; None is the CPU, on Apple computers too.

    Raises:
        InvalidInputError: There is no such device here.
    """
    import torch

    try:
        found = torch.device(device or "cpu")
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InvalidInputError(
            f"device={device!r} is not usable here ({str(error).splitlines()[0]}); "
            'take "cpu", or "cuda", "cuda:0" or "mps" where torch finds one'
        ) from error
    return found


def ready(model: torch.nn.Module, device: torch.device, name: str) -> None:
    """Make the model ready to run: in single precision, without dropout, on the device.

    Raises:
        ModelUnavailableError: The device's memory does not hold it; it is called ``name`` there.
    """
    try:
        model.float().eval().to(device)
    except (RuntimeError, MemoryError) as error:  # torch's own is a RuntimeError
        raise ModelUnavailableError(
            f"model {name!r} could not be put on device {str(device)!r}: {first_line(error)}; free "
            'memory there, or take another device, such as device="cpu"'
        ) from error


@contextmanager
def refusing(refusal: Callable[[str], ModelUnavailableError]) -> Iterator[None]:
    """Turn what loading raises over damaged, incomplete or unknown files into ``refusal``.

    Args:
        refusal: Makes the error of the first line of what was raised.
    """
    try:
        yield
    except CGSError:
        raise
    except Exception as error:
        # The package tokenizers raises the bare class over a file it can't make out.
        if type(error) is Exception or isinstance(error, _loading_errors()):
            raise refusal(first_line(error)) from error
        raise


def first_line(error: Exception) -> str:
    """What an error says in its first line, at most 160 characters; its type if it says nothing.

    A line that ends with a colon says nothing without the next.
    """
    first, *others = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    line = first or type(error).__name__
    if others and line.endswith(":"):
        line = f"{line} {others[0]}"
    return line if len(line) <= 160 else f"{line[:157]}..."


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Keep transformers' bar and load report off the console, for this thread's loads only."""
    from transformers.utils import logging as transformers_logging

    me = threading.get_ident()
    no_op: Any = transformers_logging.EmptyTqdm  # untyped

    def drop_mine(record: logging.LogRecord) -> bool:
        return record.thread != me

    def no_bar(factory: Any, arguments: Any, options: Any) -> Any:
        if threading.get_ident() == me:
            return no_op(*arguments, **options)
        return (
            factory(*arguments, **options)
            if before is None
            else before(factory, arguments, options)
        )

    logger = logging.getLogger("transformers.modeling_utils")
    set_hook = getattr(transformers_logging, "set_tqdm_hook", lambda _: None)  # since 5
    with _loading:
        before = set_hook(no_bar)
        logger.addFilter(drop_mine)
        try:
            yield
        finally:
            logger.removeFilter(drop_mine)
            set_hook(before)


def _loading_errors() -> tuple[type[Exception], ...]:
    from huggingface_hub import errors
    from safetensors import SafetensorError

    # Of a configuration with a value of the wrong type; older versions do not look.
    wrong_type = getattr(errors, "StrictDataclassError", ValueError)
    return (
        AttributeError,
        ImportError,
        LookupError,
        MemoryError,
        OSError,
        RuntimeError,
        SafetensorError,
        TypeError,
        ValueError,
        wrong_type,
    )
