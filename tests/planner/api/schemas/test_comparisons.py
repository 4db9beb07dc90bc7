"""Subjects of a comparison as bodies, with and without a run that answers for them."""

from types import SimpleNamespace

from planner.api.schemas.comparisons import SubjectOut


def test_a_subject_without_a_run_is_missing_and_has_no_replications() -> None:
    version = SimpleNamespace(scenario_id="scn_1", number=3)
    bare = SubjectOut.of(SimpleNamespace(key="scn_1:3", version=version, run=None, point=None))
    assert bare.model_dump() == {
        "subject": "scn_1:3",
        "scenario": "scn_1",
        "version": 3,
        "run": None,
        "status": "missing",
        "point": None,
        "replications": 0,
    }


def test_a_subject_has_the_status_of_its_run_and_the_replications_of_its_point() -> None:
    version = SimpleNamespace(scenario_id="scn_1", number=3)
    point = SimpleNamespace(index=2, summary=SimpleNamespace(replications=40))
    run = SimpleNamespace(pk="run_7", status="succeeded")
    body = SubjectOut.of(SimpleNamespace(key="run_7:2", version=version, run=run, point=point))
    assert (body.run, body.status, body.point, body.replications) == ("run_7", "succeeded", 2, 40)
