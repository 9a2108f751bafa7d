// The guard protects pages against keys from a scanner, because a scanner is a keyboard and types into the focused element. Every page
// except the station has the guard. Keys that come faster than a person can type and end in Enter or Tab have no effect on selects,
// buttons, links and text fields. Text fields get their previous value back, and the page offers to open the scanned code. Fields for scans
// are marked with data-takes.
"use strict";

// scanPace is the state machine of the guard. It uses neither the document nor a clock; guard_test.go has its table of cases. prefix begins
// the identifiers of units.
function scanPace(prefix) {
  const fast = 40; // maximum milliseconds between two keys of a scanner; people are slower, with exceptions
  const pause = 250; // milliseconds after which a key does not belong to the keys before it
  const modifiers = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "ScrollLock", "Fn"]);
  let keys = []; // keys since the last pause: time, key, and the previous state of the focused element
  let ended = -Infinity; // when the last scan ended
  let number = ""; // digits of a character that is typed as Alt and a number

  // text returns the text that a key types. It returns "" for a key whose text is unknown, and undefined for a key without text.
  function text(key) {
    if (key.ctrl && !key.altGraph) return key.key === "]" ? "\x1d" : undefined; // GS, the separator between the elements of a code
    if (key.meta) return undefined;
    if (key.alt && /^Numpad\d$/.test(key.code)) return "";
    if (key.composing || ["Dead", "Process", "Unidentified"].includes(key.key)) return "";
    return [...key.key].length === 1 ? key.key : undefined;
  }

  function ends(key, gap) {
    if (key.meta || key.alt) return false;
    if (key.ctrl) return Math.min(gap, key.at - ended) <= fast && /^[ijm]$/i.test(key.key); // Tab, LF and CR as control characters
    return ["Enter", "Tab"].includes(key.key) || key.composing && /Enter$/.test(key.code);
  }

  const textOf = (keys) => keys.map((key) => key.text).join("");

  // scanned returns the last run of keys if a scanner typed them. The first of these keys may directly follow a key that a person pressed.
  // Routecard's codes are recognized even if the line of the scanner falters, so that no part of a code counts as a code.
  function scanned(at, place) {
    const gaps = keys.map((key, i) => (keys[i + 1]?.at ?? at) - key.at);
    const slow = (i) => gaps.slice(i).filter((gap) => gap > fast).length, length = (i) => keys.length - i;
    const own = keys.findIndex((_, i) => ours(textOf(keys.slice(i))) && (place === "control" || slow(i) <= length(i) / 2));
    const quick = keys.findIndex((_, i) => gaps[i] <= fast && slow(i) <= Math.floor(length(i) / 6)); // some gaps may be longer
    const first = own >= 0 ? own : quick;
    if (first < 0) return null;
    const run = keys.slice(own < 0 && place === "control" ? 0 : first);
    const least = place === "control" ? 1 : first === 0 ? 2 : 4; // within a word, fingers can press two or three keys almost at once
    return run.length < least ? null : run;
  }

  const codes = new RegExp(`^\\s*(\\][A-Za-z][0-9A-Za-z])?(RC\\W|(SN|${prefix}|NCR)\\W\\d|https?:)`, "i");
  const ours = (typed) => codes.test(typed);
  const badge = (typed) => /(^|\W|RC)ID\W/i.test(typed);

  // taken reports whether a text from a scanner, a gauge or a password manager belongs in a field of this kind.
  function taken(typed, place) {
    switch (place) {
      case "scan": return true;
      case "value": return /^\s*[+-]?(0|[1-9]\d{0,5}|\d{0,6}[.,]\d{1,6})\s*[a-zµ°%]{0,3}\s*$/i.test(typed);
      case "secret": case "words": return !ours(typed);
      case "badge": return badge(typed) || !ours(typed); // the PIN field accepts the badge of the next user
    }
    return false;
  }

  return {
    fast, badge,
    modifies: (key) => modifiers.has(key.key),

    // press returns the effect of a key on an element. place is "control", "text", "picker" for a text field that Space opens, or "scan",
    // "value", "words", "secret" or "badge" for a field that accepts such input. The effect is "pass", "stop", "hold" until the next key shows the
    // pace, or "scan". The keys of a scan are returned with "scan", and with "pass" at a field that accepts it.
    press(key, place) {
      const gap = keys.length ? key.at - keys.at(-1).at : Infinity;
      if (key.repeat || gap > pause) keys = [];
      if (key.repeat) return { fate: "pass" };
      if (ends(key, gap)) {
        const run = gap <= pause ? scanned(key.at, place) : null;
        keys = [];
        if (run && taken(textOf(run), place)) return { fate: "pass", code: textOf(run), keys: run };
        if (!run && key.at - ended > pause) return { fate: "pass" };
        ended = key.at;
        return run ? { fate: "scan", code: textOf(run), keys: run } : { fate: "stop" }; // CR and LF
      }
      const typed = text(key);
      if (typed === undefined && gap > fast) {
        keys = [];
        return { fate: "pass" };
      }
      if (key.alt && /^Numpad\d$/.test(key.code)) number += key.code.at(-1);
      keys.push({ at: key.at, text: key.alt && number ? "" : typed ?? "", before: key.before });
      if (place === "picker" ? typed !== " " : place !== "control" || key.alt) return { fate: "pass" };
      return { fate: gap <= fast ? "stop" : "hold" };
    },

    // release completes a character that is typed as Alt and a number.
    release(key) {
      if (key.key !== "Alt" || !number) return;
      keys.push({ at: key.at, text: String.fromCharCode(Number(number)), before: key.before });
      number = "";
    },

    // typing returns the keys that a scanner seems to be typing now.
    typing: (at) => keys.length > 1 && at - keys.at(-1).at <= pause && keys.every((key, i) => !i || key.at - keys[i - 1].at <= fast) ? keys : [],
  };
}

