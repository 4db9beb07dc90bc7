"""`manage.py generate_validation`: measures the engine against exact answers and writes docs/validation.md."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.settings.environment import BASE_DIR
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate
from simulations.validation.campaign import Effort, validate
from simulations.validation.report import document, judged_part, with_judged


class Command(BaseCommand):
    """Simulates every oracle and the coverage experiments; the full effort takes hours, a small one minutes."""

    help = "Compare the engine with formulas and other simulators, measure its intervals, write docs/validation.md."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        effort = Effort()
        parser.add_argument("--messages", type=int, default=effort.messages, help="messages of a replication")
        parser.add_argument("--replications", type=int, default=effort.replications, help="replications of an answer")
        parser.add_argument("--experiments", type=int, default=effort.experiments, help="experiments per model")
        parser.add_argument(
            "--peer-messages", type=int, default=effort.peer_messages, help="messages of another simulator"
        )
        parser.add_argument("--seed", type=int, default=effort.seed, help="first seed")
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes that simulate")
        parser.add_argument("--output", type=Path, default=BASE_DIR / "docs" / "validation.md", help="file to write")
        parser.add_argument("--judged", type=Path, help="write only the section about this file of `tests.judge`")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and write, or only write what the judge counted."""
        before = options["output"].read_text(encoding="utf-8") if options["output"].exists() else ""
        if options["judged"]:
            text = with_judged(before, json.loads(options["judged"].read_text(encoding="utf-8")))
            options["output"].write_text(text, encoding="utf-8")
            return
        effort = Effort(**{name: options[name] for name in Effort.__dataclass_fields__})
        with ProcessPoolExecutor(options["processes"], get_context("spawn")) as processes:
            text = document(validate(_simulate, effort, processes.map), effort) + judged_part(before)
        options["output"].write_text(text, encoding="utf-8")
        self.stdout.write(f"written: {options['output']}")


def _simulate(network: NetworkSpec, seed: int, replication: int) -> ReplicationResult:
    return replicate(network, seed=seed, replication=replication)
