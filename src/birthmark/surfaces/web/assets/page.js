// What pages can do beyond HTML: keys, search as you type, copy, parts that load by themselves, live updates.
// Every page is complete without it.
"use strict";

const byId = (id) => document.getElementById(id);
const find = byId("find");
const found = byId("found");
const AGAIN = 1500; // milliseconds until a page that is not ready is asked for again
const PREFIX = (document.body.dataset.events ?? "").replace(/\/v1\/events$/, ""); // of the repository, where there are many
const PAGES = { o: "/", c: "/diff", m: "/modules", h: "/hotspots", n: "/notes", s: "/subscriptions" };

// Parts of other pages

async function fetchMain(address, signal) {
  const response = await fetch(address, { signal, headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return response.ok ? page.querySelector("main") : null;
}

async function loadPart(link) {
  const main = await fetchMain(link.href).catch(() => null);
  if (main?.querySelector("[data-waits]")) setTimeout(loadPart, AGAIN, link);
  const part = main?.querySelector(`[data-part="${link.dataset.loads}"]`);
  if (!part) return;
  const section = link.closest("section");
  section.querySelectorAll(":scope > .events, :scope > figure").forEach((one) => one.remove());
  link.closest("p").replaceWith(...part.childNodes);
  prepare(section);
}

// Search as you type

let typed = null;
async function suggest() {
  typed?.abort();
  const text = find.value.trim();
  if (text.length < 2) {
    found.hidden = true;
    return;
  }
  typed = new AbortController();
  const main = await fetchMain(`${PREFIX}/search?${new URLSearchParams({ text, limit: 12 })}`, typed.signal).catch(() => null);
  const results = main?.querySelector("[data-part=results]");
  if (results && find.value.trim() === text) {
    found.replaceChildren(...results.childNodes);
    found.hidden = false;
  }
}

let pause;
find?.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(suggest, 120);
});
find?.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" && !found.hidden) {
    event.preventDefault();
    found.querySelector("a")?.focus();
  }
});
found?.addEventListener("keydown", (event) => {
  const links = [...found.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  (links[next] ?? find).focus();
});
document.addEventListener("click", (event) => {
  if (found && !event.target.closest(".find")) found.hidden = true;
});

// Keys

function isTyping(target) {
  return target.closest("input, textarea, select, [contenteditable]");
}

function step(by) {
  const rows = [...document.querySelectorAll(".rows tbody tr, .edges li, .steps > li, .hits li, .latest ul li")].filter((row) => row.querySelector("a"));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.querySelector("a").focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && found) found.hidden = true;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "/" && find) {
    event.preventDefault();
    find.focus();
    find.select();
  } else if (event.key === "?") byId("keys")?.showModal();
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (event.key in PAGES && find) location.assign(PREFIX + PAGES[event.key]);
});

// What buttons do

function prepare(root) {
  root.querySelectorAll("[data-copies], [data-opens]").forEach((button) => {
    button.hidden = false;
  });
  root.querySelectorAll("a[data-loads]").forEach(loadPart);
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copies);
  const text = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = text), 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies], [data-opens]");
  if (button?.dataset.copies !== undefined) copy(button);
  else if (button) byId(button.dataset.opens).showModal();
});

// Lines that are selected by a click on their numbers, with Shift up to a second one

document.addEventListener("click", (event) => {
  const number = event.target.closest(".source .number");
  if (!number) return;
  const line = Number(number.dataset.line);
  const first = event.shiftKey ? Number((location.hash.match(/^#L(\d+)/) ?? [])[1] ?? line) : line;
  history.replaceState(null, "", first === line ? `#L${line}` : `#L${Math.min(first, line)}-L${Math.max(first, line)}`);
  markLines();
});

function markLines() {
  const [, first, last] = location.hash.match(/^#L(\d+)(?:-L(\d+))?$/) ?? [];
  document.querySelectorAll(".source tr.chosen").forEach((row) => row.classList.remove("chosen"));
  for (let line = Number(first); line <= Number(last ?? first); line++) byId(`L${line}`)?.classList.add("chosen");
  document.querySelectorAll("[data-lines]").forEach((field) => {
    field.value = first ? `${field.dataset.lines}:${first}-${last ?? first}` : "";
  });
  document.querySelectorAll("[data-needs-lines]").forEach((part) => (part.hidden = !first));
}
function goToLines() {
  markLines();
  // A range is no id of an element, so that the browser does not go there by itself.
  if (location.hash.includes("-L")) document.querySelector(".source tr.chosen")?.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", goToLines);

// Live updates: the page is fetched again and put in place; focus, scroll position and what is open stay

async function refresh() {
  const main = await fetchMain(location.href).catch(() => null);
  if (!main || main.querySelector("[data-waits]") || isTyping(document.activeElement ?? document.body)) return;
  const open = [...document.querySelectorAll("main details")].map((one) => one.open);
  const focused = document.activeElement?.getAttribute("href");
  const at = [scrollX, scrollY];
  byId("content").replaceChildren(...main.childNodes);
  document.querySelectorAll("main details").forEach((one, number) => (one.open = open[number] ?? one.open));
  if (focused) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  prepare(byId("content"));
  markLines();
  scrollTo(...at);
}

function announce(text) {
  const note = byId("changed");
  note.textContent = text;
  note.hidden = false;
  setTimeout(() => (note.hidden = true), 4000);
}

const events = document.body.dataset.events;
if (events && "EventSource" in window) {
  const source = new EventSource(events);
  source.addEventListener("index", async () => {
    announce("The code has changed; this page is up to date again.");
    await refresh();
  });
  addEventListener("pagehide", () => source.close());
}

prepare(document);
goToLines();
if (document.querySelector("main [data-waits]")) setTimeout(() => location.reload(), AGAIN);
