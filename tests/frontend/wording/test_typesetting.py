"""Where a line of a page may not break."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from frontend.wording.typesetting import unbroken
from planner.models import Run


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("p95 is 612 ± 9 ms", "p95 is 612_±_9_ms"),
        ("90 % of 1,000 messages in 5 min", "90_% of 1,000_messages in 5_min"),
        ("4 of 18 sit; 3 hours", "4 of 18 sit; 3 hours"),
        ('<input value="200 ms"> takes 200 ms', '<input value="200 ms"> takes 200_ms'),
        ("<pre>mean: 200 ms</pre> <code>1 s</code>", "<pre>mean: 200 ms</pre> <code>1 s</code>"),
        ('<script>"9 ± 1 ms"</script>', '<script>"9 ± 1 ms"</script>'),
    ],
)
def test_no_line_breaks_beside_a_sign_or_before_a_unit(html: str, kept: str) -> None:
    assert unbroken(html).replace("\xa0", "_") == kept


def test_a_page_is_set_so(owner: User, finished: Run) -> None:
    browser = Client()
    browser.force_login(owner)
    page = browser.get(f"/runs/{finished.pk}/").content.decode()
    sentences = page.split('id="sentences"')[-1] if 'id="sentences"' in page else page
    shown = re.sub(r"<(script|pre|code|textarea)\b.*?</\1>|<[^>]*>", "", sentences, flags=re.DOTALL)
    assert "\xa0±\xa0" in shown
    assert not re.search(r"\d ± | ± \d|\d ms\b", shown)
