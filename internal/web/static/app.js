// Functions of pages beyond plain links and forms: parts of a page are updated when something happens, and times are shown in the viewer's
// zone. The station also uses station.js. Without this file everything still works, by loading whole pages.
"use strict";

document.documentElement.classList.add("js");

// ---- the viewer's time zone, in which the server writes times and days
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
if (!document.cookie.split("; ").includes("zone=" + encodeURIComponent(zone))) {
  document.cookie = "zone=" + encodeURIComponent(zone) + "; path=/; max-age=31536000; samesite=lax";
  addEventListener("DOMContentLoaded", () => localTimes(document));
}

// Rewrites the times on the first page, because the server rendered that page before it knew the zone. The times keep the format of the
// page's language.
function localTimes(root) {
  const months = [
    T("month|Jan"), T("month|Feb"), T("month|Mar"), T("month|Apr"), T("month|May"), T("month|Jun"),
    T("month|Jul"), T("month|Aug"), T("month|Sep"), T("month|Oct"), T("month|Nov"), T("month|Dec"),
  ];
  const formats = [T("format|2 Jan 15:04"), T("format|2 Jan 15:04:05"), T("format|2 Jan 2006 15:04"), T("format|2 Jan 2006 15:04:05")];
  const two = (number) => String(number).padStart(2, "0");
  const year = new Date().getFullYear();
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    const parts = { 2006: at.getFullYear(), Jan: months[at.getMonth()], 2: at.getDate(), 15: two(at.getHours()), "04": two(at.getMinutes()), "05": two(at.getSeconds()) };
    const format = formats[(at.getFullYear() !== year ? 2 : 0) + ("exact" in time.dataset ? 1 : 0)];
    time.textContent = format.replace(/2006|Jan|15|04|05|2/g, (part) => parts[part]);
  }
}

// ---- live: one event stream for this document, even while htmx swaps pages
let last = ""; // the newest audit entry that this page has received
let heard = 0;      // number of events received
let stream = null;
let watchdog = 0;
let offline = 0;
const silence = 25000; // milliseconds; the stream sends something every ten seconds

function connect() {
  if (stream || document.hidden || !document.querySelector("meta[name=last-event]")) return; // visitors without read access have no stream
  stream = new EventSource("/api/events?after=" + encodeURIComponent(last));
  stream.addEventListener("open", alive);
  stream.addEventListener("heartbeat", alive);
  stream.addEventListener("audit", (event) => {
    alive();
    last = event.lastEventId;
    heard++;
    refreshSoon();
  });
  stream.addEventListener("error", () => {
    // Waits a moment, so that the mark does not flash when a server restarts. A visitor who has signed out has not lost the connection.
    offline ||= setTimeout(async () => {
      const answer = await fetch(location.href, { headers: { "Routecard-Live": "1", Accept: "text/html" } }).catch(() => null);
      if (answer?.status === 401) leave();
      else if (offline) mark(true);
    }, 1500);
    if (stream && stream.readyState === EventSource.CLOSED) {
      disconnect();
      setTimeout(connect, 2000);
    }
  });
  alive(null);
}

function disconnect() {
  clearTimeout(watchdog);
  stream?.close();
  stream = null;
}

// alive runs at every sign of life. If there are none, the connection has failed without an error.
function alive(event) {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { mark(true); disconnect(); connect(); }, silence);
  if (!event) return;
  clearTimeout(offline);
  offline = 0;
  if (mark(false) && event.type === "open") refreshSoon();
}

// mark shows or hides the mark for a lost connection, and reports whether this changed anything.
function mark(down) {
  const sign = document.getElementById("live");
  if (!sign || sign.hidden === !down) return false;
  sign.hidden = !down;
  return true;
}

// Hidden pages close their connection, because browsers allow only a few connections to one server.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) disconnect(); else { connect(); }
});
addEventListener("pagehide", disconnect);
addEventListener("pageshow", () => { if (last) connect(); });

// ---- updates: each element with data-live and an id is replaced when it has changed
let refreshing = false, again = false, timer = 0;

function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 120);
}

