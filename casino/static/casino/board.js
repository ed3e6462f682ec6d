// The board on the wall: asks for its tiles every four seconds, and says so once it has had no good
// answer for nine, on half a second. It reckons nothing: what stands here is what the house last said.
"use strict";
(() => {
  const EVERY = 4000; // ms between two questions, give or take
  const JITTER = 400; // so that several screens do not ask at the same moment
  const WAIT = 4500; // ms for an answer
  const STALE = 9000; // ms without a good answer
  const FRESH = 60000; // ms a page lives before it is fetched anew for a newer program

  const { url, program } = document.body.dataset;
  const clock = document.getElementById("clock");
  const stale = document.getElementById("stale");
  // A machine's clock may be set, and the other stands still while it sleeps: the longer one counts.
  const moment = () => ({ ran: performance.now(), day: Date.now() });
  const since = (then) => Math.max(performance.now() - then.ran, Date.now() - then.day);
  const loaded = moment();
  let good = loaded;
  let tag = null;
  let shown = null; // what the house's clock showed, and when

  function setClock(text) {
    const [h, m, s] = text.split(":").map(Number);
    shown = { at: moment(), seconds: h * 3600 + m * 60 + s };
    clock.textContent = text;
    document.getElementById("since").textContent = text;
  }
  function tick() {
    const now = (shown.seconds + Math.floor(since(shown.at) / 1000)) % 86400;
    const two = (n) => String(Math.floor(n)).padStart(2, "0");
    clock.textContent = [now / 3600, (now / 60) % 60, now % 60].map(two).join(":");
    const late = since(good) > STALE;
    if (stale.hidden === late) {
      stale.hidden = !late;
      document.body.classList.toggle("is-stale", late);
    }
  }

  let waiting = 0;
  let asking = false;
  async function ask() {
    clearTimeout(waiting);
    if (asking) return;
    asking = true;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), WAIT);
    try {
      const answer = await fetch(url, {
        cache: "no-store", credentials: "same-origin", signal: stop.signal,
        headers: tag ? { "If-None-Match": tag } : {},
      });
      if (answer.status === 403) location.reload(); // who may look is said there
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(answer.status);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        document.getElementById("tiles").replaceWith(document.adoptNode(page.getElementById("tiles")));
        tag = answer.headers.get("ETag");
      }
      setClock(answer.headers.get("X-House-Clock"));
      good = moment();
      if (answer.headers.get("X-Page") !== program && since(loaded) > FRESH) location.reload();
    } catch {
      tag = null; // the next good answer is read whole
    }
    clearTimeout(timer);
    asking = false;
    tick();
    waiting = setTimeout(ask, EVERY + (2 * Math.random() - 1) * JITTER);
  }
  // Back from sleep, or from behind another page: what stands there may be old.
  function wake() {
    if (document.hidden) return;
    tick();
    ask();
  }

  setClock(clock.textContent.trim());
  setInterval(tick, 500);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (page) => { if (page.persisted) wake(); });
  waiting = setTimeout(ask, EVERY * Math.random() + 500);
})();
