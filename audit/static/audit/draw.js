// Makes the secret of a draw and fills in its commitment. The secret is shown, never sent: it stands
// in no field of the form. Without this script both are made elsewhere, as the page says.
"use strict";
{
  const BYTES = 32;
  const place = document.getElementById("make-secret");
  const field = document.querySelector('input[name="commitment"]');
  const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

  async function make() {
    const secret = hex(crypto.getRandomValues(new Uint8Array(BYTES)));
    const text = new TextEncoder().encode(`${place.dataset.domain}\n${secret}`);
    field.value = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
    document.getElementById("secret-text").textContent = secret;
    document.getElementById("made-secret").hidden = false;
  }

  if (place && field) {
    // Browsers hash on encrypted connections only.
    const able = window.isSecureContext && window.crypto && crypto.subtle;
    document.getElementById(able ? "make-secret" : "no-secret-here").hidden = false;
    document.getElementById("make-secret-now").addEventListener("click", make);
  }
}
