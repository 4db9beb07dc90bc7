"""What the subjects of a comparison are called."""

from collections.abc import Sequence

from frontend.wording.numbers import setting_name, setting_text
from frontend.wording.setting_names import setting_titles
from planner.selectors import Subject


def subject_labels(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return short names that tell the subjects apart: the values of a sweep, else version, else name too."""
    names = {subject.version.scenario_id for subject in subjects}
    versions = {subject.version.pk for subject in subjects}
    labels = [_label(subject, name=len(names) > 1, version=len(versions) > 1) for subject in subjects]
    return tuple(
        label if labels.count(label) == 1 else f"{label} ({place})" for place, label in enumerate(labels, start=1)
    )


def _label(subject: Subject, *, name: bool, version: bool) -> str:
    swept = " · ".join(setting_text(value, "1") for value in subject.point.overrides.values()) if subject.point else ""
    paths = list(subject.point.overrides) if subject.point else []
    if len(paths) == 1:
        swept = f"{setting_titles(subject.spec).get(paths[0], setting_name(paths[0]))} {swept}"
    parts = [
        subject.spec.name if name else "",
        f"v{subject.version.number}" if version or not swept else "",
        swept if not version or ":" in subject.key else "",
    ]
    return " ".join(part for part in parts if part)
