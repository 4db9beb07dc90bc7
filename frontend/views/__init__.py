"""Views by page: each reads with a selector, writes with a service, and renders."""
