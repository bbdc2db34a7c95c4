"""Sign in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs

sign_in = needs(Role.NOBODY)(
    LoginView.as_view(template_name="people/sign_in.html", redirect_authenticated_user=True)
)
sign_out = needs(Role.NOBODY)(LogoutView.as_view())
