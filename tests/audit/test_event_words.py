"""Every field and coded word of the auditor's events is called something, in Portuguese too."""

import pytest
from django.utils.translation import override

import audit.events
from audit.admin import event_words
from audit.pages.page_words import job_word, words
from audit.runs import house_checks
from casino.events.event import Event
from casino.events.shape import Object, fields_of
from casino.law.checks.table import house_controls
from casino.law.rulebook import controls
from casino.web.display.cells import shown_value
from casino.web.words import field_words

EVENTS = sorted(
    (one for one in vars(audit.events).values() if isinstance(one, type) and hasattr(one, "kind")),
    key=lambda one: one.__name__,
)


def test_a_job_is_named_by_what_it_does() -> None:
    with override("pt-pt"):
        assert job_word("book-verification/2026-11-24") == "verificação do livro/2026-11-24"
        assert words().value("job", "late/BJ-01/2026-11-24/1/7") == "late/BJ-01/2026-11-24/1/7"


def test_they_are_the_auditors_own() -> None:
    assert event_words
    assert {"FindingRaised", "ReconciliationStarted"} <= {one.__name__ for one in EVENTS}


@pytest.mark.parametrize("event", [one for one in EVENTS if one.__module__ == "audit.events"])
def test_no_field_goes_by_its_name_in_code(event: type[Event]) -> None:
    parts = [
        (field.shape.type, field.shape.type.__name__)
        for field in fields_of(event)
        if isinstance(field.shape, Object)
    ]
    for kind, named in [(event, event.kind), *parts]:
        for field in fields_of(kind):
            known = (named, field.name) in field_words.NAMED or field.name in field_words.LABELS
            assert known, (named, field.name)


def test_a_place_is_told_by_what_it_is_called() -> None:
    shape = next(one.shape for one in fields_of(audit.events.FindingRaised) if one.name == "where")
    with override("pt-pt"):
        assert (
            shown_value({"load": 1, "witness": "S-0021"}, shape)
            == "carregamento 1, testemunha S-0021"
        )


@pytest.mark.parametrize("language", ["pt-pt", "en-gb"])
def test_no_article_and_no_check_of_the_house_goes_by_its_code(language: str) -> None:
    shapes = {one.name: one.shape for one in fields_of(audit.events.FindingRaised)}
    with override(language):
        for check in (*house_checks.CHECKS, *controls.ARTICLE_OF):
            assert " " in str(shown_value(check, shapes["check"], "check"))
        for article in {*house_controls.ARTICLES, *house_checks.OF_ITS_WORK}:
            assert "house." not in str(shown_value(article, shapes["article"], "article"))
        assert shown_value("54", shapes["article"], "article") == "54"


def test_coded_words_are_told_in_the_language_of_the_page() -> None:
    with override("pt-pt"):
        assert field_words.word("warning", "severity") == "aviso"
        assert field_words.word("closed", "reason") == "encerramento da partida"
        assert field_words.word("cured", "reason") == "sanada"
        assert str(field_words.label("gaming_day", "finding-raised/1")) == "dia de jogo"
