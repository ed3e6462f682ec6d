"""A browser with an authenticator of its own, as a telephone has one."""

from playwright.sync_api import CDPSession, Page


def with_authenticator(page: Page) -> tuple[CDPSession, str]:
    """The telephone's own: it asks its user, and he is there."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    made = devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return devtools, str(made["authenticatorId"])
