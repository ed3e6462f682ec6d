"""The queue of `make run`: kombu's transport over pgmq, with three things put right.

Registered for `pgmq://` addresses by casino.celery. A casino in earnest uses RabbitMQ, and then
nothing here is ever imported.
"""

from hashlib import sha256
from typing import Any, Final

from kombu.transport import pgmq
from psycopg.conninfo import make_conninfo

LONGEST_NAME: Final = 47  # pgmq puts a table's prefix before it


class Channel(pgmq.Channel):
    """A channel whose queues may have long names."""

    def canonical_queue_name(self, queue_name: str) -> str:
        """The name in the database: reply queues and long host names do not fit as they are."""
        name: str = super().canonical_queue_name(queue_name).lower()
        if len(name) <= LONGEST_NAME:
            return name
        return "h_" + sha256(name.encode()).hexdigest()[:40]


class Transport(pgmq.Transport):
    """The transport, bound to the queue's own database."""

    Channel = Channel

    def _create_pgmq_client(self) -> Any:
        """Connect to where BROKER_URL points.

        Left alone, pgmq's client takes DATABASE_URL from the environment before what it is told,
        and so would keep its tables in the book's database.
        """
        value: Any = self.client
        where = make_conninfo(
            host=value.hostname,
            port=value.port or self.default_port,
            dbname=value.virtual_host.lstrip("/"),
            user=value.userid,
            password=value.password,
        )
        value.transport_options = {**value.transport_options, "conn_string": where}
        return super()._create_pgmq_client()
