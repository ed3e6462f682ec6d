"""Who may log in, and which machines may call. What a person is called lies in the erasable table,
not here.

A machine's rights are its number's office in the book; its secret and its tokens are hashes in the
tables of django-oauth-toolkit. Nothing here proves anything: what a machine recorded is in the
book.
"""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category


class AccountManager(BaseUserManager["Account"]):
    """Makes accounts; the password is hashed with Argon2 (settings.PASSWORD_HASHERS)."""

    def create_user(
        self, staff: str, password: str | None = None, *, language: str = "pt-pt"
    ) -> "Account":
        """An account for a staff number. Without a password nobody can log in to it."""
        account = self.model(staff=staff, language=language)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def create_superuser(self, staff: str, password: str | None = None) -> "Account":
        """Django's own command asks for this; no office comes with it, so it records nothing."""
        account = self.create_user(staff, password)
        account.is_superuser = True
        account.save(using=self._db, update_fields=["is_superuser"])
        return account


class Account(AbstractBaseUser, PermissionsMixin):
    """A login. The offices a person holds are events in the book; an account has none of its
    own.

    `password_is_temporary` says that somebody else set the password: its owner changes it before
    anything else. `asks_second` says that a second factor is asked for after it.
    """

    category: ClassVar[Category] = "operational"

    staff = models.CharField(_("staff number"), max_length=40, unique=True)
    is_active = models.BooleanField(_("may log in"), default=True)
    language = models.CharField(_("language"), max_length=8, default="pt-pt")
    created_at = models.DateTimeField(auto_now_add=True)
    password_is_temporary = models.BooleanField(default=False)
    asks_second = models.BooleanField(default=False)

    objects = AccountManager()

    USERNAME_FIELD = "staff"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        db_table = "casino_account"
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    def __str__(self) -> str:
        return self.staff

    @property
    def is_staff(self) -> bool:
        """Whoever may log in may open the admin: what he sees there follows from his office."""
        return self.is_active


class WitnessSecret(models.Model):
    """The secret a person confirms another's act with: a hash, never the secret.

    `pepper` says under which of the house's peppers, by a name that tells nothing of it; '' under
    the first the house ever had.
    """

    category: ClassVar[Category] = "erasable"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    pin_hash = models.CharField(max_length=200)
    pepper = models.CharField(max_length=16, default="")

    class Meta:
        db_table = "casino_witness_secret"

    def __str__(self) -> str:
        return str(self.account)


class QuickCode(models.Model):
    """The code a person is changed to with, on a tablet where he logged in: a hash, never the code.

    Another than the witness's, and worth nothing anywhere else. `pepper` as in `WitnessSecret`.
    """

    category: ClassVar[Category] = "operational"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    pin_hash = models.CharField(max_length=200)
    pepper = models.CharField(max_length=16, default="")

    class Meta:
        db_table = "casino_quick_code"

    def __str__(self) -> str:
        return str(self.account)


class Authenticator(models.Model):
    """The app that shows a person a new code every half minute (TOTP, RFC 6238).

    `secret` is enciphered under the house's pepper, which is not in the database; `last_step` is
    the last half minute of which a code was taken: each is taken once.
    """

    category: ClassVar[Category] = "operational"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    secret = models.TextField()
    last_step = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "casino_authenticator"

    def __str__(self) -> str:
        return str(self.account)


class RecoveryCode(models.Model):
    """A code to be used once where the second factor is lost: a hash under the pepper."""

    category: ClassVar[Category] = "operational"

    account = models.ForeignKey(Account, on_delete=models.CASCADE)
    code_hash = models.CharField(max_length=64)

    class Meta:
        db_table = "casino_recovery_code"
        constraints = (
            models.UniqueConstraint(fields=("account", "code_hash"), name="recovery_code_once"),
        )

    def __str__(self) -> str:
        return str(self.account)


class DirectoryOffices(models.Model):
    """The offices somebody's groups in the house's directory stand for, when it was last asked.

    No office follows from it: those he holds are events in the book.
    """

    category: ClassVar[Category] = "operational"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    offices = models.JSONField()
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "casino_directory_offices"

    def __str__(self) -> str:
        return str(self.account)


