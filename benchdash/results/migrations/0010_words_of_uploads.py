import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """`asked` is the assignment of an upload, and `brought_with` the file it was uploaded with."""

    dependencies = [
        ('results', '0009_uploads_brought_together'),
    ]

    operations = [
        # its condition names the column
        migrations.RemoveIndex(model_name='upload', name='upload_by_request'),
        migrations.RenameField(model_name='upload', old_name='asked', new_name='assignment'),
        migrations.RenameField(model_name='upload', old_name='brought_with', new_name='uploaded_with'),
        migrations.AlterField(
            model_name='upload',
            name='assignment',
            field=models.JSONField(blank=True, default=dict, help_text='Configuration, environment, study, label.', verbose_name='assignment'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='uploaded_with',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The first file of the request, with which it waits to be read.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='results.upload', verbose_name='uploaded with'),
        ),
        migrations.AddIndex(
            model_name='upload',
            index=models.Index(condition=models.Q(('uploaded_with__isnull', False)), fields=['uploaded_with'], name='upload_by_request'),
        ),
    ]
