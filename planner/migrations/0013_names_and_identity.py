from django.db import migrations, models

IDENTITY = "What the vendor's configuration calls it, empty where that is not known."


class Migration(migrations.Migration):
    dependencies = [("planner", "0012_webhooks")]
    operations = [
        migrations.AlterField("server", "name", models.CharField(max_length=200)),
        migrations.AlterField("queue", "name", models.CharField(max_length=200)),
        migrations.AddField("server", "identity", models.JSONField(blank=True, help_text=IDENTITY, null=True)),
        migrations.AddField("queue", "identity", models.JSONField(blank=True, help_text=IDENTITY, null=True)),
    ]
