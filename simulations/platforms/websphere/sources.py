"""The documents behind the family of WebSphere."""

LISTENER_POOL = "Message listener service thread pool"
MODES = "Message processing in ASF mode and non-ASF mode"
AVOIDING = "Avoiding transaction timeouts in non-ASF mode"
CONNECTIONS = "Determining the number of TCP/IP connections created from WebSphere to IBM MQ"
ADAPTER_POOL = "Tuning the WMQJCAResourceAdapter thread pool"
THROTTLING = "Throttling messages for message-driven beans on the default messaging provider"
OWN_MODEL = "Sluice, model of WebSphere listener ports"