async function refresh() {
  document.dispatchEvent(new Event("routecard:heard"));
  if (refreshing || waiting()) { again = true; return; }
  const parts = [...document.querySelectorAll("[data-live][id]")];
  if (!parts.length) return;
  refreshing = true;
  const begun = location.href;
  try {
    for (const address of new Set(parts.map((part) => part.dataset.liveSrc || location.pathname + location.search))) {
      const response = await fetch(address, { headers: { "Routecard-Live": "1", Accept: "text/html" } });
      if (response.status === 401) {
        refreshing = false;
        leave();
        return;
      }
      if (!response.ok || begun !== location.href) continue;
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of parts) {
        if ((part.dataset.liveSrc || location.pathname + location.search) !== address) continue;
        const now = fresh.getElementById(part.id);
        if (waiting()) again = true;
        else if (part.isConnected && now) replace(part, now);
      }
    }
  } catch {
    // The stream itself reports a lost connection.
  }
  refreshing = false;
  if (again && !waiting()) { again = false; refreshSoon(); }
  refreshUnfinished();
}

// refreshUnfinished refreshes the page after another second for as long as the page says that a search is still running.
let unfinished = 0;
function refreshUnfinished() {
  clearTimeout(unfinished);
  if (document.querySelector("[data-again]")) unfinished = setTimeout(refreshSoon, 1000);
}

// replace puts a new part in place of an old one, unless the user is typing in the old one or it has a refused form, whose message would
// disappear before anybody has read it. It preserves ticks, open sections and the focus.
function replace(old, fresh) {
  if (plain(old) === plain(fresh)) return;
  const active = document.activeElement;
  const writing = [...old.querySelectorAll("input:not([type=checkbox],[type=hidden]), textarea, select")].some((field) =>
    field === active || (field.type === "radio" ? field.checked !== field.defaultChecked
      : "defaultValue" in field ? field.value !== field.defaultValue
        : [...field.options].some((option) => option.selected !== option.defaultSelected && option.selected && field.selectedIndex > 0)));
  if (writing || old.querySelector("form .problem")) { again = false; clearTimeout(timer); timer = setTimeout(refresh, 1500); return; }
  const ticked = new Set([...old.querySelectorAll("input[type=checkbox]:checked[name]")].map((box) => tick(old, box)));
  const open = new Map([...old.querySelectorAll("details[data-key]")].map((part) => [part.dataset.key, part.open]));
  const scrolled = [...old.querySelectorAll("ul")].map((list) => list.scrollTop);
  const focused = old.contains(active) ? path(active) : "";
  fresh = document.importNode(fresh, true);
  for (const box of fresh.querySelectorAll("input[type=checkbox][name]")) box.checked = ticked.has(tick(fresh, box)) || box.checked;
  for (const part of fresh.querySelectorAll("details[data-key]")) if (open.has(part.dataset.key)) part.open = open.get(part.dataset.key);
  const step = (part) => part.querySelector("[name=expectedStepIndex]")?.value;
  if (step(old) !== step(fresh)) moved.set(fresh, performance.now());
  old.replaceWith(fresh);
  htmx.process(fresh);
  fresh.querySelectorAll("ul").forEach((list, i) => { list.scrollTop = scrolled[i] || 0; });
  if (focused) fresh.querySelector(focused)?.focus({ preventScroll: true });
  count();
}

// tick identifies a checkbox by its unit and the step at which the unit is shown: if the unit has moved since, its tick is lost.
function tick(part, box) {
  const at = part.querySelector("input[name=" + JSON.stringify("at:" + box.value) + "]");
  return box.name + "=" + box.value + (at ? "@" + at.value : "");
}

// plain returns a part as the server rendered it, without the keys, which differ in each response.
function plain(part) {
  return part.innerHTML.replace(/name="once" value="[^"]*"/g, "").replace(/ data-htmx-powered="[^"]*"/g, "").replace(/ open=""/g, "");
}

