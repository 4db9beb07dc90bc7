"""Answers travel compressed where that pays."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

AT_ONCE = "text/event-stream"
"""A compressor would hold events back until there are enough of them."""


class TextCompression(GZipMiddleware):
    """Compresses texts, not files that are compressed themselves.

    What a page holds of the CSRF secret is masked anew in each answer, and Django adds a random number of bytes to each
    compressed one, so that sizes tell nothing about secrets.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed if it is text and the client understands gzip."""
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        is_text = kind.startswith("text/") or kind.endswith("json")
        return super().process_response(request, response) if is_text and kind != AT_ONCE else response
