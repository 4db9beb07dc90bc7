"""One transaction as a bar to scale: how long it may wait, how long it works, and where its life ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.wording.numbers import setting_text

WIDTH = 1000.0
"""Units of the view box from the start to the later of worst case and limit."""
NEEDED = ("worst_case_s", "max_receive_timeout_s", "transaction_timeout_s")


@dataclass(frozen=True)
class ScaleBar:
    """Widths of wait and work and the place of the limit in units of ``WIDTH``, each with its words."""

    wait: float
    work: float
    limit: float
    wait_text: str
    work_text: str
    limit_text: str

    @property
    def text(self) -> str:
        """The bar in words."""
        return f"One transaction to scale: {self.wait_text}, {self.work_text}, {self.limit_text}."


def scale_bar(details: Mapping[str, float]) -> ScaleBar | None:
    """Draw the numbers of a rule about the age of a transaction; None for other rules."""
    if any(name not in details for name in NEEDED):
        return None
    worst, bound, lifetime = (details[name] for name in NEEDED)
    work = lifetime - bound
    wait = worst - work
    scale = WIDTH / max(worst, lifetime)
    return ScaleBar(
        wait=round(wait * scale, 1),
        work=round(work * scale, 1),
        limit=round(lifetime * scale, 1),
        wait_text=f"waits up to {setting_text(wait, 's')}",
        work_text=f"onMessage {setting_text(work, 's')}",
        limit_text=f"ends at {setting_text(lifetime, 's')}",
    )
