/* A short, quiet sound when more waits than before, on a page that looks again at itself (sala.js
   says so). Off until somebody switches it on, on the page of what is to be done; kept by the tablet.
   Without a script, or where the browser lets nothing sound, nothing is lost: the count is there. */
"use strict";
(() => {
  const KEPT = "todo-sound";
  const wanted = () => { try { return localStorage.getItem(KEPT) === "on"; } catch { return false; } };
  const button = () => document.getElementById("sound");

  function ring() {
    const audio = new AudioContext();
    setTimeout(() => audio.close(), 2000); // what may not sound now is not heard later
    audio.resume().then(() => [660, 880].forEach((pitch, place) => {
      const [tone, loudness, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + place * 0.16];
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0, at);
      loudness.gain.linearRampToValueAtTime(0.08, at + 0.02);
      loudness.gain.linearRampToValueAtTime(0, at + 0.15);
      tone.connect(loudness).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.16);
    })).catch(() => {});
  }
  function show() {
    if (!button() || !window.AudioContext) return;
    button().hidden = false;
    button().textContent = wanted() ? button().dataset.on : button().dataset.off;
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest("#sound")) return;
    try { localStorage.setItem(KEPT, wanted() ? "off" : "on"); } catch { return; }
    show();
    if (wanted()) ring(); // so sounds what was switched on
  });
  document.addEventListener("todo-rose", () => { if (wanted() && window.AudioContext) ring(); });
  document.addEventListener("screen-shown", show);
  show();
})();
