"""Threads: pools, the choice among waiting ports, growth, and service."""
