"""The addresses of the HTML face, in the order of the menu."""

from __future__ import annotations

from django.urls import path

from benchdash.pages import (
    compare,
    configuration_forms,
    configurations,
    environment_forms,
    environments,
    home,
    people,
    preferences,
    run,
    run_changes,
    runs,
    search,
    studies,
    study_forms,
    uploads,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("studies/", studies.studies, name="studies"),
    path("studies/new/", study_forms.new_study, name="new_study"),
    path("studies/<slug:slug>/", studies.study, name="study"),
    path("studies/<slug:slug>/edit/", study_forms.edit_study, name="edit_study"),
    path("studies/<slug:slug>/compared/", study_forms.study_conditions, name="study_conditions"),
    path(
        "studies/<slug:slug>/compared/<int:pk>/",
        study_forms.change_condition,
        name="change_condition",
    ),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", run.run, name="run"),
    path("runs/<int:pk>/raw/", run.raw, name="run_raw"),
    path("runs/<int:pk>/change/", run_changes.change_run, name="change_run"),
    path("configurations/", configurations.configurations, name="configurations"),
    path("configurations/new/", configuration_forms.new_configuration, name="new_configuration"),
    path("configurations/diff/", configurations.configuration_diff, name="configuration_diff"),
    path("configurations/<int:pk>/", configurations.configuration, name="configuration"),
    path(
        "configurations/<int:pk>/edit/",
        configuration_forms.edit_configuration,
        name="edit_configuration",
    ),
    path("environments/", environments.environments, name="environments"),
    path("environments/new/", environment_forms.new_environment, name="new_environment"),
    path("environments/diff/", environments.environment_diff, name="environment_diff"),
    path("environments/<int:pk>/", environments.environment, name="environment"),
    path(
        "environments/<int:pk>/name/",
        environment_forms.name_of_environment,
        name="name_of_environment",
    ),
    path("uploads/", uploads.uploads, name="uploads"),
    path("uploads/files/", uploads.upload_files, name="upload_files"),
    path("uploads/<int:pk>/", uploads.upload, name="upload"),
    path("uploads/<int:pk>/raw/", uploads.upload_raw, name="upload_raw"),
    path("search/", search.search, name="search"),
    path("compare/", compare.compare_page, name="compare"),
    path("sign-in/", people.sign_in, name="login"),
    path("sign-out/", people.sign_out, name="logout"),
    path("profile/", people.profile, name="profile"),
    path("profile/password/", people.change_password, name="change_password"),
    path("profile/tokens/", people.new_token, name="new_token"),
    path("profile/tokens/revoke/", people.revoke_token, name="revoke_token"),
    path("theme/", preferences.choose_theme, name="choose_theme"),
    path("language/", preferences.choose_language, name="set_language"),
]
