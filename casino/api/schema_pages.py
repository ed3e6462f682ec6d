"""The API's description as a file, and the page that shows it, without a network."""

from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import IsAuthenticated

from casino.api.api_problems import answer_problem
from casino.api.callers import BySession
from casino.api.machine_tokens import ByToken


class SchemaApi(SpectacularAPIView):
    """``GET /api/v1/schema``: OpenAPI 3.1, as JSON."""

    authentication_classes = (ByToken, BySession)
    permission_classes = (IsAuthenticated,)
    renderer_classes = [OpenApiJsonRenderer]  # noqa: RUF012 - as it is declared there
    http_method_names = ("get", "head")
    schema = None  # it describes the others

    def get_exception_handler(self) -> object:
        """The API's."""
        return answer_problem


class DocsPage(SpectacularSwaggerSplitView):
    """Swagger's page, its script apart: the house's policy lets no page hold one."""

    authentication_classes = (BySession,)
    permission_classes = (IsAuthenticated,)
    http_method_names = ("get", "head")
    template_name = "api/swagger.html"
    url_name = "api:schema"
    schema = None

    def get_exception_handler(self) -> object:
        """The API's."""
        return answer_problem
