"""How every page, part of a page and report file is set: no line breaks beside ± nor between a number and its unit."""

import re
from typing import Any

from django.template.backends.django import DjangoTemplates, Template
from django.utils.safestring import SafeString, mark_safe

_KEPT = re.compile(
    r"<(script|style|pre|code|textarea)\b.*?</\1>|<[^>]*>|(?<=±) (?=[\d&])"
    r"|(?<=\d) (?=±|%|(?:ms|s|min|h|µs|kB|MB|GB|B|messages?|threads?|events|sessions|servants?|CPUs?)\b)",
    re.DOTALL,
)


def unbroken(html: str) -> SafeString:
    """Return the page with spaces that keep the line; tags, scripts and what can be copied as code stay as they are."""
    return mark_safe(_KEPT.sub(lambda found: "\xa0" if found[0] == " " else found[0], html))  # noqa: S308  # nosec B308


class Templates(DjangoTemplates):
    """Django's templates, each of them set."""

    def get_template(self, template_name: str) -> Any:
        """Return the template of that name; raises TemplateDoesNotExist."""
        return _Set(super().get_template(template_name).template, self)


class _Set(Template):
    def render(self, context: Any = None, request: Any = None) -> SafeString:
        return unbroken(super().render(context, request))
