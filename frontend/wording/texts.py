"""Tables of words that the pages show, from ``texts.yaml``, which says what each is about."""

from collections.abc import Mapping

from simulations.declarations.tables import table_beside

TEXTS: Mapping[str, Mapping[str, str]] = table_beside(__file__, "texts.yaml")
