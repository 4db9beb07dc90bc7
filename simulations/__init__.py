"""Sluice's engine, platform knowledge and Spark pipeline: a pure Python library without Django."""

ENGINE_VERSION = "0.7.0"
"""Part of every result: changes whenever the same scenario and seed may give another number."""
