/* An article is one tap behind its citation: each becomes a link to what it asks, shown on the page
   itself. What stands on buttons is named once more below: a button does one thing. */
"use strict";
(() => {
  const kept = new Map(); // what was shown before
  const address = (cited) => `${document.body.dataset.articles}?${new URLSearchParams({ cited, table: document.body.dataset.table || "" })}`;
  const pattern = () => new RegExp(`n\\.º[ \u00a0]\\d{1,2}(?!\\d)|${document.body.dataset.section} [«“][^»”]+[»”]`, "g");
  const within = "a, button, label, option, textarea, script, style, dialog, #cited-here";

  function linked(cited) {
    const link = document.createElement("a");
    link.className = "law";
    link.href = address(cited.replace("\u00a0", " "));
    link.textContent = cited;
    return link;
  }
  function mark() {
    const main = document.getElementById("main");
    if (!main || !document.body.dataset.articles || document.getElementById("articles")) return;
    const found = new Set();
    const texts = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement.closest("script, style, #cited-here")) continue;
      const there = [...text.data.matchAll(pattern())];
      if (!there.length) continue;
      there.forEach((one) => found.add(one[0].replace("\u00a0", " ")));
      if (text.parentElement.closest(within)) continue;
      let at = 0;
      const parts = there.flatMap((one) => {
        const before = text.data.slice(at, one.index);
        at = one.index + one[0].length;
        return [before, linked(one[0])];
      });
      text.replaceWith(...parts, text.data.slice(at));
    }
    const list = document.getElementById("cited-here");
    if (!list) return;
    list.hidden = !found.size;
    list.querySelector("span").replaceChildren(...[...found].flatMap((one) => [linked(one), " "]));
  }
  async function open(link) {
    const cited = link.textContent;
    try {
      if (!kept.has(cited)) {
        const answer = await fetch(link.href, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
        kept.set(cited, page.getElementById("articles").innerHTML);
      }
    } catch {
      location.assign(link.href);
      return;
    }
    const box = document.getElementById("article-box");
    box.querySelector("div").innerHTML = kept.get(cited); // of this house's own page
    box.showModal();
    box.addEventListener("close", () => link.focus(), { once: true });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.law");
    const box = document.getElementById("article-box");
    if (event.target === box || event.target.closest("#article-box button")) box.close();
    if (!link || !box || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open(link);
  });
  document.addEventListener("screen-shown", mark);
  document.addEventListener("screen-renewed", mark);
  mark();
})();
