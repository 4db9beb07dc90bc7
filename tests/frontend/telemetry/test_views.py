"""The telemetry pages: form, progress, verdict and account."""

import html
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from frontend.charts.telemetry import measured_text
from planner import services
from planner.errors import Unavailable
from planner.jobs.calibrate import calibration_folder
from planner.models import Calibration, Run, Scenario
from simulations.pipeline.telemetry.reading.layouts import LAYOUTS
from tests.calibrations import completed, waiting
from tests.telemetry import Story


@pytest.fixture
def queued(owner: User) -> Calibration:
    """An upload that waits."""
    return waiting(owner)


@pytest.fixture
def finished(queued: Calibration, calibrated: Story) -> Calibration:
    """The same with the result of the tests' log."""
    return completed(queued, calibrated)


def test_a_file_is_sent_and_its_page_opens(client: Client, owner: User) -> None:
    client.force_login(owner)
    assert "deliveries" in client.get("/telemetry/").content.decode()
    file = SimpleUploadedFile("orders.csv", b"arrival,start,end,queue\n1,2,3,q\n")
    answer = client.post("/telemetry/", {"file": file, "name": "May"}, follow=True)
    made = Calibration.objects.get()
    assert answer.redirect_chain[0][0] == f"/telemetry/{made.pk}/"
    page = answer.content.decode()
    assert "Waiting for a worker" in page
    assert f"/telemetry/{made.pk}/progress/" in page


def test_settings_of_the_same_name_can_be_told_apart(client: Client, owner: User, scenario: Scenario) -> None:
    client.force_login(owner)
    text = " ".join(client.get("/telemetry/").content.decode().split())
    made = scenario.version.created_at
    assert (
        f"those of {scenario.name}, WebSphere Application Server for z/OS, v1 of {made:%Y-%m-%d %H:%M} UTC</option>"
        in text
    )


def test_an_upload_that_cannot_be_stored_is_not_kept(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = []

    def refuse(*, draft: Calibration) -> None:
        folders.append(calibration_folder(calibration=draft))
        assert folders[0].exists()
        raise Unavailable("the database has no room")

    monkeypatch.setattr(services, "calibration_store", refuse)
    client.force_login(owner)
    file = SimpleUploadedFile("orders.csv", b"arrival,start,end,queue\n1,2,3,q\n")
    assert client.post("/telemetry/", {"file": file}).status_code == 503
    assert [folder.exists() for folder in folders] == [False]


@pytest.mark.parametrize(
    ("sent", "said"),
    [({}, "choose a file"), ({"location": "/etc/passwd.csv"}, "TELEMETRY_ROOTS"), ({"location": "a.txt"}, ".csv")],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(
    client: Client, owner: User, sent: dict[str, str], said: str
) -> None:
    client.force_login(owner)
    answer = client.post("/telemetry/", sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Calibration.objects.exists()


@pytest.mark.spark
def test_a_sensitivity_begins_with_the_intervals_that_were_measured(
    client: Client, owner: User, finished: Calibration, calibrated: Story
) -> None:
    client.force_login(owner)
    made = services.calibration_scenario(calibration=finished, actor=owner)
    address = f"/scenarios/{made.pk}/explore/"
    page = client.get(address, {"tab": "sensitivity"}).content.decode()
    mean = calibrated.outcome.queues[0].service_mean
    assert mean.low is not None
    assert mean.high is not None
    assert f"queues.orders.service.mean: {mean.low:.4g} to {mean.high:.4g}" in page
    assert f'<a href="/telemetry/{finished.pk}/">' in page
    offered = page.split('name="uncertain"')[1].split(">", 1)[1].split("</textarea>")[0]
    assert client.post(address, {"tab": "sensitivity", "uncertain": html.unescape(offered)}).status_code == 302
    assert len(Run.objects.get(kind="sensitivity").question["inputs"]) == len(offered.splitlines())


@pytest.mark.spark
def test_a_result_is_shown_with_verdict_account_and_charts(
    client: Client, owner: User, finished: Calibration, calibrated: Story
) -> None:
    client.force_login(owner)
    page = client.get(f"/telemetry/{finished.pk}/").content.decode()
    assert "<strong>Validated at the load of the log</strong>" in page
    for check in calibrated.outcome.checks:
        assert check.sentence in page
    for reason in ("encoding", "duplicate", "clock_backwards"):
        assert f'data-reason="{reason}"' in page
    assert [f'data-chart="{key}"' in page for key in ("checks", "rate", "service")] == [True, True, True]
    progress = client.get(f"/telemetry/{finished.pk}/progress/")
    assert progress["HX-Refresh"] == "true"


@pytest.mark.spark
def test_samples_are_shown_without_percentiles_and_with_what_was_assumed(
    client: Client, owner: User, queued: Calibration, sampled: Story
) -> None:
    client.force_login(owner)
    page = client.get(f"/telemetry/{completed(queued, sampled).pk}/").content.decode()
    assert "<strong>Validated at the load of the log</strong>" in page
    assert 'id="assumed"' in page
    assert "exponential ones are assumed" in page
    assert [f'data-chart="{key}"' in page for key in ("checks", "rate", "course", "service")] == [True] * 3 + [False]
    assert "p95" not in page.split("<main", 1)[1]
    assert "law of utilisation" in page
    assert "Families that were tried" not in page
    for reason in ("no_count", "bad_number"):
        assert f'data-reason="{reason}"' in page


def test_the_form_names_the_columns_of_every_kind_of_log(client: Client, owner: User) -> None:
    client.force_login(owner)
    page = client.get("/telemetry/").content.decode()
    for layout in LAYOUTS:
        assert f'data-layout="{layout.key}"' in page
        for column in layout.columns:
            assert f"<code>{column.name}</code>" in page


@pytest.mark.spark
def test_the_scenario_is_made_and_opened(client: Client, owner: User, finished: Calibration) -> None:
    client.force_login(owner)
    answer = client.post(f"/telemetry/{finished.pk}/scenario/")
    assert answer["Location"] == f"/scenarios/{Scenario.objects.get().pk}/"
    assert "Open the scenario" in client.get(f"/telemetry/{finished.pk}/").content.decode()


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.00986, 0.008703, 0.01107), "0.99 ± 0.12 %"),
        ((0.0, 0.0, 0.0), "0 %"),
        ((0.0, 0.0, 0.0002), "0.000 ± 0.020 %"),
        ((0.5, None, None), "50 %"),
    ],
)
def test_a_measured_number_has_the_digits_that_its_interval_allows(
    numbers: tuple[float, float | None, float | None], text: str
) -> None:
    assert measured_text({**dict(zip(("value", "low", "high"), numbers, strict=True)), "unit": "1"}) == text


