"""The size of a queue's messages may be a distribution: the number becomes JSON, whose numbers stay what they were."""

from typing import Any

from django.db import migrations, models

import planner.models.inventory


def _keep(apps: Any, _: Any) -> None:
    queues = apps.get_model("planner", "Queue").objects
    for queue in queues.only("pk", "message_size").iterator():
        queues.filter(pk=queue.pk).update(size=queue.message_size)


class Migration(migrations.Migration):
    dependencies = [("planner", "0007_sealed_reports")]

    operations = [
        migrations.RemoveConstraint(model_name="queue", name="queue_size_not_negative"),
        migrations.AddField(
            model_name="queue",
            name="size",
            field=models.JSONField(
                default=planner.models.inventory.default_size, help_text="Bytes of one message, or their distribution."
            ),
        ),
        migrations.RunPython(_keep, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="queue", name="message_size"),
        migrations.RenameField(model_name="queue", old_name="size", new_name="message_size"),
    ]