// path returns a selector that finds the same control in the new part.
function path(element) {
  if (element.id) return "#" + CSS.escape(element.id);
  for (const name of ["href", "value", "name"]) {
    const value = element.getAttribute(name);
    if (value) return element.localName + "[" + name + "=" + JSON.stringify(value) + "]";
  }
  return "";
}

// ---- navigation: htmx swaps the body, and updates missed meanwhile are fetched
let working = 0;
const begun = new WeakMap();
const underWay = new Set(); // forms that wait for their response

// While a form waits for its response, it is not sent again: the second response, "done before", would replace the first.
document.addEventListener("submit", (event) => {
  if (!waiting() || !underWay.has(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// waiting reports whether a form of this page waits for its response. A form that was swapped out together with its page has received its
// response, although its events do not arrive here.
function waiting() {
  for (const form of underWay) if (!form.isConnected) underWay.delete(form);
  return underWay.size > 0;
}
document.addEventListener("htmx:before:request", (event) => {
  const form = formOf(event);
  if (form && underWay.has(form)) {
    event.preventDefault(); // the same form again: one response is enough
    return;
  }
  if (form) underWay.add(form);
  begun.set(event.detail.ctx, { heard, path: location.pathname, top: scrollY, form, typed: [] });
  working ||= setTimeout(() => document.body.classList.add("working"), 250);
});
document.addEventListener("htmx:finally:request", (event) => {
  underWay.delete(formOf(event));
  clearTimeout(working);
  working = 0;
  document.body.classList.remove("working");
  if (again && !waiting()) { again = false; refreshSoon(); }
});
document.addEventListener("htmx:before:swap", (event) => {
  const was = begun.get(event.detail.ctx);
  if (was?.form) was.typed = typed(was.form);
});
document.addEventListener("htmx:after:swap", (event) => {
  exchanged = performance.now();
  const was = event.detail.ctx && begun.get(event.detail.ctx);
  if (was && was.path === location.pathname && document.querySelector("main")) {
    was.typed.forEach(typeAgain);
    requestAnimationFrame(() => scrollTo({ top: document.querySelector(".problem, .done") ? Math.min(was.top, offsetOf()) : was.top }));
  }
  if (was && was.heard !== heard) refreshSoon();
  if (stream && stream.readyState !== EventSource.OPEN && offline) mark(true);
  arrive();
});

// typed returns the unsent input in the page's forms, including the other fields of these forms. The station stores its own input.
function typed(sent) {
  if (document.getElementById("station")) return [];
  return [...document.querySelectorAll("form[method=post]")]
    .filter((form) => form !== sent && !underWay.has(form) &&
      fieldsOf(form).some((field) => "defaultValue" in field && field.value !== field.defaultValue))
    .map((form) => ({
      name: nameOfForm(form), mark: markOf(form), values: fieldsOf(form).map((field) => [field.name, field.value]),
      ticks: new Map(boxesOf(form).map((box) => [tick(form, box), box.checked])),
    }));
}

// typeAgain restores the input of a form after its page was reloaded. It also restores the values that were read when the form was filled
// in, so that the server reports what has changed since. It leaves the form as it was loaded if a chosen option no longer exists or if
// another operator works here now.
function typeAgain(kept) {
  const form = [...document.querySelectorAll("form[method=post]")].find((one) => nameOfForm(one) === kept.name);
  if (!form || kept.mark !== nobody && kept.mark !== markOf(form)) return;
  const fields = fieldsOf(form), pairs = [];
  for (const [name, value] of kept.values) {
    const at = fields.findIndex((field) => field.name === name);
    if (at < 0) continue; // for example, the field for the operator once one is chosen
    const [field] = fields.splice(at, 1);
    if (field.options && ![...field.options].some((option) => option.value === value)) return;
    pairs.push([field, value]);
  }
  for (const [field, value] of pairs) field.value = value;
  for (const box of boxesOf(form)) box.checked = kept.ticks.get(tick(form, box)) ?? box.checked;
  for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.name && (field.matches("textarea, select:not([multiple]), input:is([name=read], [name=revision])") ||
    field.matches("input:not([type=hidden], [type=password], [type=file], [type=checkbox], [type=radio])")));
}

function boxesOf(form) {
  return [...form.elements].filter((field) => field.matches("[type=checkbox][name], [type=radio][name]"));
}

// markOf returns the mark of the operator for whom a form was rendered. The server includes the mark in the form's key.
const nobody = "000000";
function markOf(form) {
  return form.querySelector("[name=once]")?.value.split("-").pop() ?? nobody;
}

// nameOfForm distinguishes the forms of a page by their addresses, hidden fields and buttons.
function nameOfForm(form) {
  const about = [...form.elements].filter((field) => field.matches("input[type=hidden][name]") &&
    !field.matches('[name=once], [name=read], [name=revision], [name=expectedStepIndex], [name^="at:"], [name^="assigned:"]'));
  return [form.getAttribute("action"), ...about.map((field) => field.name + "=" + field.value),
    ...[...form.querySelectorAll("button[name]")].map((button) => button.name + "=" + button.value)].join("\n");
}

function offsetOf() {
  const told = document.querySelector(".problem, .done");
  return told ? Math.max(0, told.getBoundingClientRect().top + scrollY - 90) : Infinity;
}

// ---- progress of a batch that takes longer than a second
document.addEventListener("htmx:before:request", (event) => {
  const form = formOf(event), told = form?.querySelector(".progress-told");
  if (!told) return;
  const key = form.querySelector("[name=once]")?.value;
  const ask = setInterval(async () => {
    if (!form.isConnected || !underWay.has(form)) { clearInterval(ask); return; }
    const response = await fetch("/progress/" + encodeURIComponent(key)).catch(() => null);
    const text = response?.status === 200 ? await response.text() : "";
    told.hidden = !text;
    told.textContent = text;
  }, 1000);
});

// formOf returns the form that an htmx request sends. For a link, and for a field that loads its suggestions, it returns undefined.
function formOf(event) {
  const source = event.detail?.ctx?.sourceElement;
  return source?.matches("input") ? undefined : source?.closest("form[method=post]") || undefined;
}

// ---- no response: show a red band, remove success messages, leave the input in place
document.addEventListener("htmx:error", (event) => {
  if (!event.detail?.ctx) return;
  mark(true);
  unanswered(formOf(event), T("The server does not answer."));
});
document.addEventListener("htmx:before:response", (event) => {
  const form = formOf(event), response = event.detail.ctx.response;
  if (!form) return;
  if (response.headers.get("Routecard-Signed-Out")) {
    event.preventDefault();
    signedOut(form);
    return;
  }
  if (response.status < 400 && !form.isConnected) event.preventDefault(); // the user has gone to another page and stays there
  if (response.status < 500) return;
  event.preventDefault();
  unanswered(form, T("The server could not do it just now."));
});

// leave goes to the sign-in page if the visitor may no longer read this page, unless the page has unsent text.
function leave() {
  if (typed().length) signedOut(); else location.reload();
}

// signedOut reports that nothing was done, and leaves the forms unchanged. Users can sign in elsewhere and then send them from here.
function signedOut(form) {
  if (!form && document.querySelector("[data-signed-out]")) return;
  const link = document.createElement("a");
  link.href = "/sign-in?next=/me";
  link.target = "_blank";
  link.textContent = T("Sign in in another window");
  const band = tell(form, ...(form
    ? TNodes("You are signed out. Nothing was done, and what you filled in is kept. {link}, then send it from here.", { link })
    : TNodes("You are signed out. What you filled in is kept. {link}, then send it from here.", { link })));
  band.dataset.signedOut = "";
}
function unanswered(form, what) {
  tell(form, what + (form ? " " + T("What you filled in is kept. You can safely send it again: it is done only once.") : "")).dataset.unanswered = "";
}

// tell shows a red band above a form and removes success messages.
function tell(form, ...texts) {
  for (const old of document.querySelectorAll(".done, .problem")) old.remove();
  const band = document.createElement("p");
  band.className = "problem";
  band.id = "problem";
  band.tabIndex = -1;
  band.setAttribute("role", "alert");
  band.append(...texts);
  (form?.isConnected ? form : document.querySelector("main")).prepend(band);
  if (form || !typed().length) band.focus(); // does not interrupt a user who is typing
  return band;
}

// ---- one press counts once: ignore the second half of a double click or double tap, and a repeated key. The first press may already have
// loaded the next page, with a button for the next step in the same place.
//
// A press is also ignored if its button appeared under the pointer less than half a second ago: on a page that the last press loaded, or
// for a step to which another user has moved the unit.
let pressed = { at: -Infinity, x: 0, y: 0 };
let exchanged = -Infinity;   // when the page was swapped
const moved = new WeakMap(); // time at which a part arrived that shows another step than the part it replaced
const unread = 500;
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button?.form || button.type !== "submit" || button.formNoValidate) return;
  const near = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 30;
  const underHand = event.detail > 0 && (near && event.timeStamp - exchanged < unread ||
    event.timeStamp - moved.get(button.closest("[data-live]")) < unread);
  if (event.detail > 1 || underHand || event.pointerType === "touch" && near && event.timeStamp - pressed.at < 500) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  pressed = { at: event.timeStamp, x: event.clientX, y: event.clientY };
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.repeat && !event.target.matches("textarea")) event.preventDefault();
}, true);

