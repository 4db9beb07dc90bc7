"""The rules of Open MQ and GlassFish as data, and the functions that check them."""
