/* A second tap records nothing: the buttons of a form that records do nothing until it has been on
   the screen for a second, for a finger that falls twice at one point falls on what is shown next.
   They look so, and stay where they are. What only looks - links, seats, tiles, digits - is not held
   up. The server asks the same of the moment the form carries, for pages on which no script runs. */
"use strict";
(() => {
  let ends = 0; // when the buttons may be pressed, on the page's own clock
  const resting = () => performance.now() < ends - 1;
  const stamps = () => [...document.querySelectorAll("form input[name=page_shown]")];
  const buttons = () => stamps().flatMap((one) => [...one.form.elements])
    .filter((one) => one.type === "submit" && !one.formNoValidate);

  function rest() {
    const ms = Math.max(0, ...stamps().map((one) => Number(one.dataset.seconds || 0) * 1000));
    if (!ms) return;
    ends = performance.now() + ms;
    mark();
    setTimeout(wake, ms);
  }
  function mark() { if (resting()) buttons().forEach((one) => one.setAttribute("aria-disabled", "true")); }
  function wake() {
    if (resting()) return; // another screen has come since
    buttons().forEach((one) => one.removeAttribute("aria-disabled"));
  }
  function swallow(event) {
    if (event.timeStamp >= ends) return; // when the finger fell: a slow tablet comes to it later
    const form = event.type === "submit" ? event.target : event.target.closest("button")?.form;
    const button = event.type === "submit" ? event.submitter : event.target.closest("button");
    if (!form || !form.elements.namedItem("page_shown") || (button && (button.type !== "submit" || button.formNoValidate))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  document.addEventListener("click", swallow, true);
  document.addEventListener("submit", swallow, true);
  // A jump within the page moves the buttons under the finger; sala.js tells of a body it exchanged.
  document.addEventListener("click", (event) => { if (event.target.closest("a[href^='#']")) rest(); });
  document.addEventListener("screen-shown", rest);
  document.addEventListener("screen-renewed", mark); // the same buttons in new elements rest as long
  window.addEventListener("pageshow", rest);
  rest();
})();
