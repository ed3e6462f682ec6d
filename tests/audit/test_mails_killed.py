"""Real workers and a real folder of mails: killed between the sending and the note, two at once."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest

from audit.models import Mail, SentAlert
from audit.runs.numbering import number
from casino.house_day import gaming_day_now
from casino.models import Account, MailAddress
from tests.factories.findings import PEOPLE, RUN, finding, key_of, people, write
from tests.gate import ROOT

pytestmark = pytest.mark.check
WORKER: Final = """
import sys, time
import django
django.setup()
from django.core.mail import EmailMessage
send = EmailMessage.send
def slowly(mail, **how):
    send(mail, **how)
    print("taken", flush=True)
    time.sleep(3600)
if sys.argv[1] == "slow":
    EmailMessage.send = slowly
from casino.celery import app
import audit.tasks
app.tasks["audit.tasks.send_mail"]()
"""


def test_a_worker_killed_before_its_note_and_two_at_once(
    fresh_db: str, database_environment: dict[str, str], tmp_path: Path
) -> None:
    people()
    for office in ("auditor", "inspetor"):
        account = Account.objects.get(staff=PEOPLE[office])
        MailAddress.objects.create(account=account, address=f"{office}@example.pt")
    write([finding(1, gaming_day=gaming_day_now())])
    number(UUID(RUN), [key_of(1)])
    folder = tmp_path / "mail"
    environment = {
        **database_environment,
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "MAIL_FOLDER": str(folder),
    }

    def worker(how: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WORKER, how]
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )

    with worker("slow") as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "taken\n"
        os.kill(killed.pid, signal.SIGKILL)
    assert not SentAlert.objects.exists()
    (twice,) = messages(folder)
    while Mail.objects.filter(next_at__isnull=False).exists():
        with worker("quick") as one, worker("quick") as other:
            assert (one.wait(), other.wait()) == (0, 0)
    sent = Counter(messages(folder))
    assert set(sent) == {str(key) for key in Mail.objects.values_list("id", flat=True)}
    assert {key for key, times in sent.items() if times > 1} == {twice}
    assert SentAlert.objects.count() == len(sent) >= 2


def messages(folder: Path) -> list[str]:
    """The Message-ID of every mail in it, as far as it is the mail's own."""
    texts = [file.read_text("utf-8") for file in sorted(folder.glob("*.log"))]
    named = re.compile(r"^Message-ID: <(.*)@", re.MULTILINE)
    return [found for text in texts for found in named.findall(text)]
