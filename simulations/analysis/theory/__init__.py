"""Closed forms and exact chains: what can be known without simulating. Rates per second, times in seconds."""
