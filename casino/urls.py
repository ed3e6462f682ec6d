"""Every address the house answers to. Pages of other packages are named in their `Extension`."""

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import autodiscover_modules
from django.views.generic import RedirectView

from casino.admin.components_page import components_page
from casino.admin.directory_page import directory_page
from casino.admin.search.search_page import search_page
from casino.admin.site import choose_language
from casino.api.machine_tokens import RevokeApi, TokenApi
from casino.api.machines_page import machines
from casino.api.schema_pages import DocsPage
from casino.extensions import extensions
from casino.floor.persons import provider_entrance
from casino.web.login.factor_page import factor_view
from casino.web.login.new_login_page import new_login_view
from casino.web.login.sessions_page import sessions_view
from casino.web.login.set_up_page import set_up_view

# Each package's admin/records.py says what of it can be recorded and read.
autodiscover_modules("admin.records", register_to=admin.site)

# At the floor's addresses its own pages say what went wrong.
handler400 = "casino.floor.error_pages.unreadable"
handler403 = "casino.floor.error_pages.not_allowed"
handler404 = "casino.floor.error_pages.not_found"
handler500 = "casino.floor.error_pages.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("language/", choose_language, name="language"),
    path("provider/", provider_entrance.begin, name="provider"),
    path("provider/back/", provider_entrance.come_back, name="provider-back"),
    path("admin/directory/", admin.site.admin_view(directory_page), name="directory-offices"),
    path("admin/machines/", admin.site.admin_view(machines), name="machines"),
    path("admin/components/", admin.site.admin_view(components_page), name="components"),
    path("admin/second-factor/", admin.site.admin_view(factor_view), name="second-factor"),
    path("admin/second-factor/own/", admin.site.admin_view(set_up_view), name="second-factor-own"),
    path(
        "security-log/",
        admin.site.admin_view(
            RedirectView.as_view(pattern_name="admin:casino_securityevent_changelist")
        ),
        name="security-log",
    ),
    path("admin/login/new/", new_login_view, name="login-new"),
    path("admin/search/", admin.site.admin_view(search_page), name="search"),
    path("admin/sessions/", admin.site.admin_view(sessions_view), name="sessions"),
    path("admin/", admin.site.urls),
    path("api/token", TokenApi.as_view(), name="api-token"),
    path("api/revoke", RevokeApi.as_view(), name="api-revoke"),
    path("api/docs", login_required(DocsPage.as_view()), name="api-docs"),
    path("api/v1/", include("casino.api.api_urls")),
    # Before the floor's, of which one is a table's by any name: "sala/manual/" is no table.
    *(path("", include(module)) for package in extensions() for module in package.urls()),
    path("", include("casino.floor.floor_urls")),
]