// ---- move the focus to the page's first field, such as that for a badge, or to a success message, so that the keyboard continues there
function done() {
  if (document.activeElement !== document.body || document.querySelector("[data-scan]")) return;
  const told = document.querySelector(".done"), field = document.querySelector("main [autofocus]");
  if (told) told.tabIndex = -1;
  (told && field || told)?.focus({ preventScroll: true });
}

// ---- move a refusal next to its field, and focus the field
function problem() {
  const told = document.getElementById("problem");
  if (!told) return;
  const fields = told.dataset.field ? told.closest("form")?.querySelectorAll(
    "[name=" + JSON.stringify(told.dataset.field) + "]:not([type=hidden])") : null;
  const field = fields?.[told.dataset.index];
  if (!field) {
    told.focus();
    return;
  }
  (field.closest("fieldset.choices, .field") || field.parentElement).append(told);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "problem");
  field.focus();
}

// ---- boards and lists: tick all, count the ticked
const TICKS = "[type=checkbox]:is([name=serial],[name=hold])";
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-all]")) {
    for (const box of event.target.closest(".column, table").querySelectorAll(TICKS)) box.checked = event.target.checked;
  }
  if (event.target.closest("[data-board]")) count();
});
function count() {
  for (const board of document.querySelectorAll("[data-board]")) {
    const ticked = board.querySelectorAll(TICKS + ":checked").length;
    const shown = board.querySelector("[data-count]");
    if (shown) shown.textContent = ticked ? "(" + ticked + ")" : "";
  }
}

