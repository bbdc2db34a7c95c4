"""The addresses of the HTML face, in the order of the menu."""

from __future__ import annotations

from django.urls import path

from benchdash.pages import home, people, preferences

urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", people.sign_in, name="login"),
    path("sign-out/", people.sign_out, name="logout"),
    path("theme/", preferences.choose_theme, name="choose_theme"),
    path("language/", preferences.choose_language, name="set_language"),
]
