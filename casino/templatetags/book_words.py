"""What templates ask of the book's words."""

from django import template

from casino.admin import place_words

register = template.Library()
register.filter("stream_word", place_words.stream_word)
register.filter("author_word", place_words.author_word)
