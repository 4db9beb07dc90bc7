"""All migrations up to 0019 in one, for new databases: their steps take three times as long."""

import django.db.models.deletion
import functools
import planner.models.identity
import planner.models.inventory
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("planner", "0001_initial"),
        ("planner", "0002_archive_and_sign_off"),
        ("planner", "0003_imports_and_exports"),
        ("planner", "0004_experiments"),
        ("planner", "0005_calibrations"),
        ("planner", "0006_saved_views_and_verdicts"),
        ("planner", "0007_sealed_reports"),
        ("planner", "0008_sizes_of_messages"),
        ("planner", "0009_pausing"),
        ("planner", "0010_baselines"),
        ("planner", "0011_service_accounts"),
        ("planner", "0012_webhooks"),
        ("planner", "0013_names_and_identity"),
        ("planner", "0014_teams"),
        ("planner", "0015_calibration_series"),
        ("planner", "0016_invitations"),
        ("planner", "0017_queues_that_send_on"),
        ("planner", "0018_report_comments"),
        ("planner", "0019_loads_that_imports_assumed"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Team",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("team",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=60, unique=True)),
            ],
            options={
                "ordering": ("name", "id"),
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("tok",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("prefix", models.CharField(help_text="First characters, so that people recognise it.", max_length=12)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("scopes", models.JSONField(default=list)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("rep",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In Review"),
                            ("reviewed", "Reviewed"),
                            ("signed", "Signed"),
                        ],
                        default="draft",
                        max_length=12,
                    ),
                ),
                ("payload", models.JSONField(editable=False)),
                ("payload_hash", models.CharField(editable=False, max_length=64)),
                (
                    "html_hash",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="SHA-256 of the HTML file that is kept since the report was signed.",
                        max_length=64,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "supersedes",
                    models.ForeignKey(
                        blank=True,
                        help_text="The signed report of the same scenario that this one replaces.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="planner.report",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "permissions": (
                    ("sign_report", "Can review and sign the reports of others"),
                    ("review_report", "Can review the reports of others"),
                ),
                "abstract": False,
                "indexes": [models.Index(fields=["owner", "-created_at", "-id"], name="report_of_owner")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["draft", "in_review", "reviewed", "signed"])),
                        name="report_state_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReportComment",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("cmt",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("section", models.CharField(max_length=20)),
                ("text", models.CharField(max_length=2000)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="planner.report"
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ReportStep",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In Review"),
                            ("reviewed", "Reviewed"),
                            ("signed", "Signed"),
                        ],
                        max_length=12,
                    ),
                ),
                ("comment", models.CharField(blank=True, default="", max_length=1000)),
                ("digest", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="planner.report"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("pausing", "Pausing"),
                            ("paused", "Paused"),
                            ("cancelling", "Cancelling"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                ("progress", models.JSONField(blank=True, default=dict)),
                (
                    "error",
                    models.JSONField(
                        blank=True, help_text="code, message and, where ours, the id to report.", null=True
                    ),
                ),
                ("task_id", models.CharField(blank=True, default="", max_length=64)),
                (
                    "claim_token",
                    models.CharField(blank=True, default="", help_text="Held by the one who computes.", max_length=32),
                ),
                ("worker", models.CharField(blank=True, default="", max_length=200)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("spark_session", models.CharField(blank=True, default="", max_length=64)),
                ("sent_at", models.DateTimeField(blank=True, help_text="When the broker took the task.", null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("run",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("run", "Run"),
                            ("sweep", "Sweep"),
                            ("optimize", "Search for the best setting"),
                            ("headroom", "Headroom"),
                            ("sensitivity", "Sensitivity to the inputs"),
                        ],
                        default="run",
                        max_length=12,
                    ),
                ),
                (
                    "question",
                    models.JSONField(blank=True, default=dict, help_text="What an experiment asks, complete."),
                ),
                ("spec", models.JSONField(help_text="The scenario's body at the start.")),
                ("plan", models.JSONField(help_text="points: how many; axes: path and number of values of each.")),
                ("seed", models.PositiveBigIntegerField()),
                ("engine_version", models.CharField(max_length=20)),
                ("rules_version", models.CharField(max_length=20)),
                ("content_hash", models.CharField(help_text="Equal hashes mean equal numbers.", max_length=64)),
                ("forced", models.BooleanField(default=False, help_text="Started although an equal run exists.")),
                ("result_hash", models.CharField(blank=True, default="", max_length=64)),
                ("store_path", models.CharField(blank=True, default="", max_length=500)),
                ("timings", models.JSONField(blank=True, default=dict, help_text="Seconds by part of the work.")),
                (
                    "headline",
                    models.JSONField(
                        blank=True, default=dict, help_text="The answer that lists show (planner.answers.choice)."
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "repeats",
                    models.ForeignKey(
                        blank=True,
                        help_text="Run to be reproduced.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="repetitions",
                        to="planner.run",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="run_of_owner"),
                    models.Index(fields=["status", "heartbeat_at"], name="run_by_heartbeat"),
                    models.Index(fields=["content_hash", "status"], name="run_by_content"),
                    models.Index(fields=["owner", "-started_at"], name="run_last_begun"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "status__in",
                                [
                                    "queued",
                                    "running",
                                    "pausing",
                                    "paused",
                                    "cancelling",
                                    "succeeded",
                                    "failed",
                                    "cancelled",
                                ],
                            )
                        ),
                        name="run_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "running"), _negated=True),
                            models.Q(("claim_token", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="run_running_is_claimed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["run", "sweep", "optimize", "headroom", "sensitivity"])),
                        name="run_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "succeeded"), _negated=True),
                            models.Q(("result_hash", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="run_success_has_hash",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="report",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="planner.run"
            ),
        ),
        migrations.CreateModel(
            name="PointResult",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("index", models.PositiveIntegerField()),
                ("overrides", models.JSONField()),
                ("status", models.CharField(max_length=20)),
                ("summary", models.JSONField()),
                ("partial", models.BooleanField(default=False, help_text="More replications are still to come.")),
                (
                    "content_key",
                    models.CharField(
                        blank=True,
                        db_index=True,
                        default="",
                        help_text="Equal keys mean equal replications.",
                        max_length=64,
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="points", to="planner.run"
                    ),
                ),
            ],
            options={
                "ordering": ("run", "index"),
                "constraints": [models.UniqueConstraint(fields=("run", "index"), name="point_index_unique")],
            },
        ),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, help_text="Deleting is archiving.", null=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("vew",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("query", models.CharField(blank=True, default="", max_length=1000)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None)),
                        fields=("owner", "name"),
                        name="view_name_unique_per_owner",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, help_text="Deleting is archiving.", null=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("scn",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "name",
                    models.CharField(help_text="The current version's name, repeated here for lists.", max_length=200),
                ),
                (
                    "platform",
                    models.CharField(
                        help_text="The current version's platform, repeated here for lists.", max_length=40
                    ),
                ),
                ("tags", models.JSONField(blank=True, default=list)),
                (
                    "preset",
                    models.CharField(blank=True, default="", help_text="Preset it was made from.", max_length=60),
                ),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        default="",
                        editable=False,
                        help_text="What the newest answer says of the current objectives: met, missed, unresolved or nothing.",
                        max_length=10,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scenarios",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-updated_at", "-id"),
                "indexes": [
                    models.Index(fields=["owner", "-updated_at", "-id"], name="scenario_of_owner"),
                    models.Index(fields=["-updated_at", "-id"], name="scenario_in_order"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("preset", ""), _negated=True),
                        fields=("owner", "preset"),
                        name="scenario_preset_once_per_owner",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("imp",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("account", models.JSONField(help_text="status, path, message, file and line of each element.")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imports", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "scenario",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="origin", to="planner.scenario"
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ScenarioVersion",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("ver",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("spec", models.JSONField()),
                ("content_hash", models.CharField(db_index=True, max_length=64)),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="planner.scenarioversion",
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="planner.scenario"
                    ),
                ),
            ],
            options={
                "ordering": ("scenario", "-number"),
                "indexes": [models.Index(fields=["id", "scenario"], name="version_scenario")],
                "constraints": [
                    models.UniqueConstraint(fields=("scenario", "number"), name="version_number_unique"),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="version_number_from_one"),
                ],
            },
        ),
        migrations.AddField(
            model_name="scenario",
            name="current",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="planner.scenarioversion",
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="planner.scenarioversion"
            ),
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("xpt",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("format", models.CharField(max_length=20)),
                ("scenario_hash", models.CharField(help_text="Named in the header of every script.", max_length=64)),
                ("changes", models.JSONField(help_text="path, before and after of each chosen setting.")),
                (
                    "scripts",
                    models.JSONField(help_text="filename, apply, undo, encoding and what the format cannot say."),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="exports", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="planner.run",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="planner.scenarioversion",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Calibration",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("pausing", "Pausing"),
                            ("paused", "Paused"),
                            ("cancelling", "Cancelling"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                ("progress", models.JSONField(blank=True, default=dict)),
                (
                    "error",
                    models.JSONField(
                        blank=True, help_text="code, message and, where ours, the id to report.", null=True
                    ),
                ),
                ("task_id", models.CharField(blank=True, default="", max_length=64)),
                (
                    "claim_token",
                    models.CharField(blank=True, default="", help_text="Held by the one who computes.", max_length=32),
                ),
                ("worker", models.CharField(blank=True, default="", max_length=200)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("spark_session", models.CharField(blank=True, default="", max_length=64)),
                ("sent_at", models.DateTimeField(blank=True, help_text="When the broker took the task.", null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("cal",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(help_text="Name of the scenario that is made of it.", max_length=200)),
                (
                    "location",
                    models.CharField(help_text="Path or URL of the log; of an upload its file name.", max_length=1000),
                ),
                (
                    "uploaded",
                    models.BooleanField(default=False, help_text="The log lies in the calibration's own folder."),
                ),
                ("result", models.JSONField(blank=True, editable=False, null=True)),
                ("validated", models.BooleanField(help_text="Whether the predictions were near enough.", null=True)),
                (
                    "every_hours",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Hours after which it is repeated; 0: never."
                    ),
                ),
                (
                    "since",
                    models.DateTimeField(
                        blank=True, help_text="Files that have not changed since are left out.", null=True
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calibrations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        blank=True,
                        help_text="Made of the result.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="calibrations",
                        to="planner.scenario",
                    ),
                ),
                (
                    "base",
                    models.ForeignKey(
                        blank=True,
                        help_text="Its settings are kept and its queues get the fitted work.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calibrations",
                        to="planner.scenarioversion",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
                "indexes": [
                    models.Index(fields=["owner", "-created_at", "-id"], name="calibration_of_owner"),
                    models.Index(fields=["status", "heartbeat_at"], name="calibration_by_heartbeat"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "status__in",
                                [
                                    "queued",
                                    "running",
                                    "pausing",
                                    "paused",
                                    "cancelling",
                                    "succeeded",
                                    "failed",
                                    "cancelled",
                                ],
                            )
                        ),
                        name="calibration_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "running"), _negated=True),
                            models.Q(("claim_token", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="calibration_running_is_claimed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "succeeded"), _negated=True),
                            ("validated__isnull", False),
                            _connector="OR",
                        ),
                        name="calibration_success_has_verdict",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Server",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, help_text="Deleting is archiving.", null=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "identity",
                    models.JSONField(
                        blank=True,
                        help_text="What the vendor's configuration calls it, empty where that is not known.",
                        null=True,
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("srv",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("platform", models.CharField(help_text="Registered name of the platform family.", max_length=40)),
                ("cpus", models.PositiveSmallIntegerField(default=1, help_text="CPUs of one instance.")),
                (
                    "servants_min",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Servants started at once (z/OS); empty where a platform has none.",
                        null=True,
                    ),
                ),
                (
                    "servants_max",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Most servants (z/OS); empty where a platform has none.", null=True
                    ),
                ),
                ("instances", models.PositiveSmallIntegerField(default=1, help_text="Members of the cluster.")),
                (
                    "workload_profile",
                    models.CharField(
                        blank=True, default="", help_text="Decides the threads of a servant (z/OS).", max_length=20
                    ),
                ),
                ("settings", models.JSONField(blank=True, default=dict, help_text="The family's other settings.")),
                ("background", models.JSONField(blank=True, default=list, help_text="Other work on the same threads.")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="servers", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the owner's alone.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="planner.team",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None), ("team", None)),
                        fields=("owner", "name"),
                        name="server_name_unique_per_owner",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None)),
                        fields=("team", "name"),
                        name="server_name_unique_per_team",
                    ),
                    models.CheckConstraint(condition=models.Q(("cpus__gte", 1)), name="server_has_cpus"),
                    models.CheckConstraint(condition=models.Q(("instances__gte", 1)), name="server_has_instances"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("servants_max__isnull", True),
                            ("servants_min__isnull", True),
                            ("servants_min__lte", models.F("servants_max")),
                            _connector="OR",
                        ),
                        name="server_servants_ordered",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Queue",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, help_text="Deleting is archiving.", null=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "identity",
                    models.JSONField(
                        blank=True,
                        help_text="What the vendor's configuration calls it, empty where that is not known.",
                        null=True,
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("que",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "kind",
                    models.CharField(choices=[("queue", "Queue"), ("topic", "Topic")], default="queue", max_length=10),
                ),
                (
                    "producers",
                    models.PositiveIntegerField(default=1, help_text="Producers that share the arrivals equally."),
                ),
                (
                    "message_size",
                    models.JSONField(
                        default=planner.models.inventory.default_size,
                        help_text="Bytes of one message, or their distribution.",
                    ),
                ),
                ("arrivals", models.JSONField(help_text="How messages arrive.")),
                ("service", models.JSONField(help_text="Distribution of the time inside onMessage.")),
                (
                    "sends",
                    models.JSONField(blank=True, default=list, help_text="Queues that its bean sends on to, by name."),
                ),
                (
                    "settings",
                    models.JSONField(
                        blank=True, default=dict, help_text="The family's settings of MDB and destination."
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="queues", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "server",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="queues", to="planner.server"
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("archived_at", None)),
                        fields=("server", "name"),
                        name="queue_name_unique_per_server",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ("queue", "topic"))), name="queue_kind_known"
                    ),
                    models.CheckConstraint(condition=models.Q(("producers__gte", 1)), name="queue_has_producers"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ServiceAccount",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("svc",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("purpose", models.CharField(blank=True, default="", max_length=500)),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="service_account",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "permissions": (("manage_service_accounts", "Can manage service accounts and their tokens"),),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ShareLink",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("shr",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="share_links", to="planner.report"
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="scenario",
            name="team",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty: the owner's alone.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="planner.team",
            ),
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("planner", "Planner"),
                            ("approver", "Approver"),
                            ("admin", "Admin"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="planner.team"
                    ),
                ),
            ],
            options={
                "ordering": ("user__username",),
                "constraints": [
                    models.UniqueConstraint(fields=("team", "user"), name="member_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["viewer", "planner", "approver", "admin"])),
                        name="member_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("inv",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "invited",
                    models.CharField(
                        help_text="The name that they sign in with, or their e-mail address.", max_length=150
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("planner", "Planner"),
                            ("approver", "Approver"),
                            ("admin", "Admin"),
                        ],
                        max_length=10,
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="planner.team"
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
                "constraints": [models.UniqueConstraint(fields=("team", "invited"), name="invited_once")],
            },
        ),
        migrations.CreateModel(
            name="Baseline",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("bas",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("application", models.CharField(max_length=200)),
                (
                    "unpinned_at",
                    models.DateTimeField(blank=True, help_text="What was the baseline once stays known.", null=True),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="baselines",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="baselines",
                        to="planner.scenarioversion",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the owner's alone.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="planner.team",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("team", None), ("unpinned_at", None)),
                        fields=("owner", "application"),
                        name="baseline_once_per_application",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("unpinned_at", None)),
                        fields=("team", "application"),
                        name="baseline_once_per_team",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("action", models.CharField(help_text="For example scenario.update.", max_length=60)),
                ("target", models.CharField(db_index=True, max_length=24)),
                ("details", models.JSONField(default=dict)),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="planner.team"
                    ),
                ),
            ],
            options={
                "ordering": ("-at", "-id"),
                "indexes": [
                    models.Index(fields=["team", "-at", "-id"], name="audit_of_team"),
                    models.Index(fields=["actor", "-at", "-id"], name="audit_of_actor"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("whk",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("url", models.CharField(max_length=1000)),
                ("events", models.JSONField(default=list)),
                ("nonce", models.CharField(editable=False, max_length=32)),
                (
                    "failures",
                    models.PositiveIntegerField(default=0, help_text="Failed attempts since the last delivery."),
                ),
                ("disabled_at", models.DateTimeField(blank=True, null=True)),
                ("disabled_reason", models.CharField(blank=True, default="", max_length=500)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the owner's alone.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="planner.team",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "id",
                    models.CharField(
                        default=functools.partial(planner.models.identity.public_id, *("dlv",), **{}),
                        editable=False,
                        max_length=24,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("run.succeeded", "Run Succeeded"),
                            ("run.failed", "Run Failed"),
                            ("run.cancelled", "Run Cancelled"),
                            ("experiment.succeeded", "Experiment Succeeded"),
                            ("experiment.failed", "Experiment Failed"),
                            ("experiment.cancelled", "Experiment Cancelled"),
                            ("calibration.changed", "Calibration Changed"),
                            ("calibration.failed", "Calibration Failed"),
                            ("report.signed", "Report Signed"),
                        ],
                        max_length=30,
                    ),
                ),
                ("target", models.CharField(max_length=24)),
                ("body", models.TextField()),
                (
                    "status",
                    models.CharField(
                        choices=[("pending", "Pending"), ("delivered", "Delivered"), ("failed", "Failed")],
                        default="pending",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(blank=True, help_text="When the next attempt may begin.", null=True)),
                ("sent_at", models.DateTimeField(blank=True, help_text="When the broker took the task.", null=True)),
                (
                    "answered",
                    models.PositiveSmallIntegerField(blank=True, help_text="Status of the last answer.", null=True),
                ),
                (
                    "problem",
                    models.CharField(
                        blank=True, default="", help_text="What went wrong the last time.", max_length=500
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="planner.webhook"
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
                "abstract": False,
                "indexes": [
                    models.Index(fields=["webhook", "-created_at", "-id"], name="delivery_of_webhook"),
                    models.Index(fields=["status", "due_at"], name="delivery_due"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["pending", "delivered", "failed"])),
                        name="delivery_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "pending"), _negated=True), ("due_at__isnull", False), _connector="OR"
                        ),
                        name="delivery_pending_is_due",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentAnswer",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=255)),
                ("request_hash", models.CharField(help_text="SHA-256 of method, path and body.", max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("body", models.JSONField(default=dict)),
                ("headers", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once_per_owner")
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                ("size", models.PositiveIntegerField(help_text="Bytes.")),
                ("sha256", models.CharField(max_length=64)),
                ("content", models.BinaryField(null=True)),
                (
                    "origin",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="planner.import"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [models.UniqueConstraint(fields=("origin", "name"), name="imported_file_name_unique")],
            },
        ),
        migrations.CreateModel(
            name="ReportFile",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[("html", "HTML"), ("pdf", "PDF")], max_length=4)),
                ("content", models.BinaryField(help_text="The file, packed by gzip.")),
                ("sha256", models.CharField(help_text="Of the file itself.", max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="planner.report"
                    ),
                ),
            ],
            options={
                "ordering": ("report", "kind"),
                "constraints": [models.UniqueConstraint(fields=("report", "kind"), name="report_file_once")],
            },
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["-created_at", "-id", "version", "kind"], name="run_in_order"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["status", "version"], name="run_by_status"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["version", "kind", "-created_at"], name="run_of_version_by_kind"),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.UniqueConstraint(
                condition=models.Q(("forced", False), ("status__in", ("queued", "running", "pausing", "paused"))),
                fields=("version", "content_hash"),
                name="run_active_once",
            ),
        ),
        migrations.AddIndex(
            model_name="scenario",
            index=models.Index(fields=["id", "team", "owner"], name="scenario_holder"),
        ),
    ]
