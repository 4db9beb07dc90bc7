"""What may be asked of an experiment is described from the questions themselves."""

from planner.api.schemas.experiments import ExperimentIn
from simulations.experiment.questions import MODELS


def test_every_field_of_every_question_is_described_and_has_no_default() -> None:
    described = ExperimentIn.model_json_schema()["properties"]
    for model in MODELS.values():
        for name in model.model_fields.keys() - ExperimentIn.model_fields.keys():
            assert described[name]["description"], name
            assert "default" not in described[name], name
