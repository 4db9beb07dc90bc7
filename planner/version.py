"""The version of the REST API."""

API_VERSION = "1.0.0"
"""Additive changes only within a major version."""
