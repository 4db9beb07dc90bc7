"""New values in vendor files: every other byte stays."""
