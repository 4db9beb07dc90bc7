"""Work managers and constraints in files: read, written in one way, and patched."""
