/* The floor's own script. Every page works without it; with it a lost connection keeps the form, a
   second tap is no second act, and the clock goes on: the server's, never the tablet's. */
"use strict";
(() => {
  const WAIT = 15000; // ms until an answer is no longer expected
  let touched = false;
  let busy = false;
  let away = false; // whether the server could not be reached when it was asked last

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
    countDown();
  }

  // What can still be taken back says for how long; then the server is asked what became of it.
  let asking = false;
  function countDown() {
    document.querySelectorAll("[data-held]").forEach((one) => {
      one.dataset.until ||= performance.now() + Number(one.dataset.held) * 1000;
      const left = Math.ceil((Number(one.dataset.until) - performance.now()) / 1000);
      one.querySelector("[data-left]").textContent = Math.max(0, left);
      const again = one.contains(untaken) && !busy && !looking;
      if (again && left > 0 && navigator.onLine) send(untaken);
      else if (again && left <= 0) keptOn(untaken, navigator.onLine ? "keptUnsure" : "kept");
      if (left <= 0 && !asking && !busy && !looking) ask();
    });
  }
  // What could not be taken back will be written: it is said so, and tried again while there is time.
  let untaken = null; // the form that takes it back
  const untilOf = (form) => Number(form.closest("[data-held]").dataset.until);
  function keptOn(form, which) {
    say(which);
    untaken = performance.now() < untilOf(form) ? form : null;
    if (untaken) document.getElementById("lost").textContent += ` ${document.getElementById("lost").dataset.again}`;
  }
  async function ask() {
    asking = true;
    try {
      const answer = await within((signal) => fetch(sided(location.href), { credentials: "same-origin", cache: "no-store", signal }));
      const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      const [fresh, stale] = [page, document].map((one) => one.getElementById("told"));
      if (fresh && stale && !busy) {
        const lay = lying(document.getElementById("main"));
        stale.replaceWith(document.adoptNode(fresh));
        renewStrip(page);
        if (!touched) put(page);
        if (lying(document.getElementById("main")) !== lay) shown();
      }
    } catch {
      // The server writes it all the same; asked again at the next second.
    }
    asking = false;
  }

  // What a button says follows what is ticked.
  function count(form) {
    const kind = form.dataset.count;
    if (!kind) return;
    const button = form.querySelector(".primary");
    const counted = { decks: ".deck input:checked", chips: "input.counted:checked" };
    const ticked = form.querySelectorAll(counted[kind] || "input[type=checkbox]:checked").length;
    form.querySelectorAll("[data-n]").forEach((one) => { one.hidden = Number(one.dataset.n) !== ticked; });
    const bad = kind === "decks"
      ? form.querySelectorAll(".deck input:checked:not([value=conform])").length : 0;
    if (!button || !button.dataset.some) return;
    button.dataset.none ||= button.textContent;
    if (!ticked) { button.textContent = button.dataset.none; return; }
    const rows = form.querySelector("[name=in_rows]:checked");
    const all = button.dataset.all && !bad && rows && rows.value === "1" && ticked === form.querySelectorAll("fieldset.deck").length;
    button.textContent = all ? button.dataset.all : button.dataset.some.replace("{n}", ticked).replace("{bad}", bad);
  }
  // Chips: what they come to while they are counted, against what the table began with.
  function money(cents) {
    const [whole, rest] = [Math.floor(Math.abs(cents) / 100), String(Math.abs(cents) % 100).padStart(2, "0")];
    const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, document.documentElement.lang.startsWith("en") ? "," : "\u00a0");
    return document.documentElement.lang.startsWith("en") ? `€${grouped}.${rest}` : `${grouped},${rest}\u00a0€`;
  }
  function addUp(form) {
    let total = 0;
    form.querySelectorAll("[data-cents]").forEach((sum) => {
      const field = document.getElementById(sum.htmlFor.value);
      const cents = Number(sum.dataset.cents) * (Number(field.value) || 0);
      sum.textContent = cents ? money(cents) : "";
      total += cents;
    });
    document.getElementById("chips-total").textContent = money(total);
    const said = document.getElementById("chips-compared");
    if (!said) return;
    const off = total - Number(form.dataset.expected);
    const words = off ? (off > 0 ? said.dataset.more : said.dataset.less) : said.dataset.same;
    said.textContent = total && form.querySelector("[name=moment][value=closing]:checked") ? words.replace("{amount}", money(off)) : "";
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
      document.querySelectorAll("[data-deck-count]").forEach((one) => {
        const of = JSON.parse(one.dataset.of)[document.getElementById("id_rulebook").value];
        const words = of ? one.dataset.deckCountOf.replace("{of}", of) : one.dataset.deckCount;
        one.textContent = words.replace("{n}", there.length);
      });
    });
  }
  function tapDeck(tile) {
    const field = document.getElementById(tile.closest("[data-decks]").dataset.decks);
    const kept = codes(field).filter((word) => code(word) !== tile.dataset.deck);
    if (tile.getAttribute("aria-pressed") !== "true") kept.push(tile.dataset.typed);
    field.value = kept.join(" ");
    touched = true;
    mended(field);
    pressTiles();
  }

  // A person: whoever is chosen from the list stands in the field; another number takes him back.
  function choosePerson(event) {
    const list = event.target.closest("select[data-picks]");
    const field = list && document.getElementById(list.dataset.picks);
    if (field && list.value) field.value = list.value;
    const beside = list ? null : document.getElementById(`${event.target.id}-pick`);
    if (beside) beside.value = "";
    const who = event.target.closest(".person") && event.target.closest(".person").querySelector(".who");
    const typed = event.target.value.trim().toUpperCase();
    const known = list ? list.value && list.selectedOptions[0]
      : beside && [...beside.options].find((one) => one.value && one.value.toUpperCase() === typed);
    if (who) who.textContent = known ? known.textContent : "\u00a0";
  }

  // What was refused is no longer said once it was changed; what was said of the whole, at any change.
  function clear(summary) {
    document.title = document.title.replace(summary.dataset.mark, "");
    summary.remove();
  }
  function mended(field) {
    const row = field.closest(".wrong");
    if (row) {
      row.classList.remove("wrong");
      row.querySelectorAll(".error").forEach((one) => one.remove());
    }
    const summary = document.querySelector("#errors.refused");
    if (!summary) return;
    const about = [field.id, `id_${field.name}`, row && row.id].map((one) => `#${one}`);
    summary.querySelectorAll("li").forEach((one) => {
      const link = one.querySelector("a");
      if (!link || about.includes(link.hash)) one.remove();
    });
    if (!summary.querySelector("li")) clear(summary);
  }

  function say(which) {
    const lost = document.getElementById("lost");
    if (!lost) return;
    lost.textContent = lost.dataset[which];
    lost.hidden = false;
    lost.scrollIntoView({ block: "center" });
  }
  // Where decks are tapped they need not be typed; what was refused there stays in sight.
  function foldTyped() {
    document.querySelectorAll("details[data-typed]").forEach((one) => { one.open = !!one.closest(".wrong"); });
  }
  function settle() {
    foldTyped();
    setClock();
    countAll();
    pressTiles();
    countDown();
    const first = document.getElementById("errors");
    if (first) { first.focus(); first.scrollIntoView({ block: "start" }); }
  }
  const shown = () => document.dispatchEvent(new Event("screen-shown")); // shield.js asks for it
  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    document.title = page.title;
    document.body.replaceWith(document.adoptNode(page.body));
    touched = false;
    window.scrollTo(0, 0);
    settle();
    shown();
  }
  function within(promise, wait = WAIT) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), wait);
    return promise(stop.signal).finally(() => clearTimeout(timer));
  }

  async function send(form, button) {
    const fields = new FormData(form, button || undefined);
    const held = !!form.closest("[data-held]");
    if (!navigator.onLine) { if (held) keptOn(form, "kept"); else say("lost"); return; }
    busy = true;
    form.querySelectorAll("button").forEach((one) => { one.disabled = true; });
    const to = button && button.hasAttribute("formaction") ? button.formAction : form.action;
    const plain = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
    const post = (body) => within((signal) => fetch(to || location.href, {
      method: "POST", body, headers: { "X-Sala": "1" }, credentials: "same-origin",
      redirect: "manual", cache: "no-store", signal,
    }), held ? Math.min(WAIT, Math.max(1000, untilOf(form) - performance.now())) : WAIT);
    try {
      let answer = await post(plain);
      if (answer.status === 413 && fields.has("files")) { // the session had ended: the form alone goes, and says so
        fields.delete("files");
        fields.append("waiting_file", "00000000-0000-0000-0000-000000000000"); // NOT_KEPT of casino/web/forms/uploads.py
        answer = await post(new URLSearchParams(fields));
      }
      away = false;
      const onward = answer.headers.get("X-Sala-To");
      if (onward && behind) { unlock(answer.headers.get("X-Sala-Token")); return; }
      if (onward) { location.assign(onward); return; }
      if (answer.type === "opaqueredirect") { location.reload(); return; }
      if (answer.status >= 500) {
        const told = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("stored");
        throw Object.assign(new Error("failed"), { told: told ? told.textContent : "" });
      }
      show(await answer.text());
    } catch (error) {
      away = error.message !== "failed";
      if (held) keptOn(form, "keptUnsure");
      else say(error.message === "failed" ? "failed" : navigator.onLine ? "unsure" : "lost");
      if (error.told && !held) document.getElementById("lost").textContent += ` ${error.told}`;
      form.querySelectorAll("button").forEach((one) => { one.disabled = false; });
    }
    busy = false;
  }

  // A tablet nobody touches is locked. Its page waits behind the lock as it was filled in.
  let lastTouch = Date.now();
  let behind = null;
  const mayBeIdle = () => !behind && !busy && document.body.dataset.lock;
  async function lock() {
    const page = document.body;
    page.hidden = true;
    const token = page.querySelector("[name=csrfmiddlewaretoken]");
    const fields = { "enter-onward": location.pathname + location.search, csrfmiddlewaretoken: token ? token.value : "" };
    busy = true;
    try {
      const answer = await within((signal) => fetch(page.dataset.lock, {
        method: "POST", body: new URLSearchParams(fields), headers: { "X-Sala": "1" }, credentials: "same-origin", cache: "no-store", signal,
      }));
      const text = await answer.text();
      behind = { page, touched, title: document.title };
      show(text);
    } catch { /* no connection: nothing is shown, and it is tried again */ }
    busy = false;
  }
  async function unlock(token) {
    document.body.replaceWith(behind.page);
    document.body.hidden = false;
    document.title = behind.title;
    touched = behind.touched;
    behind = null;
    busy = false;
    lastTouch = Date.now();
    shown(); // its buttons rest anew: it may have been locked while they did
    if (token) document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((one) => { one.value = token; });
    const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
    const bar = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html").querySelector(".bar");
    if (bar) document.querySelector(".bar").replaceWith(document.adoptNode(bar));
    setClock();
  }
  ["pointerdown", "keydown", "input"].forEach((one) => document.addEventListener(one, () => {
    if (!document.body.hidden) lastTouch = Date.now();
  }, true));
  setInterval(() => {
    if (mayBeIdle() && Date.now() - lastTouch > Number(document.body.dataset.idle) * 1000) lock();
  }, 1000);

  // Another look at the same page: a seat tapped, half a minute gone by. Taps that come while one is
  // on its way wait for it: none is lost, and a button records what it says. Buttons that say or lie
  // otherwise afterwards are shown anew.
  const buttons = (live) => [...live.querySelectorAll(".act-form button")];
  const lying = (live) => buttons(live).map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.textContent, x, y, width, height].join();
  }).join("|");
  // A form whose buttons say what they said is the one that was shown before: it stays that old.
  function age(fresh, stale) {
    const forms = (live) => [...live.querySelectorAll(".act-form")];
    const said = (form) => [form.action, ...[...form.querySelectorAll("button")].map((one) => one.textContent)].join("|");
    forms(fresh).forEach((form) => {
      const before = forms(stale).find((one) => said(one) === said(form));
      const [now, then] = [form, before].map((one) => one && one.elements.namedItem("page_shown"));
      if (now && then) now.value = then.value;
    });
  }
  // A training exercise's strip is folded or not: it stays as it is until another step is next.
  function renewStrip(page) {
    const [next, shownNow] = [page, document].map((one) => one.querySelector(".training-strip"));
    if (next && shownNow && next.textContent !== shownNow.textContent) shownNow.replaceWith(document.adoptNode(next));
  }
  function put(page, address) {
    const fresh = page.getElementById("live");
    const stale = document.getElementById("live");
    if (!fresh || !stale) return false;
    const details = (live) => new Map([...live.querySelectorAll("details")].map((one, place) => [one.id || place, one]));
    const before = stale.cloneNode(true);
    // What went along with the tap is the new page's to say; what was typed since, and what never went, stays.
    const sent = new URL(address || location.href, location.href).searchParams;
    const unsent = (one) => sent.get(one.name) !== one.value;
    const typed = [...stale.querySelectorAll(".act-form [id]")].filter((one) =>
      one.type === "checkbox" ? one.checked !== one.defaultChecked
        : one.matches("input, textarea") && one.type !== "radio" && one.value !== one.defaultValue && unsent(one));
    const goes = along(stale.querySelector("[data-along]"));
    const chosen = [...stale.querySelectorAll(".act-form input[type=radio]:checked")].filter((one) => goes.includes(one.name) && unsent(one));
    const held = document.activeElement && document.activeElement.id;
    const lay = lying(stale);
    document.title = page.title;
    const [waits, waited] = [page, document].map((one) => Number(one.querySelector(".bar .todo strong")?.textContent));
    [".bar .back", ".bar .todo", ".bar .change-person"].forEach((which) => {
      const [fresher, stood] = [page, document].map((one) => one.querySelector(which));
      if (fresher && stood) stood.replaceWith(document.adoptNode(fresher));
    });
    renewStrip(page);
    const [taken, place] = [stale, fresh].map((one) => one.querySelector(".photographs")); // no script fills a file's field
    if (taken && place) place.replaceWith(taken);
    stale.replaceWith(document.adoptNode(fresh));
    const open = details(before);
    details(fresh).forEach((one, name) => { if (open.get(name)?.open) one.open = true; });
    chosen.forEach((one) => fresh.querySelectorAll(`[type=radio][name="${one.name}"][value="${one.value}"]`).forEach((same) => { same.checked = true; }));
    typed.forEach((one) => {
      const field = document.getElementById(one.id);
      if (field) { field.value = one.value; field.checked = one.checked; }
    });
    const again = held && document.getElementById(held);
    if (again) again.focus({ preventScroll: true });
    // What was wrong with the tap is said where it is read.
    const wrong = fresh.querySelector("#wrong");
    if (wrong) { wrong.focus({ preventScroll: true }); wrong.scrollIntoView({ block: "center" }); }
    const clock = page.getElementById("clock");
    if (clock) { document.getElementById("clock").textContent = clock.textContent; setClock(); }
    document.getElementById("lost").hidden = true;
    const refused = document.querySelector("#errors.refused");
    if (refused && !page.getElementById("errors")) clear(refused);
    countAll();
    age(fresh, before);
    document.dispatchEvent(new Event("screen-renewed")); // shield.js asks for it
    if (lying(fresh) !== lay) shown();
    if (waits > waited) document.dispatchEvent(new Event("todo-rose")); // chime.js asks for it
    return true;
  }
  async function look(address, keep) {
    try {
      const answer = await within((signal) => fetch(address, {
        credentials: "same-origin", cache: "no-store", signal, headers: { "X-Sala-Look": "1" },
      }));
      away = false;
      const text = answer.ok ? await answer.text() : "";
      if (keep && (touched || busy)) return;
      if (put(new DOMParser().parseFromString(text, "text/html"), address)) {
        if (!keep) history.replaceState(null, "", address);
      } else if (!keep || answer.ok) location.assign(address);
    } catch {
      away = true;
      say("lost");
    }
  }
  // The same page again has its buttons on the side they lie on: `side` as casino/floor/form_state.py has it.
  function sided(address) {
    const to = new URL(address, location.href);
    to.searchParams.delete("side");
    if (document.querySelector("main.left")) to.searchParams.set("side", "left");
    return to.href;
  }
  const waiting = []; // the ids of what was tapped meanwhile
  let looking = false;
  async function swap(address) {
    looking = true;
    await look(sided(address), false);
    looking = false;
    const next = waiting.shift();
    if (!next) return;
    const same = [...document.querySelectorAll(next.id ? `[id="${next.id}"]` : "button")];
    const meant = same.find((one) => next.id || one.textContent === next.said);
    if (!meant) waiting.length = 0;
    else if (meant.matches("a")) swap(meant.href);
    else if (meant.form.matches("[data-swap-form]")) swap(addressOf(meant.form, meant));
    else if (!busy) send(meant.form, meant);
  }

  // A tap takes along what was filled in beside it (data-along), so that no page loses it.
  const along = (form) => (form?.dataset.along || "").split(" ").filter(Boolean);
  function addressOf(form, button) {
    const asked = new URLSearchParams(new FormData(form, button));
    along(form).forEach((name) => document.querySelectorAll("#live .act-form").forEach((beside) => {
      const field = beside.elements.namedItem(name);
      if (!field) return;
      if (field.value) asked.set(name, field.value);
      else asked.delete(name);
    }));
    return `${form.action.split("?")[0]}?${asked}`;
  }

  // A page that cannot be asked for is not left for the browser's own words.
  async function follow(link) {
    try {
      await within((signal) => fetch(link.href, { method: "HEAD", cache: "no-store", credentials: "same-origin", signal }));
      location.assign(link.href);
    } catch {
      say("away");
    }
  }

  const isFilledIn = () => [...document.querySelectorAll(".act-form input, .act-form textarea, .act-form select")].some((one) =>
    one.type === "hidden" ? false
      : one.type === "checkbox" || one.type === "radio" ? one.checked !== one.defaultChecked
        : one.type === "file" ? one.files.length > 0
          : one.matches("select") ? one.selectedIndex !== Math.max(0, [...one.options].findIndex((each) => each.defaultSelected))
            : one.value !== one.defaultValue);
  // A finger that falls twice on one button there has tapped it once.
  const TWICE = 250; // ms
  let tapped = {};
  let again = false;
  document.addEventListener("click", (event) => {
    const id = event.target.closest("[data-swap-form] button")?.id;
    again = !!id && id === tapped.id && event.timeStamp - tapped.at < TWICE;
    tapped = { id, at: event.timeStamp };
  }, true);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-swap-form]")) {
      event.preventDefault();
      if (again) return;
      touched = true;
      const button = event.submitter && event.submitter.id ? event.submitter : undefined;
      if (looking && button) waiting.push({ id: button.id });
      else if (!busy && !looking) swap(addressOf(form, button));
      return;
    }
    if (!form.matches(".act-form, .leave, .undo")) return;
    event.preventDefault();
    if (looking) waiting.push({ said: event.submitter ? event.submitter.textContent : "" });
    else if (!busy) send(form, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const deck = event.target.closest("[data-deck]");
    if (deck && deck.closest("[data-decks]")) { tapDeck(deck); return; }
    if (event.target.closest("[data-print]")) { window.print(); return; } // on the home screen there is no browser around it
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Whoever changes the person leaves what he filled in: he is told once, and taps again.
    if (link.matches(".change-person") && !link.dataset.warned && isFilledIn()) {
      event.preventDefault();
      link.dataset.warned = "1";
      say("leaves");
      return;
    }
    if (!link.matches("[data-swap]")) {
      if ((navigator.onLine && !away) || link.getAttribute("href").startsWith("#")) return;
      event.preventDefault();
      if (navigator.onLine) follow(link);
      else say("away");
      return;
    }
    event.preventDefault();
    touched = true;
    if (looking) waiting.push({ id: link.id });
    else if (!busy) swap(link.href);
  });
  document.addEventListener("input", (event) => {
    touched = true;
    mended(event.target);
    pressTiles();
    choosePerson(event);
    const form = event.target.closest("form[data-count]");
    if (form) count(form);
    const chips = event.target.closest("form[data-chips]");
    if (chips) addUp(chips);
  });
  window.addEventListener("online", () => { const lost = document.getElementById("lost"); if (lost) lost.hidden = true; });
  // Come back to with the browser's own button, a page is asked for anew.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  setInterval(tick, 1000);
  setInterval(() => {
    const live = document.querySelector("#live[data-every]");
    if (!live || touched || busy || document.visibilityState !== "visible") return;
    const here = new URL(location.href);
    ["recorded", "again", "undone"].forEach((one) => here.searchParams.delete(one));
    look(sided(here), true);
  }, 30000);
  settle();
})();
