"""Who may log in. What a person is called lies in the erasable table, not here."""

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
    """

    category: ClassVar[Category] = "operational"

    staff = models.CharField(_("staff number"), max_length=40, unique=True)
    is_active = models.BooleanField(_("may log in"), default=True)
    language = models.CharField(_("language"), max_length=8, default="pt-pt")
    created_at = models.DateTimeField(auto_now_add=True)

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

    `whose` stands for the number that was typed and the address it came from, and tells neither:
    people type their password into the wrong field.
    """

    category: ClassVar[Category] = "operational"

    id = models.UUIDField(primary_key=True, editable=False)
    whose = models.TextField(editable=False)
    tried_at = models.DateTimeField(db_index=True, editable=False)

    class Meta:
        db_table = "casino_login_try"
        indexes = (models.Index(fields=["whose", "tried_at"], name="login_try_whose"),)

    def __str__(self) -> str:
        return self.whose
