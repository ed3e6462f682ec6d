"""What was sent to me by mail, word for word, and where to; and of all, what could not be sent.

Each sees his own. That a mail did not leave, whose it was and why is shown to whoever looks after
the house's programs and to those who oversee, never what it says.
"""

from datetime import timedelta
from typing import Final

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from audit.mailing.posting import DIGEST
from audit.mailing.recipients import READERS
from audit.models import Mail, WebhookPost
from audit.models.mails import Outgoing
from casino import clock
from casino.access.offices_held import offices_of
from casino.events.event_policy import ADMIN, OVERSEERS
from casino.models import Account, MailAddress
from casino.recording import SecretRefused
from casino.security_log import note
from casino.web.words.field_words import word
from casino.witnessing.proving import WRONG, ask_password

SHOWN: Final = 50
DAILY: Final = timedelta(hours=26)  # after so long without a digest one is missing
_WATCHES: Final = OVERSEERS | {ADMIN}
State = tuple[str, str, str | Promise]


class AddressForm(forms.Form):
    """Where mail is sent, set with one's own password; blank for nowhere."""

    address = forms.EmailField(
        label=_("Where mail is sent"),
        required=False,
        max_length=254,  # as long as the table holds
        help_text=_("An address that you alone read; blank for no mail."),
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
    )


def gets_mail(request: HttpRequest) -> bool:
    """Whether he holds an office in which one is told by mail."""
    return bool(offices_of(request) & READERS)


def _account(request: HttpRequest) -> Account:
    """Raises: PermissionDenied, for whoever is told nothing by mail."""
    user: Account | AnonymousUser = request.user
    if not isinstance(user, Account) or not gets_mail(request):
        raise PermissionDenied
    return user


def unread(request: HttpRequest) -> int:
    """How many mails left since he last looked at them here, of the newest that are shown."""
    mine = Mail.objects.filter(account__staff=request.user.get_username()).order_by("-made_at")
    return mine.filter(sent_at__isnull=False, read_at=None)[:SHOWN].count()


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def mails_page(request: HttpRequest) -> HttpResponse:
    """The list with the texts, which he has then read; sent, it sets where mail goes."""
    me = _account(request)
    kept = MailAddress.objects.filter(account=me).first()
    sent = request.method == "POST"
    first = {"address": kept.address if kept else ""}
    form = AddressForm(request.POST) if sent else AddressForm(initial=first)
    if form.is_valid() and _is_set(request, me, form):
        return HttpResponseRedirect(reverse("alerts"))
    mine = Mail.objects.filter(account=me).order_by("-made_at")
    shown = list(mine[:SHOWN])
    mine.filter(read_at=None, sent_at__isnull=False).update(read_at=clock.now())
    last = mine.filter(what=DIGEST, sent_at__isnull=False).first()
    values = {
        **admin.site.each_context(request),
        "title": gettext("Alerts"),
        "form": form,
        "address": kept,
        "mails": [(mail, _state(mail)) for mail in shown],
        "digest": bool(offices_of(request) & set(settings.HOUSE_ALERTS[DIGEST])),
        "last": last,
        "missing": kept is not None and last is not None and last.made_at < clock.now() - DAILY,
        "stuck": _stuck() if offices_of(request) & _WATCHES else [],
    }
    return TemplateResponse(request, "audit/mails.html", values, status=400 if sent else 200)


def _is_set(request: HttpRequest, account: Account, address_form: AddressForm) -> bool:
    """Keep the address; false where that was refused, which the form then says."""
    address: str = address_form.cleaned_data["address"]
    try:
        ask_password(account, address_form.cleaned_data["password"])
        with transaction.atomic():
            if address:
                MailAddress.objects.update_or_create(account=account, defaults={"address": address})
            else:
                MailAddress.objects.filter(account=account).delete()
    except SecretRefused as error:
        wrong = error.values["why"] == WRONG
        address_form.add_error(
            "password",
            gettext("This is not your password.")
            if wrong
            else gettext("Too many wrong passwords: wait some minutes and try again."),
        )
        return False
    except IntegrityError:
        taken = gettext("This address is that of another account. Give one that you alone read.")
        address_form.add_error("address", taken)
        return False
    note("mail-address-set", request, account.staff)
    messages.success(request, gettext("Where mail is sent is set."))
    return True


def _state(mail: Outgoing) -> State:
    """Tone, icon and words of how far a mail is."""
    if mail.sent_at is not None:
        return "kept", "kept", pgettext_lazy("mail", "sent")
    if mail.given_up_at is not None:
        return "breach", "breach", _("given up")
    return ("warning", "warning", _("tried again")) if mail.tries else ("idle", "open", _("waits"))


def _stuck() -> list[tuple[Outgoing, State, str, str, str]]:
    """Mails and webhooks that were given up, or were not taken yet: whose, since when, why."""
    stuck = Q(given_up_at__isnull=False) | Q(sent_at=None, tries__gt=0)
    mails = Mail.objects.filter(stuck).select_related("account").order_by("-made_at")[:SHOWN]
    posts = WebhookPost.objects.filter(stuck).order_by("-made_at")[:SHOWN]
    rows: list[tuple[Outgoing, str, str]] = [
        *((one, str(one.account), str(word(one.office))) for one in mails),
        *((one, one.webhook, gettext("webhook")) for one in posts),
    ]
    return [(one, _state(one), whose, what, gettext(one.trouble)) for one, whose, what in rows]
