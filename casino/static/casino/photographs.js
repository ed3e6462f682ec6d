/* Photographs of a form: one empty place at a time, what was taken is shown small, and is made
   smaller before it is sent. Without this script there are five places, and 8 MB each. */
"use strict";
(() => {
  const LONGEST = 2000; // pixels of the longer side that are sent
  const QUALITY = 0.85;
  const field = (place) => place.querySelector("input[type=file]");
  function lay() {
    document.querySelectorAll(".photographs").forEach((box) => {
      let empty = 0;
      box.classList.add("scripted");
      box.querySelectorAll("div.photograph").forEach((place) => {
        const filled = field(place).files.length > 0;
        place.hidden = !filled && empty++ > 0;
        place.querySelector("label").hidden = filled;
        place.querySelector("button").hidden = !filled;
      });
    });
  }
  function drawn(picture) {
    const canvas = document.createElement("canvas");
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    [canvas.width, canvas.height] = [picture.width, picture.height].map((one) => Math.max(1, Math.round(one * scale)));
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
  }
  async function taken(input) {
    const place = input.closest(".photograph");
    place.querySelectorAll("canvas, .name").forEach((one) => one.remove());
    lay();
    const [file] = input.files;
    if (!file) return;
    try {
      const canvas = drawn(await createImageBitmap(file));
      const blob = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
      if (input.files[0] !== file) return; // another was taken meanwhile
      place.append(canvas);
      if (!blob || blob.size >= file.size) return;
      const smaller = new DataTransfer();
      smaller.items.add(new File([blob], file.name.replace(/\.\w+$/, ".jpg"), { type: blob.type }));
      input.files = smaller.files;
    } catch {
      // It is no picture, or one this browser cannot read: its name stands here, and the server says what it asks for.
      if (input.files[0] !== file) return;
      const name = document.createElement("span");
      [name.className, name.textContent] = ["name", file.name];
      place.prepend(name);
    }
  }
  document.addEventListener("change", (event) => { if (event.target.matches(".photograph input[type=file]")) taken(event.target); });
  document.addEventListener("click", (event) => {
    const place = event.target.closest("div.photograph button")?.parentElement;
    if (!place) return;
    field(place).value = "";
    taken(field(place));
  });
  ["screen-shown", "screen-renewed"].forEach((one) => document.addEventListener(one, lay));
  lay();
})();
