import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What a run is part of: filled by the next migration, required by the one after."""

    dependencies = [
        ('results', '0010_words_of_uploads'),
    ]

    operations = [
        migrations.CreateModel(
            name='Execution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number in the file')),
                ('round', models.PositiveIntegerField(blank=True, help_text='Of a plan: every cell runs once in each.', null=True, verbose_name='round')),
                ('artifact', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='executions', to='results.artifact')),
            ],
            options={'verbose_name': 'execution', 'verbose_name_plural': 'executions', 'ordering': ['-pk']},
        ),
        migrations.AddConstraint(
            model_name='execution',
            constraint=models.UniqueConstraint(fields=('artifact', 'number'), name='one_execution_per_number'),
        ),
        migrations.CreateModel(
            name='Sample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('beside', models.CharField(blank=True, help_text='What else ran at the same time; empty: nothing.', max_length=300, verbose_name='beside')),
            ],
            options={'verbose_name': 'sample', 'verbose_name_plural': 'samples'},
        ),
        migrations.AddField(
            model_name='run',
            name='settings',
            field=models.JSONField(blank=True, default=dict, help_text='What else was set, by name: a number, yes or no, or a text.', verbose_name='settings'),
        ),
        migrations.AddField(
            model_name='workload',
            name='options',
            field=models.JSONField(blank=True, help_text='Options beyond the workload, by name; empty where unknown.', null=True, verbose_name='other options'),
        ),
        migrations.AddField(
            model_name='run',
            name='execution',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='results.execution'),
        ),
        migrations.AddField(
            model_name='run',
            name='sample',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='results.sample'),
        ),
    ]
