"""Machines: their secrets, their tokens, and how one is known by its token.

Only client credentials are granted (RFC 6749, 4.4). A machine is an application whose account is
its number, which nobody can log in with; what it may do is its number's office in the book.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.db import DataError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import AccessToken, Application
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.views import RevokeTokenView, TokenView
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from casino import clock
from casino.api.api_problems import MEDIA_TYPE, Problem
from casino.models import Account, ApiClient, LoginTry, Staff
from casino.security_log import as_number, note
from casino.web.entrance import whose_try
from casino.web.login.throttle import one_try

# What a token may be good for, each with what the description says of it.
SCOPES: Final = {"rounds": "rounds", "records": "other records", "read": "reading"}


class Machine(NamedTuple):
    """Who calls by a token: `request.auth`."""

    client: ApiClient
    scopes: frozenset[str]


class NoSuchMachine(ValueError):
    """No machine is kept under that number; the text says why."""


class OtherTables(ValueError):
    """A machine's tables are not those somebody saw when he changed them."""


class OtherSecret(ValueError):
    """The secret somebody wants to end is not the one that holds."""


class ByToken(BaseAuthentication):
    """A token of a machine that is not revoked. It is sent in the header, and nowhere else."""

    def authenticate(self, request: HttpRequest) -> tuple[Account, Machine] | None:
        """The account of the machine's number, and the machine. Raises: AuthenticationFailed."""
        scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if not scheme:
            return None
        found = None
        if scheme.lower() == "bearer" and token.isascii():
            digest = sha256(token.encode()).hexdigest()
            kept = AccessToken.objects.select_related("application__user", "application__apiclient")
            found = kept.filter(token_checksum=digest).first()
        if found is None or found.is_expired():
            raise AuthenticationFailed
        client: ApiClient = found.application.apiclient
        if client.revoked_at is not None or not found.application.user.is_active:
            raise AuthenticationFailed
        return found.application.user, Machine(client, frozenset(found.scope.split()))

    def authenticate_header(self, request: HttpRequest) -> str:
        """How one is asked for."""
        return 'Bearer realm="api"'


class ScopesOfClients(BaseScopes):
    """A client's scopes are those it was made with, and it is given all of them unasked."""

    def get_all_scopes(self) -> dict[str, str]:
        """Every scope."""
        return dict(SCOPES)

    def get_available_scopes(
        self, application: Application = None, request: object = None, **_: object
    ) -> list[str]:
        """Those it may ask for."""
        client = ApiClient.objects.filter(application=application, revoked_at=None).first()
        return [] if client is None else list(client.scopes)

    def get_default_scopes(
        self, application: Application = None, request: object = None, **_: object
    ) -> list[str]:
        """Those it is given."""
        return self.get_available_scopes(application)


class TokenApi(TokenView):
    """``POST /api/token``: a token for a number and its secret. Wrong secrets are counted.

    What was interrupted, and what is refused for another reason, is no wrong secret.
    """

    http_method_names = ("post",)

    def post(self, request: HttpRequest) -> HttpResponse:
        """The answer RFC 6749 asks for; 429 after too many wrong secrets."""
        if request.POST.get("grant_type") != "client_credentials":
            return JsonResponse({"error": "unsupported_grant_type"}, status=400)
        named = request.POST.get("client_id") or request.headers.get("Authorization", "")[:200]
        try:
            with one_try(whose := whose_try(f"token {named}", request)) as left:
                if isinstance(left, timedelta):
                    note("token-refused", request, as_number(named), why="too many wrong secrets")
                    return _too_many(left)
                answer: HttpResponse = super().post(request)
                if answer.status_code == 200:
                    LoginTry.objects.filter(whose=whose).delete()
                elif answer.status_code != 401:  # the secret was right, or nobody compared it
                    transaction.set_rollback(True)
        except (ValueError, DataError):  # what no text of a database can be
            return JsonResponse({"error": "invalid_request"}, status=400)
        if answer.status_code == 200:
            AccessToken.objects.filter(expires__lt=clock.now()).delete()
        else:
            note("token-refused", request, as_number(named))
        return answer


class RevokeApi(RevokeTokenView):
    """``POST /api/revoke``: a machine gives a token back before it ends (RFC 7009)."""

    http_method_names = ("post",)

    def post(self, request: HttpRequest) -> HttpResponse:
        """The answer RFC 7009 asks for."""
        try:
            answer: HttpResponse = super().post(request)
        except (ValueError, DataError):
            return JsonResponse({"error": "invalid_request"}, status=400)
        return answer


