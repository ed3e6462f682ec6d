/* The floor's own script. Every page works without it; with it a lost connection keeps the form, a
   second tap is no second act, and the clock goes on: the server's, never the tablet's. */
"use strict";
(() => {
  const WAIT = 15000; // ms until an answer is no longer expected
  let touched = false;
  let busy = false;

  // The clock: what the server said, plus the time that has passed here since.
  const told = { at: 0, seconds: 0 };
  function setClock() {
    const clock = document.getElementById("clock");
    if (!clock) return;
    const [h, m, s] = clock.textContent.trim().split(":").map(Number);
    told.at = performance.now();
    told.seconds = h * 3600 + m * 60 + (s || 0);
  }
  function tick() {
    const clock = document.getElementById("clock");
    if (!clock) return;
    const now = (told.seconds + Math.floor((performance.now() - told.at) / 1000)) % 86400;
    const two = (n) => String(n).padStart(2, "0");
    clock.textContent = [now / 3600, (now / 60) % 60, now % 60].map((n) => two(Math.floor(n))).join(":");
  }

  // What a button says follows what is ticked.
  function count(form) {
    const kind = form.dataset.count;
    if (!kind) return;
    const button = form.querySelector(".primary");
    const counted = { decks: "input[type=radio]:checked", chips: "input.counted:checked" };
    const ticked = form.querySelectorAll(counted[kind] || "input[type=checkbox]:checked").length;
    form.querySelectorAll("[data-n]").forEach((one) => { one.hidden = Number(one.dataset.n) !== ticked; });
    const bad = kind === "decks"
      ? form.querySelectorAll("input[type=radio]:checked:not([value=conform])").length : 0;
    if (!button || !button.dataset.some) return;
    button.dataset.none ||= button.textContent;
    if (!ticked) { button.textContent = button.dataset.none; return; }
    const all = button.dataset.all && !bad && ticked === form.querySelectorAll("fieldset").length;
    button.textContent = all ? button.dataset.all : button.dataset.some.replace("{n}", ticked).replace("{bad}", bad);
  }
  function countAll() { document.querySelectorAll("form[data-count]").forEach(count); }

  // The decks of an opening: a tile puts its deck into the field where they are typed, or takes it out.
  const codes = (field) => field.value.split(/[\s,;]+/).filter(Boolean);
  const code = (word) => word.split(":")[0];
  function pressTiles() {
    document.querySelectorAll("[data-decks]").forEach((tiles) => {
      const field = document.getElementById(tiles.dataset.decks);
      if (!field) return;
      tiles.hidden = false;
      const there = codes(field).map(code);
      tiles.querySelectorAll("[data-deck]").forEach((one) => one.setAttribute("aria-pressed", String(there.includes(one.dataset.deck))));
    });
  }
  function tapDeck(tile) {
    const field = document.getElementById(tile.closest("[data-decks]").dataset.decks);
    const kept = codes(field).filter((word) => code(word) !== tile.dataset.deck);
    if (tile.getAttribute("aria-pressed") !== "true") kept.push(tile.dataset.typed);
    field.value = kept.join(" ");
    touched = true;
    pressTiles();
  }

  function say(which) {
    const lost = document.getElementById("lost");
    if (!lost) return;
    lost.textContent = lost.dataset[which];
    lost.hidden = false;
    lost.scrollIntoView({ block: "center" });
  }
  function settle() {
    setClock();
    countAll();
    pressTiles();
    const first = document.getElementById("errors");
    if (first) { first.focus(); first.scrollIntoView({ block: "start" }); }
  }
  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    document.title = page.title;
    document.body.replaceWith(document.adoptNode(page.body));
    touched = false;
    window.scrollTo(0, 0);
    settle();
  }
  function within(promise) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), WAIT);
    return promise(stop.signal).finally(() => clearTimeout(timer));
  }

  async function send(form, button) {
    const fields = new FormData(form, button || undefined);
    if (!navigator.onLine) { say("lost"); return; }
    busy = true;
    form.querySelectorAll("button").forEach((one) => { one.disabled = true; });
    const plain = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
    try {
      const answer = await within((signal) => fetch(form.action || location.href, {
        method: "POST", body: plain, headers: { "X-Sala": "1" }, credentials: "same-origin",
        redirect: "manual", cache: "no-store", signal,
      }));
      const onward = answer.headers.get("X-Sala-To");
      if (onward) { location.assign(onward); return; }
      if (answer.type === "opaqueredirect") { location.reload(); return; }
      if (answer.status >= 500) throw new Error("failed");
      show(await answer.text());
    } catch (error) {
      say(error.message === "failed" ? "failed" : navigator.onLine ? "unsure" : "lost");
      form.querySelectorAll("button").forEach((one) => { one.disabled = false; });
    }
    busy = false;
  }

  // Another look at the same page: a seat tapped, half a minute gone by. Taps that come while one is
  // on its way wait for it: none is lost, and a button records what it says.
  function put(page) {
    const fresh = page.getElementById("live");
    const stale = document.getElementById("live");
    if (!fresh || !stale) return false;
    const open = [...stale.querySelectorAll("details")].map((one) => one.open);
    const typed = [...stale.querySelectorAll(".act-form [id]")].filter((one) =>
      one.type === "checkbox" ? one.checked !== one.defaultChecked
        : one.matches("input, textarea") && one.type !== "radio" && one.value !== one.defaultValue);
    const held = document.activeElement && document.activeElement.id;
    document.title = page.title;
    const [back, stood] = [page, document].map((one) => one.querySelector(".bar .back"));
    if (back && stood) stood.replaceWith(document.adoptNode(back));
    stale.replaceWith(document.adoptNode(fresh));
    [...fresh.querySelectorAll("details")].forEach((one, place) => { if (open[place]) one.open = true; });
    typed.forEach((one) => {
      const field = document.getElementById(one.id);
      if (field) { field.value = one.value; field.checked = one.checked; }
    });
    const again = held && document.getElementById(held);
    if (again) again.focus({ preventScroll: true });
    const clock = page.getElementById("clock");
    if (clock) { document.getElementById("clock").textContent = clock.textContent; setClock(); }
    document.getElementById("lost").hidden = true;
    countAll();
    return true;
  }
  async function look(address, keep) {
    try {
      const answer = await within((signal) => fetch(address, {
        credentials: "same-origin", cache: "no-store", signal, headers: { "X-Sala-Look": "1" },
      }));
      const text = answer.ok ? await answer.text() : "";
      if (keep && (touched || busy)) return;
      if (put(new DOMParser().parseFromString(text, "text/html"))) {
        if (!keep) history.replaceState(null, "", address);
      } else if (!keep) location.assign(address);
    } catch {
      say("lost");
    }
  }
  const waiting = []; // the ids of what was tapped meanwhile
  let looking = false;
  async function swap(address) {
    looking = true;
    await look(address, false);
    looking = false;
    const next = waiting.shift();
    if (!next) return;
    const same = [...document.querySelectorAll(next.id ? `[id="${next.id}"]` : "button")];
    const meant = same.find((one) => one.matches("a") || one.textContent === next.said);
    if (!meant) waiting.length = 0;
    else if (meant.matches("a")) swap(meant.href);
    else meant.form.requestSubmit(meant);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-swap-form]")) {
      event.preventDefault();
      touched = true;
      if (!busy && !looking) swap(`${form.action}?${new URLSearchParams(new FormData(form))}`);
      return;
    }
    if (!form.matches(".act-form, .leave")) return;
    event.preventDefault();
    if (looking) waiting.push({ said: event.submitter ? event.submitter.textContent : "" });
    else if (!busy) send(form, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const deck = event.target.closest("[data-deck]");
    if (deck && deck.closest("[data-decks]")) { tapDeck(deck); return; }
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    touched = true;
    if (looking) waiting.push({ id: link.id });
    else if (!busy) swap(link.href);
  });
  document.addEventListener("input", (event) => {
    touched = true;
    pressTiles();
    const form = event.target.closest("form[data-count]");
    if (form) count(form);
  });
  window.addEventListener("online", () => { const lost = document.getElementById("lost"); if (lost) lost.hidden = true; });
  // Come back to with the browser's own button, a page is asked for anew.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  setInterval(tick, 1000);
  setInterval(() => {
    const live = document.querySelector("#live[data-every]");
    if (live && !touched && !busy && document.visibilityState === "visible") look(location.href.replace(/[?&](recorded|again)=[^&#]*/g, ""), true);
  }, 30000);
  settle();
})();
