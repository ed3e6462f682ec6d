"""A test that asks for the server and falls asleep. It is only run by test_session.py."""

import time

from casino.local.cluster import Cluster


def test_sleep(database_server: Cluster) -> None:
    assert database_server.answers()
    time.sleep(600)
