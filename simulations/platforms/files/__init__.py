"""Vendor files: syntax, importing and patching."""
