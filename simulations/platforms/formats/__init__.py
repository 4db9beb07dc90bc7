"""Vendor file formats: hardened readers that keep line numbers, and writers that change the chosen settings only."""
