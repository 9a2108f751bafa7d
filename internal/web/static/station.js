// Sends the scans of the station one by one and in order, however slow the network is. The field is never replaced, so text that is typed
// while a response is awaited stays. Without this file each scan loads the page.
"use strict";

{
  const waiting = []; // scans that have no response yet
  let sending = false;
  let scannedAt = -Infinity;
  let typed = 0;        // number of characters that were typed
  const patience = 60; // milliseconds in which a code follows the Enter of a scanner that types Enter before each code

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-station]");
    if (!form) return;
    event.preventDefault();
    const now = performance.now(), gap = Math.round(now - scannedAt);
    const field = form.querySelector("[data-scan]");
    const scan = { gap: Number.isFinite(gap) ? gap : "", once: acts.random(), early: sending };
    if (field) {
      scan.code = field.value.trim();
      field.value = "";
      if (!scan.code) { // Enter confirms a step, but the first key of a scan confirms nothing
        const before = typed;
        setTimeout(() => { if (typed === before) send(scan, now); }, patience);
        return;
      }
    } else {
      // A button applies to the page that showed it, even if other responses arrive in between.
      scan.code = event.submitter?.value || "";
      scan.form = new URLSearchParams(new FormData(form, event.submitter));
      if (document.getElementById("code")?.value.trim()) scan.form.set("unsent", "yes");
      // On a slow network the button stays on the page. Pressing it again counts as the same scan, which is sent once.
      if (waiting.some((other) => other.code === scan.code && other.form?.get("once") === scan.form.get("once"))) return;
    }
    send(scan, now);
  });

  function send(scan, now) {
    scannedAt = now;
    waiting.push(scan);
    answer();
    tellWaiting(waiting.slice(1)); // the first one is being sent
  }

  // A scanner may end a code with Tab. guard.js tells its keys from those of a person.
  const pace = scanPace(document.querySelector("meta[name=serial-prefix]").content);
  addEventListener("keydown", (event) => {
    const field = document.querySelector("[data-scan]"), key = keyOf(event);
    if (!event.isTrusted || pace.modifies(key)) return;
    if (key.key.length === 1) typed++;
    const { fate, code } = pace.press(key, "text");
    if (!field || fate === "pass" || document.activeElement !== field) return;
    if (code && field.value !== code && code.endsWith(field.value)) field.value = code; // its first keys came before this page
    if (key.key !== "Tab") return;
    event.preventDefault();
    if (fate === "scan") field.form.requestSubmit();
  }, true);

  async function answer() {
    if (sending) return;
    sending = true;
    while (waiting.length) {
      tellWaiting(waiting.slice(1));
      tellLate("");
      const scan = waiting[0];
      let reason = "", known = T("Not sent."), act = "";
      const late = setTimeout(tellLate, 1000, scan.code || "Enter");
      try {
        if (!(await acts.settle())) throw new Error("the server does not answer") /* not a text: caught below */;
        const body = request(scan), unit = body.get("unit");
        act = acts.begin("/scan", body, scan.what || whatOf(scan, body));
        known = document.getElementById("station").dataset.unheard;
        const response = await fetch("/scan", {
          method: "POST", body, headers: { Accept: "text/html" }, signal: AbortSignal.timeout(60000),
        });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        if (response.status >= 500) acts.lose(act);
        else acts.end(act);
        if (response.status >= 400 && response.status < 500) known = "";
        if (response.status === 204) { // nothing changed, but the server responds
          waiting.shift();
          hear();
          continue;
        }
        if (response.ok && page.getElementById("station")) {
          waiting.shift();
          show(page, response.url);
          if (document.getElementById("station")?.dataset.result === "good") acts.cleared(unit);
          continue;
        }
        if (response.ok) { // redirected to another page, such as sign-in
          location.href = response.url;
          return;
        }
        reason = page.querySelector(".problem")?.textContent || T("The server could not do it.");
      } catch {
        reason = T("The server does not answer.");
        acts.lose(act);
      } finally {
        clearTimeout(late);
      }
      fail(scan, reason + " " + known, waiting.splice(0).slice(1));
    }
    tellWaiting([]);
    tellLate("");
    sending = false;
    check(); // for changes by others in the meantime
  }

  // request returns the body for a scan. It is built only when the scan is sent, because the scan acts on the unit that the previous scan
  // left in hand.
  function request(scan) {
    if (scan.form) {
      const form = new URLSearchParams(scan.form);
      form.set("gap", scan.gap);
      for (const unit of acts.doubted()) form.append("doubt", unit);
      return form;
    }
    const form = new URLSearchParams({ code: scan.code, gap: scan.gap, once: scan.once });
    if (scan.early) form.set("early", "yes"); // the response to the previous scan was not on the screen yet
    for (const [name, value] of state()) form.set(name, value);
    for (const unit of acts.doubted()) form.append("doubt", unit);
    return form;
  }

  // whatOf describes a scan: the unit in hand, the command that asked the question, and the code.
  function whatOf(scan, body) {
    const about = ["value", "asked", "text"].includes(body.get("state")) ? body.get("ask") : "";
    return [body.get("unit"), about, scan.code || (body.get("unit") ? "RC-DONE" : "Enter")].filter(Boolean).join(", ");
  }

  // A scan without a response is sent again only by its button, and unchanged.
  document.addEventListener("routecard:again", ({ detail: { body, what } }) => {
    waiting.push({ code: body.get("do") || body.get("code"), what, form: body, gap: body.get("gap") || "" });
    answer();
  });
  document.addEventListener("routecard:settled", () => {
    const station = document.getElementById("station");
    if (!station) return;
    if (!document.querySelector("#answer .result")) station.dataset.result = "";
    if (document.activeElement === document.body && !watching()) document.getElementById("code")?.focus({ preventScroll: true });
  });

  // state returns the station's state from the page.
  function state() {
    const inputs = [...document.querySelectorAll("#in-hand input")].filter((input) => input.name !== "once");
    return new URLSearchParams(inputs.map((input) => [input.name, input.value]));
  }

  // check asks the server whether the unit on the screen is unchanged. If it has changed, check shows the new page. Text in the field stays
  // but is selected, so that the next scan replaces it.
  async function check() {
    const now = state();
    if (sending || !now.get("unit")) return;
    now.delete("words");
    const response = await fetch("/scan?" + now, { headers: { Accept: "text/html", "Routecard-Live": "1" } }).catch(() => null);
    if (response?.status === 401) location.reload(); // signed out meanwhile
    if (response?.status !== 200) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html"), since = state();
    since.delete("words");
    if (sending || String(since) !== String(now)) return;
    show(page, "/scan");
    if (!state().get("unit") && !elsewhere()) document.getElementById("code")?.select();
  }
  document.addEventListener("routecard:heard", check);
  let idle = 0;

  function show(page, address) {
    if (!document.getElementById("station")) return;
    for (const id of ["works", "in-hand", "code-label", "answer", "at-hand", "last"]) {
      const old = document.getElementById(id), fresh = page.getElementById(id);
      if (!old || !fresh || id === "works" && old.contains(document.activeElement)) continue;
      old.replaceWith(document.importNode(fresh, true));
      htmx.process(document.getElementById(id));
    }
    document.getElementById("code")?.setAttribute("inputmode", document.getElementById("code-label").dataset.keyboard || "text");
    const station = document.getElementById("station"), now = page.getElementById("station");
    station.dataset.result = now.dataset.result;
    station.dataset.at = now.dataset.at;
    station.dataset.patience = now.dataset.patience || "";
    history.replaceState(null, "", address);
    arrive();
  }

  // fail replaces the last result by a red band. After that, as after every failed scan, no unit is in hand: the next command must not act
  // on a unit that was put away. The field is empty, so Enter repeats nothing. acts.js reports the result of the scan.
  function fail(scan, reason, dropped) {
    if (!document.getElementById("station")) return; // the person has left
    const result = document.createElement("p");
    result.className = "result bad";
    result.setAttribute("role", "alert");
    result.dataset.unanswered = "";
    const code = document.createElement("span");
    code.className = "code";
    code.textContent = scan.code;
    const others = dropped.length ? " " + T("Not sent: {codes}.", { codes: dropped.map((other) => other.code || "Enter").join(", ") }) : "";
    result.append(code, " " + reason + others + " " + T("No unit is in hand now."));
    document.getElementById("answer").replaceChildren(result);
    document.getElementById("station").dataset.result = "bad";
    clearTimeout(idle);
    for (const id of ["in-hand", "at-hand"]) document.getElementById(id).replaceChildren();
    document.getElementById("code-label").textContent = T("Scan or type a code");
    history.replaceState(null, "", "/scan");
    sound("bad");
  }

  // hear removes the band of fail after the server has responded to Enter in the empty field.
  function hear() {
    const station = document.getElementById("station"), band = document.querySelector("#answer [data-unanswered]");
    if (!band) return;
    band.remove();
    station.dataset.result = "";
  }

  function tellWaiting(scans) {
    const told = document.getElementById("waiting");
    if (!told) return;
    told.hidden = !scans.length;
    told.textContent = scans.length ? T("Waiting: {codes}", { codes: scans.map((scan) => scan.code || "Enter").join(", ") }) : "";
  }

  // tellLate says that the server has not responded to a scan yet. Without this message the field is already empty while the band still
  // shows the previous scan.
  function tellLate(code) {
    const told = document.getElementById("late");
    if (!told) return;
    told.hidden = !code;
    told.textContent = code ? T("{code} is sent, and the server has not answered yet. Do not scan it again.", { code }) : "";
  }

  // ---- the field has the focus and receives keys that are typed elsewhere
  document.addEventListener("routecard:arrived", () => {
    const field = document.querySelector("[data-scan]");
    if (!field) return;
    if (!elsewhere() && !document.activeElement?.matches("main input, main select, main textarea")) field.focus({ preventScroll: true });
    const station = document.getElementById("station");
    clearTimeout(idle);
    if (station.dataset.patience) idle = setTimeout(check, station.dataset.patience * 1000);
    if (station.dataset.at && station.dataset.at !== sounded) {
      const fresh = Date.now() - Number(station.dataset.at) < 5000;
      sounded = station.dataset.at;
      if (fresh) sound(station.dataset.result);
    }
  });
  let sounded = "";
  document.addEventListener("keydown", (event) => {
    const field = document.querySelector("[data-scan]");
    if (!field || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (event.key === " " && event.target.matches("button, a, summary")) return;
    if (!event.target.matches("input, textarea")) field.focus();
  });
  // A code that is not a badge does not wait for the PIN. The server then says that no one is signed in.
  document.addEventListener("keydown", (event) => {
    const badge = event.target;
    if (event.key !== "Enter" || !badge.matches?.("input[name=badge]") || !badge.value || /^\s*(\][A-Za-z][0-9A-Za-z])?RC-ID-/.test(badge.value)) return;
    event.preventDefault();
    badge.form.noValidate = true;
    badge.form.requestSubmit();
  });
  document.addEventListener("click", (event) => {
    const field = document.querySelector("[data-scan]");
    if (field && !watching() && !event.target.closest("a, button, input, select, label, summary")) field.focus({ preventScroll: true });
  });
  addEventListener("focus", () => {
    if (document.activeElement === document.body && !watching()) document.querySelector("[data-scan]")?.focus();
  });

  // ---- the camera reads codes like a scanner. Browsers allow it only in documents that were loaded from a page with a camera, not in
  // documents that htmx swapped to such a page. Those load the page once.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-camera=open]")) openCamera();
    else if (event.target.closest("[data-camera=close]")) closeCamera();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && watching()) closeCamera();
  });
  addEventListener("DOMContentLoaded", () => {
    if (location.hash === "#camera") openCamera();
  });

  async function openCamera() {
    const root = document.querySelector("[data-camera-into]");
    if (!root) return;
    if (!document.documentElement.hasAttribute("data-camera-allowed")) {
      location.hash = "camera";
      location.reload();
      return;
    }
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    sound(""); // browsers play sounds only after a press
    const camera = await import(root.dataset.script).catch(() => null);
    if (!camera) root.querySelector("[data-says=unloaded]").hidden = false;
    camera?.open(root, (text) => {
      const field = document.querySelector(root.dataset.cameraInto);
      sound("read");
      navigator.vibrate?.(60);
      dispatchEvent(new Event("routecard:read"));
      field.value = field.matches("[data-scan]") ? field.value + text : text;
      field.form.requestSubmit();
    });
  }

  async function closeCamera() {
    const root = document.querySelector("[data-camera-into]");
    (await import(root.dataset.script)).close();
    root.querySelector("[data-camera=open]").focus({ preventScroll: true }); // not the field, because a phone would show its keyboard
  }

  // elsewhere reports whether the field must not take the focus: while the camera runs, because a phone would show its keyboard, and while
  // the user searches.
  function elsewhere() { return watching() || Boolean(document.activeElement?.closest(".find")); }

  function watching() { return document.querySelector("[data-camera-into][data-running]") !== null; }

  // ---- sounds, because operators have their hands full and look elsewhere
  let audio = null;
  const tones = { read: [[1320, 0]], good: [[880, 0], [1175, 0.09]], show: [[660, 0]], ask: [[520, 0], [520, 0.14]], bad: [[220, 0], [165, 0.16]], warn: [[220, 0], [220, 0.2]] };
  function sound(kind) {
    const Audio = window.AudioContext;
    if (!Audio) return;
    audio ||= new Audio();
    if (audio.state === "suspended") audio.resume();
    for (const [pitch, after] of tones[kind] || []) {
      const tone = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + after;
      tone.frequency.value = pitch;
      const low = kind === "bad" || kind === "warn";
      tone.type = low ? "sawtooth" : "sine";
      volume.gain.setValueAtTime(0.2, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + (low ? 0.3 : 0.12));
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.35);
    }
  }
}
