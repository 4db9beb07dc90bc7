"""`manage.py headroom FILE`: how far the arrivals can grow before an objective is missed."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from planner.answers.text_tables import text_table
from planner.management.asking import QuestionCommand
from planner.management.exits import EXIT_OBJECTIVE_MISSED, FAILURES
from planner.selectors import Experiment
from simulations.analysis.estimates.summary import percent, significant
from simulations.declarations.tables import table_beside

ROWS: Mapping[str, str] = table_beside(__file__, "headroom.yaml")


class Command(QuestionCommand):
    """Multiplies all arrivals until an objective is missed and until the backlog grows."""

    help = f"Print how far the arrivals can grow. Exit codes: 0 done, 1 today's load is too much, {FAILURES}."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        for name, default in (("least", 0.1), ("most", 10.0)):
            meaning = f"{name} that is tried (default {default})"
            parser.add_argument(f"--{name}", type=float, default=default, metavar="FACTOR", help=meaning)
        growth = "of the arrivals a year, for example 30%%; tells in which month they reach the limit"
        parser.add_argument("--growth", metavar="SHARE", help=growth)

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": "headroom"} | {name: options[name] for name in ("least", "most", "growth")}

    def text(self, experiment: Experiment) -> str:
        body = self.body(experiment)
        values = {words: (body["factor"][name], body["rate"][name]) for name, words in ROWS.items()}
        rows = [[words, *("-" if it is None else significant(it) for it in pair)] for words, pair in values.items()]
        table = text_table(["load", "times today's", "messages/s"], rows)
        carried = body["factor"]["carried"]
        if not carried:
            return table
        lines = [f"Today's load is {percent(1 / carried)} of the largest that was met."]
        if body["reached"]:
            lines.append(body["reached"]["sentence"])
        return "\n".join([table, "", *lines])

    def exit_code(self, body: Mapping[str, Any]) -> int:
        """Return 1 where today's arrivals miss an objective already."""
        return EXIT_OBJECTIVE_MISSED if body["factor"]["carried"] < 1 else 0
