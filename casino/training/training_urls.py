"""Every address of a training house: those of the house, and its exercises."""

from django.urls import path

from casino.training.exercise_pages import training_view
from casino.urls import handler400, handler403, handler404, handler500
from casino.urls import urlpatterns as of_the_house

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

# Before the house's: its tables' addresses begin alike.
urlpatterns = [path("sala/training/", training_view, name="training"), *of_the_house]
