"""`/api/`: version 1 of the JSON interface, its description, its documentation."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.translation import gettext as _
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from benchdash.api import (
    comparisons,
    configurations,
    doubts,
    environments,
    executions,
    history,
    hosts,
    jobs,
    notifications,
    permalinks,
    plan_additions,
    plan_matrix,
    plans,
    recipes,
    runs,
    search,
    studies,
    study_files,
    tags_and_remarks,
    targets,
    trace_spans,
    uploads,
)
from benchdash.inventory.models import Configuration
from benchdash.results.models import Run, Study

app_name = "api"


class Nothing(APIView):
    """Any other address under /api/: 404 in JSON, whatever the method and whoever asks."""

    authentication_classes = ()
    permission_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(_("There is nothing at {path}.").format(path=request.path))


def _csv_files(place: str, view: type[APIView], name: str) -> list[URLPattern]:
    return [
        path(f"{place}{part}.csv", view.as_view(part=part), name=f"{name}-{part}")
        for part in (comparisons.PERCENTILES, comparisons.TRACES)
    ]


v1: list[URLPattern | URLResolver] = [
    path("uploads/", uploads.Uploads.as_view(), name="uploads"),
    path("uploads/put-aside/", uploads.put_aside, name="uploads-put-aside"),
    path("uploads/take-back/", uploads.take_back, name="uploads-take-back"),
    path("uploads/<int:pk>/", uploads.OneUpload.as_view(), name="upload"),
    path("compare/", comparisons.Compare.as_view(), name="compare"),
    *_csv_files("compare/", comparisons.ComparedCsv, "compare"),
    path("executions/", executions.Executions.as_view(), name="executions"),
    path("history/", history.HistoryOfRuns.as_view(), name="history"),
    path("runs/", runs.Runs.as_view(), name="runs"),
    path("runs/over-time/", trace_spans.RunsOverTime.as_view(), name="runs-over-time"),
    path("runs/assign/", runs.assign, name="runs-assign"),
    path("runs/set-aside/", runs.set_aside, name="runs-set-aside"),
    path("runs/repeats/", runs.count_as_repeats, name="runs-repeats"),
    path("runs/delete/", runs.delete, name="runs-delete"),
    path("runs/restore/", runs.restore, name="runs-restore"),
    path("runs/tag/", tags_and_remarks.tag, name="runs-tag"),
    path("runs/untag/", tags_and_remarks.untag, name="runs-untag"),
    path("runs/<int:pk>/", runs.OneRun.as_view(), name="run"),
    path("runs/<int:pk>/artifacts/<int:artifact>/", runs.RawArtifact.as_view(), name="artifact"),
    path("runs/<int:pk>/traces/<int:trace>/", runs.OneTrace.as_view(), name="trace"),
    path("runs/<int:pk>/host-traces/<int:trace>/", runs.OneHostTrace.as_view(), name="host-trace"),
    path("runs/<int:pk>/tags/", tags_and_remarks.Tags.as_view(model=Run)),
    path("runs/<int:pk>/remarks/", tags_and_remarks.Remarks.as_view(model=Run)),
    *_csv_files("runs/<int:pk>/", comparisons.RunCsv, "run"),
    path("doubts/dismiss/", doubts.dismiss_doubts, name="doubts-dismiss"),
    path("doubts/take-back/", doubts.take_back_doubts, name="doubts-take-back"),
    path("configurations/", configurations.Configurations.as_view(), name="configurations"),
    path(
        "configurations/<int:pk>/",
        configurations.OneConfiguration.as_view(),
        name="configuration",
    ),
    path(
        "configurations/<int:pk>/restore/",
        configurations.RestoreConfiguration.as_view(),
        name="configuration-restore",
    ),
    path("configurations/<int:pk>/tags/", tags_and_remarks.Tags.as_view(model=Configuration)),
    path("configurations/<int:pk>/remarks/", tags_and_remarks.Remarks.as_view(model=Configuration)),
    path("environments/", environments.Environments.as_view(), name="environments"),
    path("environments/<int:pk>/", environments.OneEnvironment.as_view(), name="environment"),
    path("hosts/", hosts.Hosts.as_view(), name="hosts"),
    path("hosts/<int:pk>/", hosts.OneHost.as_view(), name="host"),
    path("hosts/<int:pk>/targets/", targets.HostTargets.as_view(), name="host-targets"),
    path("targets/<int:pk>/", targets.OneTarget.as_view(), name="target"),
    path("targets/<int:pk>/check/", targets.CheckTarget.as_view(), name="target-check"),
    path("targets/<int:pk>/approve/", targets.ApproveKey.as_view(), name="target-approve"),
    path("jobs/", jobs.Jobs.as_view(), name="jobs"),
    path("jobs/<int:pk>/", jobs.OneJob.as_view(), name="job"),
    path("jobs/<int:pk>/cancel/", jobs.CancelJob.as_view(), name="job-cancel"),
    path("jobs/<int:pk>/insist/", jobs.InsistOnJob.as_view(), name="job-insist"),
    path("jobs/<int:pk>/retry/", jobs.RetryJob.as_view(), name="job-retry"),
    path("jobs/<int:pk>/give-up/", jobs.GiveUpJob.as_view(), name="job-give-up"),
    path("jobs/<int:pk>/log", jobs.JobLog.as_view(), name="job-log"),
    path("notifications/", notifications.Notifications.as_view(), name="notifications"),
    path(
        "notifications/test/",
        notifications.TestNotification.as_view(),
        name="notifications-test",
    ),
    path("recipes/", recipes.Recipes.as_view(), name="recipes"),
    path("recipes/<str:name>/", recipes.OneRecipe.as_view(), name="recipe"),
    path("plans/", plans.Plans.as_view(), name="plans"),
    path("plans/<int:pk>/", plans.OnePlan.as_view(), name="plan"),
    path("plans/<int:pk>/launch/", plans.LaunchPlan.as_view(), name="plan-launch"),
    path("plans/<int:pk>/pause/", plans.PausePlan.as_view(), name="plan-pause"),
    path("plans/<int:pk>/insist/", plans.InsistOnPlan.as_view(), name="plan-insist"),
    path("plans/<int:pk>/cancel/", plans.CancelPlan.as_view(), name="plan-cancel"),
    path("plans/<int:pk>/again/", plans.MeasureAgain.as_view(), name="plan-again"),
    path("plans/<int:pk>/rounds/", plan_additions.AddRounds.as_view(), name="plan-rounds"),
    path("plans/<int:pk>/levels/", plan_additions.AddLevels.as_view(), name="plan-levels"),
    path("plans/<int:pk>/hosts/", plan_additions.AddHosts.as_view(), name="plan-hosts"),
    path("plans/<int:pk>/matrix/", plan_matrix.PlanMatrix.as_view(), name="plan-matrix"),
    path("plans/<int:pk>/commands/", plan_matrix.PlanCommands.as_view(), name="plan-commands"),
    path("permalinks/", permalinks.Permalinks.as_view(), name="permalinks"),
    path("permalinks/<slug:slug>/", permalinks.OnePermalink.as_view(), name="permalink"),
    *_csv_files("permalinks/<slug:slug>/", comparisons.PermalinkCsv, "permalink"),
    path("search/", search.Search.as_view(), name="search"),
    path("studies/", studies.Studies.as_view(), name="studies"),
    path("studies/of-runs/", study_files.StudyOfRuns.as_view(), name="study-of-runs"),
    path("studies/import/", study_files.ImportStudy.as_view(), name="study-import"),
    path("studies/<slug:slug>/file/", study_files.StudyFile.as_view(), name="study-file"),
    path("studies/<slug:slug>/", studies.OneStudy.as_view(), name="study"),
    path("studies/<slug:slug>/restore/", studies.RestoreStudy.as_view(), name="study-restore"),
    path("studies/<slug:slug>/tags/", tags_and_remarks.Tags.as_view(model=Study)),
    path("studies/<slug:slug>/remarks/", tags_and_remarks.Remarks.as_view(model=Study)),
    path("remarks/<int:pk>/", tags_and_remarks.OneRemark.as_view(), name="remark"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include(v1)),
    path("schema/", SpectacularAPIView.as_view(api_version="v1"), name="schema"),
    path(
        "docs/",
        SpectacularSwaggerSplitView.as_view(
            url_name="api:schema",
            metadata_class=None,
            template_name="api/docs.html",
            template_name_js="api/docs.js",
        ),
        name="docs",
    ),
    re_path("", Nothing.as_view()),
]
