"""The bodies of the API, from which its OpenAPI document is made."""