def test_cancel_and_retry(client: Client, owner: User, queued: Calibration) -> None:
    client.force_login(owner)
    client.post(f"/telemetry/{queued.pk}/cancel/")
    assert "was canceled" in client.get(f"/telemetry/{queued.pk}/").content.decode()
    client.post(f"/telemetry/{queued.pk}/retry/")
    assert "Waiting for a worker" in client.get(f"/telemetry/{queued.pk}/").content.decode()


def test_strangers_are_kept_out(client: Client, queued: Calibration, db: None) -> None:
    client.force_login(User.objects.create_user("eve"))
    for path in ("", "progress/"):
        assert client.get(f"/telemetry/{queued.pk}/{path}").status_code == 404
    for path in ("cancel/", "retry/", "scenario/"):
        assert client.post(f"/telemetry/{queued.pk}/{path}").status_code == 404


def test_a_location_is_repeated_by_hand_and_by_the_day_until_it_is_stopped(
    client: Client, owner: User, tmp_path: Path
) -> None:
    client.force_login(owner)
    changed = settings.ENVIRONMENT.model_copy(update={"telemetry_roots": (str(tmp_path),)})
    with override_settings(ENVIRONMENT=changed):
        client.post("/telemetry/", {"location": f"{tmp_path}/orders.csv", "every": "every day"})
    first = Calibration.objects.get()
    assert first.every_hours == 24
    assert f"again {first.due_at:%Y-%m-%d %H:%M} UTC" in client.get("/telemetry/").content.decode()
    Calibration.objects.update(status="succeeded", validated=False)
    page = client.get(f"/telemetry/{first.pk}/").content.decode()
    assert "Stop repeating" in page
    assert "Repeat now" in page
    answer = client.post(f"/telemetry/{first.pk}/repeat/")
    made = Calibration.objects.exclude(pk=first.pk).get()
    assert answer["Location"] == f"/telemetry/{made.pk}/"
    assert "Only files that have changed since" in client.get(answer["Location"]).content.decode()
    client.post(f"/telemetry/{made.pk}/stop/")
    assert "Stop repeating" not in client.get(answer["Location"]).content.decode()
