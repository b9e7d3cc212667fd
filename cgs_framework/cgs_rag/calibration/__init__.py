"""Calibration: directions, weights and threshold from labelled answers, with honest figures."""
