"""One mechanism, one module."""
