"""What templates ask of the book's words."""

from django import template

from casino.admin import cells, field_words, place_words

register = template.Library()
register.filter("stream_word", place_words.stream_word)
register.filter("check_word", cells.check_word)
register.filter("person_word", field_words.person_word)
register.filter("rulebook_word", field_words.rulebook_word)