def _too_many(wait: timedelta) -> HttpResponse:
    body = Problem(429, "too-many-requests", gettext("Too many wrong secrets.")).body()
    answer = JsonResponse(body, status=429, content_type=MEDIA_TYPE)
    answer["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return answer


def make_machine(
    number: str, tables: Sequence[str], scopes: Sequence[str], by: str
) -> tuple[ApiClient, str]:
    """A machine for a registered number, and its secret, which nobody is shown again.

    Raises: NoSuchMachine.
    """
    if not Staff.objects.filter(person=number).exists():
        raise NoSuchMachine(
            gettext("%(number)s is not registered. Register the machine's number first.")
            % {"number": number}
        )
    if not scopes or not set(scopes) <= set(SCOPES):
        raise NoSuchMachine(gettext("Choose what the machine may do."))
    with transaction.atomic():
        account, made = Account.objects.get_or_create(staff=number)
        if made:
            account.set_unusable_password()
            account.save(update_fields=["password"])
        # A form that is sent twice at once waits here, and is then told so.
        Account.objects.select_for_update().get(pk=account.pk)
        _refuse_kept(account)
        secret = generate_client_secret()
        application = Application.objects.create(
            name=number,
            client_id=number,
            client_secret=secret,
            client_type=Application.CLIENT_CONFIDENTIAL,
            authorization_grant_type=Application.GRANT_CLIENT_CREDENTIALS,
            user=account,
        )
        client = ApiClient.objects.create(
            application=application,
            number=number,
            tables=sorted(set(tables)),
            scopes=[one for one in SCOPES if one in scopes],
            made_by=by,
            made_at=clock.now(),
        )
    return client, secret


def _refuse_kept(account: Account) -> None:
    """Raises: NoSuchMachine, for a number that is a machine's already, or a person's."""
    kept = ApiClient.objects.filter(number=account.staff).first()
    if kept is not None and kept.revoked_at is not None:
        text = gettext("%(number)s was revoked for good. Register another number for the machine.")
    elif kept is not None:
        text = gettext(
            "%(number)s is a machine already. If you did not see its secret, give it a new one."
        )
    elif account.has_usable_password():
        text = gettext(
            "%(number)s is a person's who logs in. Register a number of the machine's own."
        )
    else:
        return
    raise NoSuchMachine(text % {"number": account.staff})


def secret_mark(client: ApiClient) -> str:
    """Which of a machine's secrets holds: another after each new one. Says nothing of it."""
    updated: datetime = client.application.updated
    return updated.isoformat()


def renew_secret(client: ApiClient, seen: str | None = None) -> str:
    """Another secret; the one before and every token of it are worth nothing from now on.

    `seen` is the mark of the secret that is to be ended, where somebody asks. Raises:
    OtherSecret, for one that has ended meanwhile: the form was sent twice.
    """
    secret: str = generate_client_secret()
    with transaction.atomic():
        application = Application.objects.select_for_update().get(pk=client.pk)
        if seen is not None and seen != application.updated.isoformat():
            raise OtherSecret
        application.client_secret = secret
        application.save(update_fields=["client_secret", "updated"])
        AccessToken.objects.filter(application=client.pk).delete()
    return secret


def change_tables(client: ApiClient, before: Sequence[str], tables: Sequence[str]) -> bool:
    """Where it records from now on; whether that is elsewhere than before.

    `before` are the tables that stood there when somebody asked for it. Raises: OtherTables, where
    they were changed meanwhile, and not to the same.
    """
    wanted = sorted(set(tables))
    with transaction.atomic():
        kept = ApiClient.objects.select_for_update().get(pk=client.pk, revoked_at=None)
        if kept.tables == wanted:
            return False
        if sorted(before) != kept.tables:
            raise OtherTables
        ApiClient.objects.filter(pk=kept.pk).update(tables=wanted)
    return True


def revoke(client: ApiClient, at: datetime) -> None:
    """Nobody calls with it any more: its tokens are gone, and its secret is one nobody knows."""
    renew_secret(client)
    ApiClient.objects.filter(pk=client.pk, revoked_at=None).update(revoked_at=at)
