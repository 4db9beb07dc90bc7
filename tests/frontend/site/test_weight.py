"""What the first page costs on the wire."""

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

from django.contrib.staticfiles import finders
from django.test import Client

LARGEST = 150_000


def static(address: str) -> bytes:
    """Return the content of a static file by its address."""
    path = finders.find(address.removeprefix("/static/"))
    assert isinstance(path, str), address
    return Path(path).read_bytes()


def test_the_first_page_is_light_and_needs_no_plotly(person: Client) -> None:
    page = person.get("/").content
    links = set(re.findall(rb'(?:href|src)="(/static/[^"]+)"', page))
    files = {link.decode(): static(link.decode()) for link in links}
    modules = {
        urljoin(address, name.decode())
        for address, text in files.items()
        for name in re.findall(rb'from "([./a-z]+\.js)"', text)
    }
    assert modules
    texts = [page, *files.values(), *map(static, modules - set(files))]
    fonts = [
        static(f"/static/frontend/{name.decode()}") for name in re.findall(rb'url\("\.\./([^"]+)"\)', b"".join(texts))
    ]
    assert len(fonts) == 3
    assert not any(b"plotly.min" in link for link in links)
    assert sum(len(gzip.compress(text, 6)) for text in texts) + sum(map(len, fonts)) <= LARGEST
