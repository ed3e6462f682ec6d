"""The addresses of the timelines."""

from django.urls import path

from casino.admin.timeline.timeline_pages import page_of

urlpatterns = [
    path("timelines/partidas/<path:name>/", page_of("partida"), name="timeline-partida"),
    path("timelines/tables/<str:name>/", page_of("table"), name="timeline-table"),
    path("timelines/decks/<str:name>/", page_of("deck"), name="timeline-deck"),
    path("timelines/shufflers/<str:name>/", page_of("shuffler"), name="timeline-shuffler"),
    path("timelines/people/<str:name>/", page_of("person"), name="timeline-person"),
]
