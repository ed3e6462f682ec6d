"""The page of a finding names the stakes it leaves without a due, and how much they were."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from audit.models import Finding
from tests.audit.reconciling import reconcile
from tests.factories.evenings import closed, opened, played, record_all
from tests.factories.findings import client_of, people
from tests.factories.rounds import a_round, box, main, misdealt


@pytest.fixture
def kept(db: None) -> Finding:
    """A turned card the bank kept; what J1 would have drawn after another one nobody knows."""
    people()
    round_played = a_round(
        box(1, "TS 2D 8C", main(2500, 2500)),
        box(2, "AS KD", main(1000, 2500)),
        bank="9H AC",
        bank_open=(1, 2),
        misdealt=[misdealt("AC", "bank", "bank", seen=True)],
    )
    base = played("a", place=1)
    record_all(
        [
            opened(),
            replace(
                base,
                boxes=round_played.boxes,
                bank=round_played.bank,
                misdealt=round_played.misdealt,
            ),
            closed(),
        ]
    )
    reconcile("first")
    return Finding.objects.get(check_name="second_bank_card_face_down")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt-pt", "Não se pode determinar o que era devido por 25,00 de apostas: J1, postura"),
        ("en", "What was due for stakes of 25.00 cannot be determined: J1, main stake"),
    ],
)
def test_the_open_stakes_are_on_the_findings_page(kept: Finding, language: str, said: str) -> None:
    address = reverse("admin:audit_finding_change", args=[kept.pk])
    page = client_of("inspetor", language).get(address).content.decode()
    assert f"<dd>{said}" in page


def test_a_finding_that_leaves_nothing_open_names_no_stake(kept: Finding) -> None:
    other = Finding.objects.exclude(pk=kept.pk).exclude(readings__contains=["unknown-outcome"])
    inspector: Client = client_of("inspetor")
    for one in other:
        page = inspector.get(reverse("admin:audit_finding_change", args=[one.pk]))
        assert page.context["undetermined"] == []
    assert other
