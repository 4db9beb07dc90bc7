"""Configuration files of WebSphere on z/OS: read, patched and written."""
