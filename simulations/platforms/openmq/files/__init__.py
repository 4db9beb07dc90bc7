"""Configuration files of Open MQ and GlassFish: read, patched and written."""
