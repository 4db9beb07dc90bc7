"""Which form an answer has: what ``Accept`` asks for, or what the address says."""

from collections.abc import Sequence

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

JSON = "application/json"


def forms(*media_types: str) -> tuple[type[BaseRenderer], ...]:
    """Return the ``renderer_classes`` of a view that answers in these forms, the first where the caller has no wish.

    The framework only chooses by them; views write their answers themselves.
    """
    return tuple(
        type("Form", (BaseRenderer,), {"media_type": media_type, "format": media_type.rpartition("/")[2]})
        for media_type in media_types
    )


class ByAddress(DefaultContentNegotiation):
    """For addresses that have one form, such as ``.csv``: they say it, whatever ``Accept`` lists."""

    def select_renderer(  # type: ignore[override]
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the one there is."""
        return renderers[0], str(renderers[0].media_type)
