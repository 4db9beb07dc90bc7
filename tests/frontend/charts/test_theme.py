"""Colors: both themes name all, and lines and words stand out from their ground."""

import pytest

from frontend.charts.parts import COLORS, themes
from tests.frontend.charts.drawn import figures
from tests.frontend.charts.painting import paint


def luminance(color: str) -> float:
    """Return the relative luminance that WCAG 2 defines."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["blue", "sky", "green", "orange", "vermillion", "purple", "grey"])
def test_lines_stand_out_from_their_ground(name: str, theme: str) -> None:
    line, ground = luminance(COLORS[theme][name]), luminance(COLORS[theme]["surface"])
    assert (max(line, ground) + 0.05) / (min(line, ground) + 0.05) >= 3


def test_the_browser_gets_both_themes() -> None:
    assert set(themes()["colours"]) == {"light", "dark"}
    assert themes()["colours"]["light"].keys() == themes()["colours"]["dark"].keys()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", figures())
def test_words_in_a_picture_can_be_read(name: str, theme: str) -> None:
    figure = paint(figures()[name], theme)
    fonts = [note.get("font", {}) for note in figure["layout"].get("annotations", [])]
    fonts += [trace.get("textfont", {}) for trace in figure["data"]]
    ground = luminance(COLORS[theme]["surface"])
    for font in fonts:
        ink = luminance(font.get("color", COLORS[theme]["ink"]))
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5, font
