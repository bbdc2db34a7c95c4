import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names and help of fields in plainer English; nothing in the database changes."""

    dependencies = [
        ('results', '0031_runs_by_machine'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='hosttrace',
            options={'ordering': ['role', 'position'], 'verbose_name': 'host trace', 'verbose_name_plural': 'traces of hosts'},
        ),
        migrations.AlterField(
            model_name='doubt',
            name='dismissed_by_name',
            field=models.CharField(blank=True, help_text='Stays when the account is deleted.', max_length=150, verbose_name='dismissed by'),
        ),
        migrations.AlterField(
            model_name='hosttrace',
            name='position',
            field=models.PositiveSmallIntegerField(help_text='Devices are listed in tree order.', verbose_name='position'),
        ),
        migrations.AlterField(
            model_name='hosttrace',
            name='quantities',
            field=models.JSONField(help_text='For each, by name: lowest, mean and highest over the run.', verbose_name='quantities'),
        ),
        migrations.AlterField(
            model_name='purge',
            name='purged_by_name',
            field=models.CharField(help_text='Stays when the account is deleted.', max_length=150, verbose_name='purged by'),
        ),
        migrations.AlterField(
            model_name='run',
            name='is_repeat',
            field=models.BooleanField(default=False, help_text='A person says that the same numbers were measured again.', verbose_name='a repeat nevertheless'),
        ),
        migrations.AlterField(
            model_name='run',
            name='settings',
            field=models.JSONField(blank=True, default=dict, help_text='What else was set, by name: a number, yes or no, or text.', verbose_name='settings'),
        ),
        migrations.AlterField(
            model_name='sample',
            name='beside',
            field=models.CharField(blank=True, help_text='What else ran at the same time; empty if nothing.', max_length=300, verbose_name='beside'),
        ),
        migrations.AlterField(
            model_name='study',
            name='delta',
            field=models.FloatField(blank=True, help_text='If empty, this server’s default.', null=True, validators=[django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(100)], verbose_name='smallest difference that matters, %'),
        ),
        migrations.AlterField(
            model_name='study',
            name='published_as',
            field=models.CharField(blank=True, help_text='What they are called beside your own, such as “author, 2008”.', max_length=100, verbose_name='name of the published results'),
        ),
        migrations.AlterField(
            model_name='study',
            name='series',
            field=models.JSONField(blank=True, default=dict, help_text='Titles and descriptions by the “series” setting of the runs: {"2026-11": {"title": …, "words": …}}', verbose_name='series'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='begun_at',
            field=models.DateTimeField(blank=True, help_text='Of a file waiting to be read.', null=True, verbose_name='reading began'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='put_aside_at',
            field=models.DateTimeField(blank=True, help_text='A refused file that no longer needs attention.', null=True, verbose_name='put aside'),
        ),
        migrations.AlterField(
            model_name='workload',
            name='options',
            field=models.JSONField(blank=True, help_text='Options beyond the workload, by name; empty if unknown.', null=True, verbose_name='other options'),
        ),
    ]
