"""Logs and samples of systems whose truth is known."""
