"""Vendor configuration to scenarios and back."""