class MailAddress(models.Model):
    """Where a person is sent mail: set by himself, shown to nobody else, in no entry of the book.

    One address is one person's: what is sent to an inspector reaches nobody of the house.
    """

    category: ClassVar[Category] = "erasable"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    address = models.EmailField(_("e-mail address"))

    class Meta:
        db_table = "casino_mail_address"
        constraints = (models.UniqueConstraint(Lower("address"), name="mail_address_once"),)

    def __str__(self) -> str:
        return str(self.account)


class LoginTry(models.Model):
    """A wrong password that was tried, or something else of which one address may try so many;
    kept as long as it counts.

    `whose` stands for what is counted (a number and an address, a number, an address, a password)
    and tells none of it: people type their password into the wrong field.
    """

    category: ClassVar[Category] = "operational"

    id = models.UUIDField(primary_key=True, editable=False)
    whose = models.TextField(editable=False)
    tried_at = models.DateTimeField(editable=False)
    counts_until = models.DateTimeField(db_index=True, editable=False)

    class Meta:
        db_table = "casino_login_try"
        indexes = (models.Index(fields=["whose", "tried_at"], name="login_try_whose"),)

    def __str__(self) -> str:
        return self.whose


class ApiClient(models.Model):
    """One client: its application holds the account of its number, without a password.

    `highest` is the largest number of a message that was taken, `taken` how many were: they differ
    while one is missing. `skew_ms` is how far its clock ran behind ours at the last message.
    """

    category: ClassVar[Category] = "operational"

    application = models.OneToOneField(
        "oauth2_provider.Application", primary_key=True, on_delete=models.CASCADE, editable=False
    )
    number = models.CharField(max_length=40, unique=True, editable=False)
    tables = models.JSONField(editable=False)
    scopes = models.JSONField(editable=False)
    made_by = models.TextField(editable=False)
    made_at = models.DateTimeField(editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)
    highest = models.BigIntegerField(default=0, editable=False)
    taken = models.BigIntegerField(default=0, editable=False)
    last_at = models.DateTimeField(null=True, editable=False)
    skew_ms = models.BigIntegerField(null=True, editable=False)

    class Meta:
        db_table = "casino_api_client"

    def __str__(self) -> str:
        return self.number

    @property
    def missing(self) -> int:
        """How many messages below the last one never came."""
        return self.highest - self.taken


class ApiMessage(models.Model):
    """A message that was taken: its number is used up, and stands for this body alone."""

    category: ClassVar[Category] = "log"

    id = models.BigAutoField(primary_key=True, editable=False)
    client = models.ForeignKey(ApiClient, on_delete=models.CASCADE, editable=False)
    number = models.BigIntegerField(editable=False)
    sha256 = models.CharField(max_length=64, editable=False)
    sent_at = models.DateTimeField(editable=False)
    received_at = models.DateTimeField(editable=False)

    class Meta:
        db_table = "casino_api_message"
        constraints = (
            models.UniqueConstraint(fields=("client", "number"), name="api_message_once"),
        )

    def __str__(self) -> str:
        return f"{self.client_id} {self.number}"


class LoginReset(models.Model):
    """A code two persons had made for somebody, to be used once at the entrance: a hash under the
    pepper. `asked_n` is the entry of the request, in the house's stream.
    """

    category: ClassVar[Category] = "operational"

    account = models.OneToOneField(Account, primary_key=True, on_delete=models.CASCADE)
    code_hash = models.CharField(max_length=64)
    expires_at = models.DateTimeField()
    asked_n = models.BigIntegerField()

    class Meta:
        db_table = "casino_login_reset"

    def __str__(self) -> str:
        return str(self.account)


class SecurityEvent(models.Model):
    """A line of the security log, kept for some months: rows are put there and never changed.

    `staff` is a number as it was typed, '' for nobody; `address` the one believed; `about` what
    else the line says, as it says it.
    """

    category: ClassVar[Category] = "log"

    at = models.DateTimeField(_("when"), editable=False)
    event = models.TextField(_("what happened"), editable=False)
    staff = models.TextField(_("staff number"), editable=False)
    address = models.TextField(_("address"), editable=False)
    about = models.TextField(_("about"), editable=False)

    class Meta:
        db_table = "casino_security_event"
        verbose_name = _("event of the security log")
        verbose_name_plural = _("events of the security log")
        indexes = (
            models.Index(fields=["staff", "id"], name="security_event_staff"),
            models.Index(fields=["event", "at"], name="security_event_at"),
            models.Index(fields=["address", "at"], name="security_event_address"),
        )

    def __str__(self) -> str:
        return f"{self.event} {self.staff}"
