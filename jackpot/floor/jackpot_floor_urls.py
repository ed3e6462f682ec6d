"""Addresses of the progressive on the floor: ``/sala/BJ-06/jackpot/JP-1/``."""

from django.urls import path

from casino.web import code_in_address  # noqa: F401 - the addresses below speak of codes
from jackpot.floor import collecting, displays_read, paying, win_pages

app_name = "jackpot_sala"
_POOL = "sala/<code:table>/jackpot/<code:jackpot>"

urlpatterns = [
    path(f"{_POOL}/", collecting.collect_view, name="collect"),
    path(f"{_POOL}/read/", displays_read.read_view, name="read"),
    path(f"{_POOL}/won/", win_pages.won_view, name="won"),
    path(f"{_POOL}/win/<int:hit>/", paying.hit_view, name="hit"),
]
