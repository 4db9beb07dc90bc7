"""The list of licenses names every package that runs Sluice, each with what it states."""

import re

from docs.licenses import REQUIREMENTS, licenses_page


def test_every_pinned_package_states_a_license() -> None:
    rows = re.findall(r"^\| ([\w.-]+) \| ([\w.]+) \| (.+) \|$", licenses_page("<!-- made -->"), re.MULTILINE)
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", REQUIREMENTS.read_text(), re.MULTILINE)
    assert [row[:2] for row in rows] == [("Package", "Version"), *sorted(pins)]
    assert all(license != "not stated" and len(license) > 1 for _, _, license in rows)
    assert ("django", "5.2.19", "BSD-3-Clause") in rows or ("django", "5.2.19", "BSD License") in rows
