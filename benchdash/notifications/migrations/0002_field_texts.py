import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names and help of fields in plainer English; nothing in the database changes."""

    dependencies = [
        ('notifications', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notification',
            name='answer',
            field=models.TextField(blank=True, verbose_name='server response'),
        ),
        migrations.AlterField(
            model_name='notification',
            name='payload',
            field=models.JSONField(blank=True, default=dict, verbose_name='webhook JSON'),
        ),
        migrations.AlterField(
            model_name='preference',
            name='by_mail',
            field=models.BooleanField(default=False, verbose_name='email me'),
        ),
        migrations.AlterField(
            model_name='preference',
            name='on_stalled',
            field=models.BooleanField(default=True, help_text='None of its jobs makes progress, or no worker is handling them.', verbose_name='a plan is stalled'),
        ),
        migrations.AlterField(
            model_name='preference',
            name='since',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='What happened before is not reported.', verbose_name='since'),
        ),
    ]