// A link with data-print leads to a page that is printed when it has loaded, once.
document.addEventListener("click", (event) => {
  if (event.target.closest("button[data-print]")) print();
});
addEventListener("load", () => {
  if (location.hash !== "#print") return;
  history.replaceState(history.state, "", location.pathname + location.search);
  print();
});

// ---- after each page load
function arrive() {
  count();
  problem();
  done();
  refreshUnfinished();
  document.dispatchEvent(new Event("routecard:arrived"));
}
addEventListener("DOMContentLoaded", () => {
  last = document.querySelector("meta[name=last-event]")?.content || "";
  connect();
  arrive();
});

// Leaves the page of a station that is idle, because the server has signed the operator out by then.
{
  let left = 0;
  const wait = () => {
    clearTimeout(left);
    const idle = Number(document.querySelector("meta[name=idle]")?.content || 0);
    if (idle) left = setTimeout(() => {
      const typed = document.querySelector("[data-scan]")?.value || ""; // shown on the sign-in page, but not carried out
      location.href = "/sign-in?" + new URLSearchParams({ out: "idle", next: location.pathname, typed: typed.slice(0, 200) });
    }, idle * 1000);
  };
  for (const sign of ["keydown", "pointerdown", "routecard:read"]) addEventListener(sign, wait, { passive: true });
  addEventListener("DOMContentLoaded", wait);
  wait();
}
