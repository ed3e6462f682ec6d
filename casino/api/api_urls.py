"""The API's addresses, one for each noun; those of other packages are in `Extension.api_routes`."""

from collections.abc import Iterator

from django.urls import URLPattern, path

from casino.api.api_resources import Resource, resources
from casino.api.attached import AttachmentApi, AttachmentsApi
from casino.api.records_api import PreviewApi, RecordApi, RecordsApi, parsers_of
from casino.api.round_batch import batch
from casino.api.schema_pages import SchemaApi
from casino.extensions import extensions

app_name = "api"


def _of(resource: Resource) -> Iterator[URLPattern]:
    noun = resource.noun
    ways = (["get", "head"] if resource.listed else []) + (["post"] if resource.posts else [])
    records = RecordsApi.as_view(
        resource=resource, http_method_names=ways, parser_classes=parsers_of(resource)
    )
    yield path(noun, records, name=noun)
    if resource.posts:
        view = PreviewApi.as_view(resource=resource)
        yield path(f"{noun}/preview", view, name=f"{noun}-preview")
    if resource.listed:
        one = RecordApi.as_view(resource=resource)
        yield path(f"{noun}/<uuid:entry_id>", one, name=f"{noun}-one")


urlpatterns = [
    path("schema", SchemaApi.as_view(), name="schema"),
    path("rounds/batch", batch, name="rounds-batch"),
    path("attachments", AttachmentsApi.as_view(), name="attachments"),
    path(
        "attachments/<uuid:entry_id>/<str:digest>",
        AttachmentApi.as_view(),
        name="attachments-one",
    ),
    *(route for package in extensions() for route in package.api_routes()),
    *(route for resource in resources() for route in _of(resource)),
]
