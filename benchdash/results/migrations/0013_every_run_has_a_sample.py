import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Every run is part of an execution and of a sample."""

    dependencies = [
        ('results', '0012_fill_executions_and_samples'),
    ]

    operations = [
        migrations.AlterField(
            model_name='run',
            name='execution',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='results.execution'),
        ),
        migrations.AlterField(
            model_name='run',
            name='sample',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='results.sample'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['execution'], name='run_by_execution'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['sample'], name='run_by_sample'),
        ),
    ]
