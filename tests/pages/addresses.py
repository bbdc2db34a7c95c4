"""Every address of the HTML interface, with something that is there behind it."""

from __future__ import annotations

from django.urls import reverse

from benchdash.pages.urls import urlpatterns


def arguments(house):
    """What the addresses that need a record are opened with, by their names."""
    study = {"slug": house.study.slug}
    configuration = {"pk": house.local.pk}
    environment = {"pk": house.environment.pk}
    return {
        "study": study,
        "edit_study": study,
        "study_conditions": study,
        "study_file": study,
        "study_with_outputs": study,
        "run_study": study,
        "change_study": study,
        "change_condition": study | {"pk": house.condition.pk},
        "run": {"pk": house.run.pk},
        "run_raw": {"pk": house.run.pk},
        "change_run": {"pk": house.run.pk},
        "dismiss_doubt": {"pk": house.doubt.pk},
        "take_back_dismissal": {"pk": house.doubt.pk},
        "configuration": configuration,
        "edit_configuration": configuration,
        "change_configuration": configuration,
        "environment": environment,
        "name_of_environment": environment,
        "change_tags": {"kind": "run", "pk": house.run.pk},
        "new_note": {"kind": "run", "pk": house.run.pk},
        "edit_note": {"pk": house.note.pk},
        "host": {"pk": house.target.host_id},
        "edit_host": {"pk": house.target.host_id},
        "new_target": {"pk": house.target.host_id},
        "edit_target": {"pk": house.target.pk},
        "target_state": {"pk": house.target.pk},
        "check_target": {"pk": house.target.pk},
        "approve_host_key": {"pk": house.target.pk},
        "job": {"pk": house.job.pk},
        "job_progress": {"pk": house.job.pk},
        "job_events": {"pk": house.job.pk},
        "chapter": {"name": "comparing"},
        "fill_in_plan": {"recipe": "fio"},
        "edit_recipe": {"pk": house.recipe.pk},
        "plan": {"pk": house.job.plan_id},
        "plan_matrix": {"pk": house.job.plan_id},
        "plan_cell": {"pk": house.job.plan_id, "number": 1},
        "launch_plan": {"pk": house.job.plan_id},
        "add_rounds": {"pk": house.job.plan_id},
        "add_to_plan": {"pk": house.job.plan_id},
        "change_plan": {"pk": house.job.plan_id},
        "change_job": {"pk": house.job.pk},
        "give_up_job": {"pk": house.job.pk},
        "permalink": {"slug": house.permalink.slug},
        "upload": {"pk": house.upload.pk},
        "purge_upload": {"pk": house.upload.pk},
        "upload_raw": {"pk": house.upload.pk},
    }


def addresses(house):
    """`{name: (address, view)}` of all."""
    known = arguments(house)
    return {
        pattern.name: (reverse(pattern.name, kwargs=known.get(pattern.name, {})), pattern.callback)
        for pattern in urlpatterns
    }


def names():
    return [pattern.name for pattern in urlpatterns]
