"""Configuration files of WebSphere: read, patched and written."""
