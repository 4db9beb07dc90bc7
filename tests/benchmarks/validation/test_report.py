"""The report: every number reaches its table."""

from benchmarks.validation.campaign import Comparison, Effort, Findings
from benchmarks.validation.coverage import Coverage
from benchmarks.validation.mechanism_models import FlowStep
from benchmarks.validation.peers import Agreement
from benchmarks.validation.report import TELEMETRY, document, parts_apart, section, with_judged, with_section
from simulations.analysis.estimates.summary import Estimate

SMALL = Effort(messages=8000, replications=6, experiments=4)


def test_numbers_reach_the_report() -> None:
    line = Comparison("M/M/1", "M/M/1", "latency.mean", 0.5, Estimate(0.51, 0.49, 0.53, "s"))
    peer = Agreement("SimPy", "a throttle", "latency.mean", (0.5, 0.01), (0.52, 0.003))
    coverage = {"M/M/1, load 0.5": {"latency.p95": Coverage(100, 94, 0.0123, -0.001, 12.5)}}
    text = document(Findings((line,), (FlowStep(6.0, 397.16412, 397.2),), (peer,), coverage, coverage), SMALL)
    assert "1 of 1 exact values" in text
    assert "| M/M/1 | M/M/1 | latency.mean | 0.5 | 0.51 | 0.49 to 0.53 s | yes |" in text
    assert "| M/M/1, load 0.5 | latency.p95 | 94.0% (87.5% to 97.2%) | 1.23% | -0.10% |" in text
    assert "| SimPy | a throttle | latency.mean | 0.52 ± 0.003 | 0.5 ± 0.01 | no |" in text
    assert "| M/M/1, load 0.5 | latency.p95 | 94.0% (87.5% to 97.2%) | 1.23% | -0.10% | 12.5 |" in text
    assert "| 6 | 397.164 | 397.2 |" in text
    assert "6 replications of 8,000 messages" in text
    assert (
        "| model | formula | metric | theory | simulated | 95 % interval | inside |\n|---|---|---|---|---|---|---|\n"
        in text
    )


def test_the_report_has_a_section_for_each_question() -> None:
    lines = document(Findings((), (), (), {}, {}), SMALL).splitlines()
    assert lines[0] == "# Validation"
    assert [line for line in lines if line.startswith("## ")] == [
        "## Exact answers against the simulation",
        "## Steps of producer flow control",
        "## Other simulators",
        "## Coverage of the 95 % intervals",
        "## Coverage where the precision ends the run",
    ]


def test_what_the_judge_counted_stays_when_the_rest_is_measured_anew() -> None:
    judged = {"scenarios": 60, "rows": [["formulas", "openmq", "12", "11", "1", "0"]]}
    text = document(Findings((), (), (), {}, {}), SMALL)
    once = with_judged(text, judged)
    assert "60 random scenarios" in once
    assert once.endswith("| formulas | openmq | 12 | 11 | 1 | 0 |\n")
    assert with_judged(once, judged) == once
    assert text + parts_apart(once) == once
    assert parts_apart(text) == ""


def test_sections_of_other_programs_are_written_anew_in_their_place() -> None:
    text = document(Findings((), (), (), {}, {}), SMALL)
    lines = section(TELEMETRY, ["One system."], ("system", "verdict"), [["a", "b"]])
    both = with_section(with_judged(text, {"scenarios": 1, "rows": []}), TELEMETRY, lines)
    again = with_judged(both, {"scenarios": 2, "rows": []})
    assert again == both.replace("1 random scenarios", "2 random scenarios")
    assert with_section(again, TELEMETRY, lines) == again
    assert parts_apart(again) == again.removeprefix(text)
