"""Configuration files of WebLogic: read, patched and written."""
