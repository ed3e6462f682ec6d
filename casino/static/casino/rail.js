/* Ctrl+K goes to the search of the whole house; a single key would be heard of what is dictated.
   The rail keeps the sections that were folded in this browser, and shows where one is. */
"use strict";
(() => {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const box = [...document.querySelectorAll("[data-find]")].find((one) => one.offsetParent !== null);
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select?.();
  });

  const rail = document.getElementById("rooms");
  if (!rail) return;
  const KEPT = "rail-sections"; // by section: whether it is open
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { /* nothing is kept, or nothing may be */ }
  const here = rail.querySelector("[aria-current]");
  for (const section of rail.querySelectorAll("details[data-section]")) {
    const name = section.dataset.section;
    if (typeof kept[name] === "boolean" && !section.contains(here)) section.open = kept[name];
    section.addEventListener("toggle", () => {
      kept[name] = section.open;
      try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* the next page begins anew */ }
    });
  }
  const show = () => {
    if (here) rail.scrollTop += here.getBoundingClientRect().top - rail.getBoundingClientRect().top - rail.clientHeight / 2;
  };
  window.addEventListener("hashchange", show); // a tablet's rail opens at #rooms
  show();
})();
