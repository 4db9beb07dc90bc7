"""An assumed load is marked: the identity of a queue says it, where it was told by the value before."""

from collections.abc import Mapping
from typing import Any

from django.db import migrations

_ASSUMED = {
    "arrivals": {"kind": "poisson", "rate": 10.0},
    "service": {"cpu": 0.0, "kind": "exponential", "mean": 0.1},
}


def _marks(identity: Mapping[str, Any], load: Mapping[str, Any]) -> dict[str, Any]:
    return {**identity, **{f"{part}_assumed": True for part, value in _ASSUMED.items() if load[part] == value}}


def _mark(apps: Any, _: Any) -> None:
    queues = apps.get_model("planner", "Queue").objects
    for queue in queues.exclude(identity=None).iterator():
        marked = _marks(queue.identity, {"arrivals": queue.arrivals, "service": queue.service})
        if marked != queue.identity:
            queues.filter(pk=queue.pk).update(identity=marked)
    versions = apps.get_model("planner", "ScenarioVersion").objects
    for version in versions.only("pk", "spec").iterator():
        known = [item for item in version.spec["queues"] if item.get("identity") is not None]
        marks = [_marks(item["identity"], item) for item in known]
        if marks != [item["identity"] for item in known]:
            for item, identity in zip(known, marks, strict=True):
                item["identity"] = identity
            versions.filter(pk=version.pk).update(spec=version.spec)


class Migration(migrations.Migration):
    dependencies = [("planner", "0018_report_comments")]

    operations = [migrations.RunPython(_mark, migrations.RunPython.noop, elidable=True)]