// keyOf describes a key for the state machine.
function keyOf(event) {
  return {
    key: event.key, code: event.code, at: event.timeStamp, repeat: event.repeat, composing: event.isComposing,
    ctrl: event.ctrlKey, alt: event.altKey, meta: event.metaKey, altGraph: event.getModifierState("AltGraph"),
  };
}

if (globalThis.document) {
  const pace = scanPace(document.querySelector("meta[name=serial-prefix]").content), patience = 60; // milliseconds; longer than the gap between two keys of a scanner
  const swallowed = new Set(); // codes of Space keys that were held or stopped: the events of their release are stopped too
  let stopped = false;         // whether the last key was held or stopped: its character is stopped too
  const cleaned = new WeakMap(); // time at which an element got its previous value back
  const searched = new WeakMap(); // value of a field when its last search began
  let held = null;             // a key whose effect waits for the next key
  let typedAhead = { text: "", at: -Infinity };
  let asked = null;            // the request for the last scan

  addEventListener("keydown", (event) => {
    const element = event.target, key = keyOf(event);
    if (!event.isTrusted || pace.modifies(key)) return;
    stopped = false;
    if (document.querySelector("[data-scan]")) return; // the station takes its keys
    settle(event);
    key.before = before(element);
    const { fate, code, keys } = pace.press(key, placeOf(element));
    if (fate === "stop" || fate === "scan" || fate === "hold" && effect(element, event) || event.repeat && swallowed.has(event.code)) stop(event);
    if ((fate === "hold" || fate === "stop") && !held && effect(element, event)) hold(element, event, key.before, fate);
    if (fate === "pass" && keys && element.matches("[data-takes=scan]")) accept(element, event, code);
    if (fate !== "scan") return;
    held = null;
    const found = (composed = "") => {
      putBack(keys);
      offer(code || composed.normalize("NFKC"));
    };
    if (event.isComposing) element.addEventListener("compositionend", (end) => setTimeout(found, 0, end.data), { once: true });
    else found();
  }, true);

  addEventListener("keypress", (event) => {
    if (event.isTrusted && stopped) stop(event);
  }, true);

  addEventListener("keyup", (event) => {
    if (!event.isTrusted) return;
    pace.release({ ...keyOf(event), before: before(event.target) });
    if (swallowed.delete(event.code)) stop(event);
  }, true);

  // If a field searches while the user types, such as a list's filter, it does not search after a scan, unless it searched during the scan.
  addEventListener("htmx:before:request", (event) => {
    const source = event.detail?.ctx?.sourceElement, sends = source?.matches("form[method=post]");
    const fields = source && !sends ? [source, ...source.elements ?? []] : [];
    const just = (field) => performance.now() - cleaned.get(field) < 500 && (!searched.has(field) || searched.get(field) === field.value);
    if (fields.some(just)) event.preventDefault();
    else for (const field of fields) searched.set(field, field.value);
  }, true);

  // If a page is swapped during a scan, it does not keep the beginning of the code.
  addEventListener("htmx:before:swap", () => putBack(pace.typing(performance.now())), true);

  // An offer that is newer than the request for a page stays on that page, because the person has scanned since.
  const begun = new WeakMap(); // time at which a request began
  let offered = -Infinity, kept = null;
  addEventListener("htmx:before:request", ({ detail }) => detail?.ctx && begun.set(detail.ctx, performance.now()), true);
  addEventListener("htmx:before:swap", ({ detail }) => { kept = begun.get(detail?.ctx) < offered ? document.getElementById("scanned") : null }, true);
  addEventListener("htmx:after:swap", () => { if (kept && !document.getElementById("scanned")) document.body.append(kept) }, true);

  function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== "keydown") return;
    stopped = true;
    if (event.key === " ") swallowed.add(event.code);
  }

  // accept completes a scan into a field for scans. In a list each code is on a separate line. In other fields the code replaces the
  // previous text, and Tab sends a search as Enter does.
  function accept(element, event, code) {
    const typed = code.replace(/[\0-\x1f]/g, ""), list = element.matches("textarea"), was = element.value;
    if (list) {
      const from = element.selectionStart - typed.length;
      const glued = from > 0 && element.value[from - 1] !== "\n" && element.value.slice(from, element.selectionStart) === typed;
      if (glued) element.setRangeText("\n", from, from, "preserve");
      if (event.key === "Tab") element.setRangeText("\n", element.selectionStart, element.selectionEnd, "end");
    } else if (element.value.includes(typed)) {
      element.value = typed;
    }
    if (element.value !== was) element.dispatchEvent(new Event("input", { bubbles: true }));
    if (event.key !== "Tab" || !list && element.form?.method !== "get") return;
    stop(event);
    if (!list) element.form.requestSubmit();
  }

  function placeOf(element) {
    if (element.matches("[data-takes]")) return element.dataset.takes;
    if (element.matches("[data-hits] a")) return "scan"; // search.js moves its keys to the field
    if (element.matches("[type=password], [autocomplete=username], [autocomplete=one-time-code]")) return "secret";
    return !isText(element) ? "control" : element.matches(picks) ? "picker" : "text";
  }

  function isText(element) {
    return element.matches("textarea, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=file], [type=color], [type=range])");
  }

  const picks = "[type=date], [type=datetime-local], [type=month], [type=week], [type=time], [type=color]";

  // effect reports whether a character takes effect immediately: letters choose in a select, and Space presses or opens.
  function effect(element, { key }) {
    return element.matches("select") && [...key].length === 1 || key === " " && element.matches("button, summary, input") && (!isText(element) || element.matches(picks));
  }

  // ---- holding keys until their pace is known
  function hold(element, event, was, fate) {
    held = { element, text: fate === "stop" ? "\0" : "", was }; // after keys without effect
    wait(event);
  }

  function wait(event) {
    held.text += event.key;
    held.at = event.timeStamp;
    held.done = false;
    clearTimeout(held.timer);
    const mine = held, due = performance.now() + patience;
    const decide = (again) => {
      if (held !== mine || mine.done) return;
      if (again && performance.now() - due > patience) mine.timer = setTimeout(decide, patience, false); // the page was busy: more keys may be queued
      else act();
    };
    mine.timer = setTimeout(decide, patience, true);
  }

  // settle lets the held keys take effect if a person types the next key. If a scanner types it, settle holds that key as well, and
  // reverses an effect that came too early.
  function settle(event) {
    if (!held) return;
    if (event.timeStamp - held.at <= pace.fast) {
      if (held.done) put(held.was);
      wait(event);
    } else {
      act();
      held = null;
    }
  }

  // act lets the held keys take effect. A person can press two or three letters almost at once. More keys come from a scanner whose last
  // key is missing.
  function act() {
    const { element, text, done } = held;
    held.done = true;
    if (done || text.length > 3 || document.activeElement !== element) return;
    if (text === " " && element.matches(picks + ", select") && performance.now() - typedAhead.at > 1000) element.showPicker();
    else if (element.matches("select")) for (const letter of text) chooseBy(element, letter);
    else if (text === " " && !element.matches(picks)) element.click();
  }

  // chooseBy selects the option that begins with the typed text, as browsers do. Typing the same letter again selects the next such option.
  function chooseBy(select, letter) {
    const now = performance.now();
    const text = ((now - typedAhead.at < 1000 && typedAhead.select === select ? typedAhead.text : "") + letter).toLowerCase();
    typedAhead = { select, text, at: now };
    const same = [...text].every((one) => one === text[0]), sought = same ? text[0] : text, count = select.options.length;
    for (let i = same ? 1 : 0; i < count + 1; i++) {
      const at = (Math.max(select.selectedIndex, 0) + i) % count, option = select.options[at];
      if (option.disabled || option.parentElement.disabled || !option.label.trim().toLowerCase().startsWith(sought)) continue;
      choose(select, at);
      return;
    }
  }

  function choose(select, at) {
    if (select.selectedIndex === at) return;
    select.selectedIndex = at;
    for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  // ---- the state of an element before a key
  function before(element) {
    if (element.matches?.("select")) return { element, chosen: element.selectedIndex };
    if (!element.matches?.("input, textarea") || !isText(element)) return { element };
    return { element, value: element.value, from: element.selectionStart, to: element.selectionEnd, direction: element.selectionDirection };
  }

  function put({ element, value, chosen, from, to, direction }) {
    if (chosen !== undefined) choose(element, chosen);
    if (value === undefined || element.value === value) return;
    element.value = value;
    if (from !== null) element.setSelectionRange(from, to, direction);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // putBack restores each element to its state before the first of the keys.
  function putBack(keys) {
    const first = new Map();
    for (const { before: was } of keys) if (!first.has(was.element)) first.set(was.element, was);
    first.forEach(put);
    for (const element of first.keys()) cleaned.set(element, performance.now());
  }

  // ---- the offer to open the scanned code. The focus stays where it is.
  async function offer(code) {
    asked?.abort();
    const asking = asked = new AbortController();
    const told = show(pace.badge(code) ? T("A badge") : code);
    if (pace.badge(code)) return; // a badge is a secret and must be neither in an address nor on the screen
    if (/^\s*RC\W/i.test(code)) {
      told.append(" " + T("Commands work at the station.") + " ", link("/scan", T("Open the station")));
      return;
    }
    if (!document.querySelector("meta[name=last-event]")) {
      told.append(" " + T("Sign in to open it."));
      return;
    }
    try {
      const response = await fetch("/search?" + new URLSearchParams({ q: code.trim().slice(0, 200) }), {
        signal: asking.signal, headers: { "Routecard-Live": "1", Accept: "text/html" },
      });
      if (!response.ok) throw new Error(response.status);
      const hits = [...new DOMParser().parseFromString(await response.text(), "text/html").querySelectorAll("main [data-hits] li a")];
      const exact = hits.filter((hit) => hit.matches(".exact"));
      const meant = exact.length ? exact : hits;
      if (!meant.length) told.append(" " + T("No unit, job or order matches this code."));
      for (const hit of meant.slice(0, 5)) told.append(" ", link(hit.getAttribute("href"), T("Open {record}", { record: hit.querySelector("b").textContent })));
    } catch {
      if (!asking.signal.aborted) told.append(" " + T("The server does not answer, so it cannot be opened now."));
    }
  }

  function show(code) {
    document.getElementById("scanned")?.remove();
    const band = document.createElement("section"), told = document.createElement("p"), scanned = document.createElement("b"), close = document.createElement("button");
    band.id = "scanned";
    band.setAttribute("role", "status");
    scanned.className = "id";
    scanned.textContent = code || T("A code");
    told.append(...TNodes("{code} was scanned outside a field for scans. Nothing was changed.", { code: scanned }));
    close.type = "button";
    close.textContent = T("Close");
    close.addEventListener("click", () => band.remove());
    band.append(told, close);
    document.body.append(band);
    new ResizeObserver(() => document.documentElement.style.setProperty("--offer", band.offsetHeight + "px")).observe(band);
    offered = performance.now();
    return told;
  }

  function link(to, text) {
    const made = document.createElement("a");
    made.className = "button primary";
    made.href = to;
    made.textContent = text;
    return made;
  }
}
