"""The documents behind the family of Open MQ and GlassFish."""

ADMIN = "Open MQ Administration Guide"
FLOW = "Consumer flow control and message-driven beans"
CONTAINER = "GlassFish reference, mdb-container"
ADAPTER = "Open MQ Administration Guide, resource adapter"
OWN_MODEL = "Sluice, model of Open MQ"
