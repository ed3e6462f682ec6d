/* Back to a form that was sent: it has the key it was sent with, so that it records nothing twice.
   The page comes anew, with another key, while the browser fills in what was typed. */
"use strict";
(() => {
  const fields = [...document.querySelectorAll("input[type=hidden][name=key], input[type=hidden][name=request]")];
  if (!fields.length) return;
  const kept = history.state?.formKeys;
  const [came] = performance.getEntriesByType("navigation");
  if (came?.type === "back_forward" && kept?.length === fields.length) {
    fields.forEach((one, i) => { one.value = kept[i]; });
  } else {
    history.replaceState({ ...history.state, formKeys: fields.map((one) => one.value) }, "");
  }
})();
