"""S11: a win is paid, one winner after the other, the smallest prize first.

Order, amounts and shares are the book's; nobody types one. What was typed beside them is read again
before it is confirmed, and so is everything that empties the meter. What was missing of a prize
that was paid too low is paid on its own. A second person puts his word to each payment.

Law: PT art. 43, 44, 49, 50.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events import Malformed
from casino.events.event_policy import FLOOR, MANAGER, PIT
from casino.floor import form_state as carried
from casino.floor.act_forms import ActForm
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import entries_of, shown
from casino.floor.recording_views import Act, record_form_view
from casino.house_day import gaming_day_now
from casino.recording import Receipt
from casino.web.display.money_and_time import money
from casino.web.forms.form_fields import PlainField
from casino.web.forms.shield import BACK, is_too_soon
from jackpot.events import JackpotAdjusted, JackpotPaid
from jackpot.floor.hits import Hit, Payable, hit_at
from jackpot.floor.payout_page import page_values
from jackpot.pool_questions import PaidAlready, refuse_known_payment
from jackpot.progressive.identified import identified_from

TEMPLATE: Final = "jackpot_sala/hit.html"
CHECKED: Final = "checked"  # a field: what was typed has been read again
STEP: Final = "step"  # in an address: another winner than the next one
_TYPED: Final = ("document", "approved_by", "name", "identification")


class PayForm(ActForm):
    """How a winner is paid, and who he is. The amount is none of it.

    `given` is what he had got of his prize when the page was made: what is paid now hangs on it.
    """

    winner = forms.CharField(widget=forms.HiddenInput, max_length=60)
    given = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
    checked = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, object] | None, due: Payable | None) -> None:
        super().__init__(data)
        self.add(JackpotPaid, "means document approved_by name identification")
        self.fields["document"].label = gettext("Document of the payment")
        if due is None or _identified_from(due) is None:
            self.begin(means="cash")
        else:  # how a large prize is paid is recorded, never taken for granted
            self.fields["means"].required = True
            self.fields["means"].error_messages["required"] = gettext("Tap how it is paid.")
        self.initial["winner"] = due.name if due is not None else ""
        self.initial["given"] = due.given_cents if due is not None else 0

    @property
    def filled_in(self) -> list[tuple[str, str]]:
        """What was filled in, by its label, as it was typed."""
        found = []
        for name in ("means", *_TYPED):
            field = self.fields[name]
            value = self.cleaned_data.get(name)
            if value is not None:
                assert isinstance(field, PlainField)
                choices = dict(getattr(field.widget, "choices", ()))
                found.append((str(field.label), str(choices.get(value, value))))
        return found


@floor_page(FLOOR)
def hit_view(request: HttpRequest, table: str, jackpot: str, hit: int) -> HttpResponse:
    """What a win comes to, who was paid, and the next payment."""
    found = hit_at(table, jackpot, hit)
    if found is None:
        raise Http404
    due = _due(request, found)
    form = PayForm(request.POST or None, due)
    left = found.unsettled
    context = page_values(found) | {
        "table": table,
        "due": due,
        "amount": money(due.missing_cents) if due is not None else "",
        "prize": money(due.step.paid_cents) if due is not None else "",
        "given": money(due.given_cents) if due is not None and due.is_short else "",
        "here": _here(request),
        "next_url": request.path if due is None and left else "",
        "next_short": due is None and bool(left) and left[0].is_short,
        "out_of_turn": due is not None and found.is_out_of_turn(due),
        "reads_again": due is not None and _always_read(found, due),
        "identify_from": money(asked) if due and (asked := _identified_from(due)) else "",
        "may_pay": PIT in offices_of(request),
        "withdraw_url": _withdrawal(request, found),
        "may_start": MANAGER in offices_of(request),
    }
    if _is_to_be_read_again(request, form, found, due):
        form_state = carried.posted(request.POST)
        assert form_state is not None
        around = {"own": replace(form_state, at=None), "form": form, "back": BACK}
        around["sent"] = carried.others(request.POST)
        return shown(request, "jackpot_sala/pay_check.html", context | around | {"checking": True})
    return record_form_view(
        request,
        screen="jackpot_pay",
        acts=lambda data: [paid(found, data)],
        form=form,
        template=TEMPLATE,
        context=context,
        done=_to_the_witness,
        tables=(table,),
    )


def _withdrawal(request: HttpRequest, hit: Hit) -> str:
    """Where whoever asks withdraws a win that stands; '' where he may not. Law: PT art. 41."""
    if hit.withdrawn or access_policy.actor(request, JackpotAdjusted.kind) is None:
        return ""
    return f"{reverse('admin:jackpot_jackpotadjustment_add')}?hit={hit.row.entry_id}"


def _here(request: HttpRequest) -> str:
    """The page's own address, without what was recorded before it."""
    step = request.GET.get(STEP, "")
    return f"{request.path}?{STEP}={step}" if step.isascii() and step.isdecimal() else request.path


