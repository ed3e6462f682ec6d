// Asks how far a run has come, and draws the page anew once it has ended. Without this script the
// page asks again by itself (meta refresh).
"use strict";
{
  const ASK_AGAIN = 2000; // milliseconds
  const place = document.getElementById("progress");

  async function ask() {
    try {
      // The browser keeps the last answer with its ETag and gets 304 while nothing has changed.
      const answer = await fetch(place.dataset.url, { cache: "no-cache", credentials: "same-origin" });
      if (answer.ok) {
        const told = await answer.json();
        if (told.state !== "open") {
          location.reload();
          return;
        }
        place.querySelector("progress").value = told.per_cent;
        place.querySelector(".said-progress").textContent = told.said;
      }
    } catch {
      // No connection: the next question will tell.
    }
    setTimeout(ask, ASK_AGAIN);
  }

  if (place) setTimeout(ask, ASK_AGAIN);
}
