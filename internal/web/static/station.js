// The station: scans are answered one by one, in the order in which they were made, however slow the line is. The field
// is never exchanged, so what is typed while an answer is under way stays. Without this file each scan loads the page.
"use strict";

{
  const waiting = [];   // what was scanned and is not answered yet
  let sending = false;
  let scannedAt = -Infinity;

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
    } else {
      // A button is about what stood beside it, whatever is answered in between.
      scan.code = event.submitter?.value || "";
      scan.form = new URLSearchParams(new FormData(form, event.submitter));
      // On a slow line the button is still there: who presses it again means the same press, which is answered once.
      if (waiting.some((other) => other.code === scan.code && other.form?.get("once") === scan.form.get("once"))) return;
    }
    scannedAt = now;
    waiting.push(scan);
    answer();
    tellWaiting(waiting.slice(1)); // the first of them is under way
  });

  async function answer() {
    if (sending) return;
    sending = true;
    while (waiting.length) {
      tellWaiting(waiting.slice(1));
      tellLate("");
      const scan = waiting[0];
      let reason = "", known = "Not sent.", act = "";
      const late = setTimeout(tellLate, 1000, scan.code || "Enter");
      try {
        if (!(await acts.settle())) throw new Error("the server does not answer");
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
        if (response.status === 204) { // nothing happened, and the server answers
          waiting.shift();
          hear();
          continue;
        }
        if (response.ok && page.getElementById("station")) {
          waiting.shift();
          show(page, response.url);
          if (document.getElementById("station").dataset.result === "good") acts.cleared(unit);
          continue;
        }
        if (response.ok) { // led elsewhere, such as to signing in
          location.href = response.url;
          return;
        }
        reason = page.querySelector(".problem")?.textContent || "The server could not do it.";
      } catch {
        reason = "The server does not answer.";
        acts.lose(act);
      } finally {
        clearTimeout(late);
      }
      fail(scan, reason + " " + known, waiting.splice(0).slice(1));
    }
    tellWaiting([]);
    tellLate("");
    sending = false;
    check(); // what others did meanwhile
  }

  // request is what is sent for a scan, made when its turn comes: it acts on what the scan before it left in hand.
  function request(scan) {
    if (scan.form) {
      const form = new URLSearchParams(scan.form);
      form.set("gap", scan.gap);
      for (const unit of acts.doubted()) form.append("doubt", unit);
      return form;
    }
    const form = new URLSearchParams({ code: scan.code, gap: scan.gap, once: scan.once });
    if (scan.early) form.set("early", "yes"); // the answer before it was not on the screen
    for (const [name, value] of state()) form.set(name, value);
    for (const unit of acts.doubted()) form.append("doubt", unit);
    return form;
  }

  // whatOf says what a scan is about: the unit in hand, the command that asked, and what was scanned.
  function whatOf(scan, body) {
    const about = ["value", "asked", "text"].includes(body.get("state")) ? body.get("ask") : "";
    return [body.get("unit"), about, scan.code || (body.get("unit") ? "RC-DONE" : "Enter")].filter(Boolean).join(", ");
  }

  // A scan without an answer is sent again by its button alone, as it was.
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

  // state is what the page says of where the station is.
  function state() {
    const inputs = [...document.querySelectorAll("#in-hand input")].filter((input) => input.name !== "once");
    return new URLSearchParams(inputs.map((input) => [input.name, input.value]));
  }

  // check asks whether the unit on the screen is as it was shown, and shows the page that says otherwise. What was typed stays,
  // marked, so that the next scan takes its place.
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
  let patience = 0;

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

  // fail shows a red band in the place of whatever was answered before. As after every bad scan no unit is in hand: the
  // next command must not act on one that was put away. Nothing that Enter could repeat stays in the field. What became of the scan is
  // told by acts.js.
  function fail(scan, reason, dropped) {
    const result = document.createElement("p");
    result.className = "result bad";
    result.setAttribute("role", "alert");
    result.dataset.unanswered = "";
    const code = document.createElement("span");
    code.className = "code";
    code.textContent = scan.code;
    const others = dropped.length ? " Not sent: " + dropped.map((other) => other.code || "Enter").join(", ") + "." : "";
    result.append(code, " " + reason + others + " No unit is in hand now.");
    document.getElementById("answer").replaceChildren(result);
    document.getElementById("station").dataset.result = "bad";
    clearTimeout(patience);
    for (const id of ["in-hand", "at-hand"]) document.getElementById(id).replaceChildren();
    document.getElementById("code-label").textContent = "Scan or type a code";
    history.replaceState(null, "", "/scan");
    sound("bad");
  }

  // hear takes away what fail showed: the field was emptied since, and the server answered.
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
    told.textContent = scans.length ? "Waiting: " + scans.map((scan) => scan.code).join(", ") : "";
  }

  // tellLate says that the server has not answered a scan yet: the field is empty by then, and the band is that of the scan before.
  function tellLate(code) {
    const told = document.getElementById("late");
    if (!told) return;
    told.hidden = !code;
    told.textContent = code ? code + " is sent, and the server has not answered yet. Do not scan it again." : "";
  }

  // ---- the field has the focus, and what is typed elsewhere goes there
  document.addEventListener("routecard:arrived", () => {
    const field = document.querySelector("[data-scan]");
    if (!field) return;
    if (!elsewhere() && !document.activeElement?.matches("main input, main select, main textarea")) field.focus({ preventScroll: true });
    const station = document.getElementById("station");
    clearTimeout(patience);
    if (station.dataset.patience) patience = setTimeout(check, station.dataset.patience * 1000);
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
  // A code that is no badge does not wait for the PIN: the server says that nobody is signed in.
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

  // ---- the camera reads what a scanner would type. A browser allows it to documents that came from a page with a camera alone, not
  // to those that walked to it (htmx exchanges the body): these load the page once.
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
    sound(""); // a browser plays nothing before a press
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
    root.querySelector("[data-camera=open]").focus({ preventScroll: true }); // not the field: a phone would put a keyboard there
  }

  // elsewhere reports whether somebody is at something that the field must not take the focus from: the camera, since a phone would put
  // a keyboard on the screen, or the search.
  function elsewhere() { return watching() || Boolean(document.activeElement?.closest(".find")); }

  function watching() { return document.querySelector("[data-camera-into][data-running]") !== null; }

  // ---- sounds, for hands that are busy and eyes that are elsewhere
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
