import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names and help of fields in plainer English; nothing in the database changes."""

    dependencies = [
        ('inventory', '0002_deleted_configurations'),
        ('jobs', '0028_blocks'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='hostevent',
            options={'ordering': ['-pk'], 'verbose_name': 'host event', 'verbose_name_plural': 'events of hosts'},
        ),
        migrations.AlterModelOptions(
            name='jobnode',
            options={'ordering': ['role'], 'verbose_name': 'job node', 'verbose_name_plural': 'job nodes'},
        ),
        migrations.AlterField(
            model_name='job',
            name='outcome',
            field=models.CharField(blank=True, choices=[('planned', 'planned'), ('queued', 'queued'), ('waiting', 'waiting for host'), ('preparing', 'preparing'), ('running', 'running'), ('unreachable', 'unreachable'), ('collecting', 'collecting'), ('cancelling', 'cancelling'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled'), ('lost', 'lost')], help_text='Settled before everything is restored.', max_length=12, verbose_name='state at the end'),
        ),
        migrations.AlterField(
            model_name='job',
            name='outcome_reason',
            field=models.TextField(blank=True, verbose_name='reason for the outcome'),
        ),
        migrations.AlterField(
            model_name='jobnode',
            name='kernel_s',
            field=models.FloatField(blank=True, help_text='Seconds after boot; anything later came while the job ran.', null=True, verbose_name='newest kernel message before it'),
        ),
        migrations.AlterField(
            model_name='jobnode',
            name='left_at',
            field=models.DateTimeField(blank=True, help_text='What the job left there will be stopped and undone on the next contact.', null=True, verbose_name='left behind'),
        ),
        migrations.AlterField(
            model_name='jobstep',
            name='began_error_s',
            field=models.FloatField(blank=True, help_text='By the hosts’ clocks.', null=True, verbose_name='known to seconds'),
        ),
        migrations.AlterField(
            model_name='jobstep',
            name='beside_data',
            field=models.BooleanField(default=False, help_text='Its log is beside its data, not below the home folder.', verbose_name='begun by an older version'),
        ),
        migrations.AlterField(
            model_name='jobstep',
            name='result',
            field=models.CharField(blank=True, help_text='Empty: the output.', max_length=200, verbose_name='result file'),
        ),
        migrations.AlterField(
            model_name='jobstep',
            name='together',
            field=models.BooleanField(default=False, help_text='Starts at the same time as neighbours with the same name on other nodes.', verbose_name='together'),
        ),
        migrations.AlterField(
            model_name='ownrecipe',
            name='text',
            field=models.TextField(verbose_name='recipe text'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='block_factors',
            field=models.JSONField(blank=True, editable=False, help_text='Cells that share these form a block in each round; none: no blocks.', null=True, verbose_name='factors of blocks'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='configuration',
            field=models.ForeignKey(blank=True, help_text='Empty: the stack found under the measured path.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='plans', to='inventory.configuration', verbose_name='configuration'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='looks',
            field=models.PositiveSmallIntegerField(default=1, help_text='Rounds added after a plan was over, or added by the plan because intervals are wide, are a further look at its runs.', verbose_name='looks'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='recipe',
            field=models.TextField(verbose_name='recipe text'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='round_s',
            field=models.FloatField(blank=True, null=True, verbose_name='expected seconds per round'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='seed',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='order seed'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='stopped_at',
            field=models.DateTimeField(blank=True, help_text='No further jobs are created.', null=True, verbose_name='stopped'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='to_make',
            field=models.PositiveIntegerField(default=0, verbose_name='jobs not created yet'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='until_percent',
            field=models.FloatField(blank=True, help_text='Its rounds end once the interval of each cell is this narrow; empty: all are measured.', null=True, verbose_name='until intervals are within ± %'),
        ),
        migrations.AlterField(
            model_name='plan',
            name='whatever_conditions',
            field=models.BooleanField(default=False, help_text='Jobs do not wait for resyncing arrays, degraded mirrors or busy hosts; runs record these.', verbose_name='measure whatever the conditions'),
        ),
        migrations.AlterField(
            model_name='stoppinglook',
            name='decision',
            field=models.CharField(choices=[('further', 'a further round'), ('narrow', 'each interval is narrow enough'), ('most', 'no more rounds were planned'), ('unmeasured', 'wider ones were not measured any further')], max_length=10, verbose_name='decision'),
        ),
        migrations.AlterField(
            model_name='target',
            name='offered_key',
            field=models.TextField(blank=True, help_text='Not approved: empty if it is the approved one.', verbose_name='key the host shows now'),
        ),
        migrations.AlterField(
            model_name='target',
            name='public_key',
            field=models.TextField(blank=True, help_text='Of the stored private key.', verbose_name='public key'),
        ),
        migrations.AlterField(
            model_name='tunablechange',
            name='restored_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='restored'),
        ),
    ]
