"""Who may open which page of a pool, by the offices held now: the matrix of permissions."""

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import user_passes_test
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from casino.access import access_policy
from jackpot.events import JackpotAdjusted, TermsApproved

# Whoever is not logged in is led to the entrance.
for_staff = user_passes_test(
    lambda user: user.is_active, login_url="admin:login", redirect_field_name=REDIRECT_FIELD_NAME
)


def reads_pools(request: HttpRequest) -> bool:
    """Whether he may see how a pool went."""
    return access_policy.reads(request, JackpotAdjusted.kind) == "all"


def reads_terms(request: HttpRequest) -> bool:
    """Whether he may read its terms."""
    return access_policy.reads(request, TermsApproved.kind) == "all"


def exports(request: HttpRequest) -> bool:
    """Whether he may take it out of the house."""
    return access_policy.takes_lists(request)


def only(allowed: bool) -> None:
    """Raises: PermissionDenied."""
    if not allowed:
        raise PermissionDenied
