"""Every error cgs_rag raises on purpose.

    CGSError
      x InvalidInputError       (also ValueError)    an argument of the wrong type, length or range
      x ConfigError             (also ValueError)    a stored detector that can't be trusted
      x CalibrationError        (also ValueError)    labels that can't support a calibration
      x ModelUnavailableError   (also RuntimeError)  a model that is not here, or not what it says
      x SignalUnavailableError  (also RuntimeError)  a signal that was asked for and can't be read
      x BackendError            (also RuntimeError)  a model or service that failed at work

Each message holds the offending value, the accepted range, and the way out.
"""

from __future__ import annotations


class CGSError(Exception):
    """The root of all errors of this package."""


class InvalidInputError(CGSError, ValueError):
    """An argument has a wrong type, length or range."""


class ConfigError(CGSError, ValueError):
    """A stored detector is malformed, too new, or belongs to other models."""


class CalibrationError(CGSError, ValueError):
    """The labelled rows can't support a calibration."""


class ModelUnavailableError(CGSError, RuntimeError):
    """A model's weights can't be found, or are not the ones they should be."""


class SignalUnavailableError(CGSError, RuntimeError):
    """A signal that the mode or the weights demand can't be read."""


class BackendError(CGSError, RuntimeError):
    """A model or service was reached and failed."""
