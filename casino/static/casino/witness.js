/* Who a typed number is, and what he lacks as a second person, is said when the number leaves its field:
   before his code is asked. The same page is asked for with that number; text, digits and list stay. */
"use strict";
(() => {
  let last = ""; // what was asked last: an answer to anything before it comes too late

  async function look(form) {
    const [field, list] = ["staff", "staff-pick"].map((name) => form.elements.namedItem(name));
    const asked = last = (list && list.value) || field.value.trim();
    if (asked === form.dataset.said) return;
    const address = new URL(location.href);
    address.searchParams.set("by", asked);
    address.searchParams.set("anew", "1");
    if (document.querySelector("main.left")) address.searchParams.set("side", "left");
    try {
      const answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
      const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      const fresh = page.querySelector("form[data-said]");
      if (!fresh || asked !== last || !field.isConnected) return;
      form.dataset.said = fresh.dataset.said;
      ["staff", "staff-was", "token"].forEach((name) => {
        const [now, then] = [fresh, form].map((one) => one.elements.namedItem(name));
        if (now && then) then.value = now.value;
      });
      if (list) list.value = "";
      [".lacking", ".foot", ".who"].forEach((which) => {
        const [now, then] = [fresh, form].map((one) => one.querySelector(which));
        if (now && then) then.replaceWith(document.adoptNode(now));
      });
      document.dispatchEvent(new Event("screen-shown")); // the button lies elsewhere, or says another thing
    } catch {
      // No connection: whoever confirms is told the same by the answer.
    }
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-said]");
    if (form && /^staff(-pick)?$/.test(event.target.name)) look(form);
  });
  // What was typed before this script was here: on a slow line a page is seen, and typed into, first.
  document.querySelectorAll("form[data-said]").forEach((form) => {
    if (document.activeElement !== form.elements.namedItem("staff")) look(form);
  });
})();
