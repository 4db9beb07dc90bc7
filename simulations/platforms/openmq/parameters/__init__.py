"""The settings of Open MQ and GlassFish, each declared once."""
