// A screen on a wall: asks what the pools are worth every two seconds, and says so once it has had no
// good answer for ten. It never reckons, never animates money, and never shows less than before
// unless something happened that lowers a meter. It keeps no cookie and stores nothing.
"use strict";
(() => {
  const EVERY = 2000; // ms between two questions, give or take
  const JITTER = 400; // so that sixty screens do not ask at the same moment
  const WAIT = 5000; // ms for an answer
  const STALE = 10000; // ms without a good answer
  const TURN = 5000; // ms each of several pools is shown: six of them in half a minute
  const OTHER = 300000; // ms of answers of another book, after which the page is fetched anew
  const FRESH = 60000; // ms a page lives before it is fetched anew for a newer program

  const url = document.body.dataset.url;
  const sections = [...document.querySelectorAll(".pool")];
  const clock = document.getElementById("clock");
  const stale = document.getElementById("stale");
  const known = document.getElementById("known");
  // A machine's clock may be set, and the other stands still while it sleeps: the longer one counts.
  const moment = () => ({ ran: performance.now(), day: Date.now() });
  const since = (then) => Math.max(performance.now() - then.ran, Date.now() - then.day);
  const loaded = moment();
  let good = loaded;
  let tag = null;
  let told = null;
  let unfit = null; // since when every answer was of another book

  function setClock(text) {
    const [h, m, s] = text.split(":").map(Number);
    told = { at: moment(), seconds: h * 3600 + m * 60 + s };
    clock.textContent = text;
    known.textContent = text;
  }
  function tick() {
    const now = (told.seconds + Math.floor(since(told.at) / 1000)) % 86400;
    const two = (n) => String(Math.floor(n)).padStart(2, "0");
    clock.textContent = [now / 3600, (now / 60) % 60, now % 60].map(two).join(":");
  }
  function look() {
    const late = since(good) > STALE;
    if (stale.hidden === late) {
      stale.hidden = !late;
      document.body.classList.toggle("is-stale", late);
    }
  }

  // Whether an answer may be shown: of no earlier book, and lower only after something happened.
  function fits(section, pool) {
    const was = section.dataset;
    if (pool.cut < Number(was.cut)) return false;
    const began = was.state === "waiting";
    return began || pool.cents >= Number(was.cents) || BigInt(pool.event) > BigInt(was.event);
  }
  function put(section, name, text) {
    const place = section.querySelector(`[data-field="${name}"]`);
    if (place.textContent !== text) place.textContent = text;
  }
  function hide(section, name, hidden) {
    section.querySelector(`[data-field="${name}"]`).hidden = hidden;
  }
  function show(section, pool) {
    for (const name of ["state", "cents", "cut", "event"]) section.dataset[name] = pool[name];
    put(section, "value", pool.value || "–");
    section.querySelector('[data-field="value"]').className = `value ${pool.size}`;
    put(section, "name", pool.name);
    for (const name of ["won", "pending", "stake", "start", "limit"]) {
      put(section, name, pool[name]);
      hide(section, `${name}-said`, !pool[name]);
    }
    for (const name of ["emptied", "waiting"]) hide(section, name, pool.state !== name);
  }
  function take(answer) {
    const pools = new Map(answer.pools.map((pool) => [pool.code, pool]));
    const pairs = sections.map((section) => [section, pools.get(section.dataset.code)]);
    if (!pairs.every(([section, pool]) => pool && fits(section, pool))) {
      unfit = unfit || moment();
      if (since(unfit) > OTHER) location.reload(); // a book that was put back is shorter
      throw new Error("unfit");
    }
    unfit = null;
    const happened = pairs.findIndex(([section, pool]) => section.dataset.event !== pool.event);
    pairs.forEach(([section, pool]) => show(section, pool));
    if (happened >= 0 && sections.length > 1) turnTo(happened); // a win waits for no turn
    const another = answer.page !== document.body.dataset.page;
    if (another && since(loaded) > FRESH) location.reload();
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
        cache: "no-store", credentials: "omit", signal: stop.signal,
        headers: tag ? { "If-None-Match": tag } : {},
      });
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(answer.status);
        take(await answer.json());
        tag = answer.headers.get("ETag");
      }
      setClock(answer.headers.get("X-House-Clock"));
      good = moment();
    } catch {
      tag = null; // the next good answer is read whole
    }
    clearTimeout(timer);
    asking = false;
    look();
    waiting = setTimeout(ask, EVERY + (2 * Math.random() - 1) * JITTER);
  }

  let turn = 0;
  function next() {
    sections.forEach((section, place) => { section.hidden = place !== turn; });
    const place = document.getElementById("turn");
    place.hidden = false;
    place.textContent = `${turn + 1} / ${sections.length}`;
    turn = (turn + 1) % sections.length;
  }
  let turning = 0;
  function turnTo(place) {
    clearInterval(turning);
    turn = place;
    next();
    turning = setInterval(next, TURN);
  }
  // Back from sleep, or from behind another page: what stands there may be old.
  function wake() {
    if (document.hidden) return;
    tick();
    look();
    ask();
  }

  setClock(clock.textContent.trim());
  setInterval(() => { tick(); look(); }, 500);
  if (sections.length > 1) turnTo(0);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (shown) => { if (shown.persisted) wake(); });
  waiting = setTimeout(ask, EVERY * Math.random() + 1000);
})();