def _due(request: HttpRequest, hit: Hit) -> Payable | None:
    """Whose payment the page is about: whom it was sent for, whom the address names, the next."""
    left = hit.unsettled
    asked = request.POST.get("winner", "")
    if asked in {one.name for one in hit.payables}:  # nobody else's form comes back in its place
        one = next((one for one in left if one.name == asked), None)
        return one if one is not None and _shown_given(request) == one.given_cents else None
    place = request.GET.get(STEP, "")
    return next((one for one in left if str(one.step.order) == place), None) or next(
        iter(left), None
    )


def _shown_given(request: HttpRequest) -> int:
    """What he had got by the page that was sent."""
    text = request.POST.get("given", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0


def _is_to_be_read_again(
    request: HttpRequest, pay_form: PayForm, hit: Hit, due: Payable | None
) -> bool:
    """Whether it is shown once more before it counts: what was typed, what follows the meter."""
    form_state = carried.posted(request.POST) if request.method == "POST" else None
    soon = is_too_soon(request.POST)
    if form_state is None or due not in hit.unsettled or soon != (CHECKED in request.POST):
        return False
    if BACK in request.POST and not soon:
        return False
    if not pay_form.is_valid() or entries_of(form_state.key):
        return False
    typed = any(pay_form.cleaned_data.get(name) is not None for name in _TYPED)
    return typed or _always_read(hit, due)


def _always_read(hit: Hit, due: Payable) -> bool:
    """Whether it is shown once more whatever was typed. Law: PT art. 50."""
    large = _identified_from(due) is not None
    return hit.is_out_of_turn(due) or due.step.by != "fixed" or large or due.is_short


def _identified_from(due: Payable) -> int | None:
    """The sum from which a winner is identified, where this prize comes to it. Units: cents."""
    asked = identified_from(settings.HOUSE_IDENTIFIES_FROM, gaming_day_now())
    return asked if asked is not None and due.missing_cents >= asked else None


def paid(hit: Hit, data: Mapping[str, Any]) -> Act:
    """One winner's payment. Raises: Malformed, PaidAlready."""
    due = next((one for one in hit.payables if one.name == data["winner"]), None)
    if due is None or hit.withdrawn:
        raise Malformed("$", "nobody is to be paid here: nothing was recorded")
    # Whoever was shown another amount has not confirmed this one.
    if (data["given"] or 0) != due.given_cents:
        if not due.payments:
            raise Malformed("$", "he got nothing yet: nothing was recorded")
        last = due.payments[-1]
        raise PaidAlready(owner=last.owner, n=last.n, stream=last.stream)
    step, cents = due.step, due.missing_cents if due.is_short else due.step.paid_cents
    event = JackpotPaid(
        table=hit.row.table_code,
        partida=hit.row.partida_id,
        jackpot=hit.row.jackpot,
        hit=hit.ref,
        owner=step.winner.owner,
        box=step.winner.box,
        code=step.winner.code,
        paid_cents=cents,
        step=step.order,
        means=data["means"],
        document=data["document"],
        paid_at=data["at"],
        approved_by=data["approved_by"],
        name=data["name"],
        identification=data["identification"],
    )
    refuse_known_payment(event)
    said = gettext("%(amount)s paid to %(owner)s, seat %(n)s")
    if due.is_short:
        said = gettext("The rest of a prize, %(amount)s, paid to %(owner)s, seat %(n)s")
    words = said % {
        "amount": money(cents),
        "owner": step.winner.owner,
        "n": step.winner.seat or step.winner.box,
    }
    return Act(event, words, data["at"])


def _to_the_witness(receipts: Sequence[Receipt]) -> str:
    return reverse("sala:witness", args=[receipts[0].entry_id])
