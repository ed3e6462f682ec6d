/* Asks the device for a passkey, or for its answer, and sends the form with what it said.
   A form says in data-passkey which (create, get) and in data-options what is asked, as JSON. */
"use strict";
(() => {
  const bytes = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const named = (keys) => (keys || []).map((key) => ({ ...key, id: bytes(key.id) }));

  const create = async (asked) => {
    const key = await navigator.credentials.create({
      publicKey: {
        ...asked,
        challenge: bytes(asked.challenge),
        user: { ...asked.user, id: bytes(asked.user.id) },
        excludeCredentials: named(asked.excludeCredentials),
      },
    });
    return { credential: key.rawId, client_data: key.response.clientDataJSON,
             attestation_object: key.response.attestationObject };
  };
  const get = async (asked) => {
    const key = await navigator.credentials.get({
      publicKey: {
        ...asked,
        challenge: bytes(asked.challenge),
        allowCredentials: named(asked.allowCredentials),
      },
    });
    return { credential: key.rawId, client_data: key.response.clientDataJSON,
             authenticator_data: key.response.authenticatorData, signature: key.response.signature };
  };

  const tell = (words) => {
    const said = document.getElementById("passkey-said");
    said.textContent = words;
    said.hidden = false;
    said.scrollIntoView({ block: "center" });
  };
  // The form is sent again once the device has answered, and then whoever sends forms here sends it.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-passkey]") || form.dataset.answered) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!window.PublicKeyCredential) { tell(form.dataset.missing); return; }
    const button = form.querySelector("button[type=submit]");
    button.disabled = true;
    try {
      const ask = form.dataset.passkey === "create" ? create : get;
      const answer = await ask(JSON.parse(form.dataset.options));
      for (const [name, value] of Object.entries(answer)) {
        form.elements.namedItem(name).value = text(value);
      }
    } catch {
      tell(form.dataset.failed);
      button.disabled = false;
      return;
    }
    button.disabled = false;
    form.dataset.answered = "1";
    form.requestSubmit(button);
  }, true);
})();
