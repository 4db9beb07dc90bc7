"""The views: each reads the request, calls a service or a selector, and writes the answer."""
