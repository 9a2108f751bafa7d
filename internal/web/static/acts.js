// Acts are forms and scans that were sent and have no response yet. The page stores each act until the server has said whether it was
// carried out, even if the page is reloaded or the browser is closed. The page asks the server for this. It never sends an act again by
// itself or because of Enter. station.js sends scans, htmx sends forms.
"use strict";

const acts = (() => {
  const store = "acts";
  const most = 50; // maximum number of stored acts
  const days = 8; // for which acts are stored: longer than the server stores results
  const underWay = 130000;       // milliseconds after which no page waits for a response any more
  const pause = 2000;            // milliseconds between two requests to a server that does not respond
  const page = random();         // identifies this page until it is loaded again
  let memory = [];               // used when the browser has no storage
  const putOff = new Set(); // acts of another person or of a signed-out visitor: this page asks about them only once
  let asking = null;
  let timer = 0;

  // random also works without TLS, where crypto.randomUUID does not exist.
  function random() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function read() {
    try {
      memory = JSON.parse(localStorage.getItem(store)) || [];
    } catch { /* no storage: use memory */ }
    return memory;
  }

  function write(list) {
    const oldest = Date.now() - days * 86400000;
    memory = list.filter((act) => act.sent > oldest).slice(-most);
    try { localStorage.setItem(store, JSON.stringify(memory)); } catch { /* stored by this page only */ }
  }

  function change(id, what) {
    write(read().map((act) => act.id === id ? { ...act, ...what } : act));
  }

  // begin stores an act that is being sent and returns its identifier. A form without a key and a form with a secret are never stored: for
  // these it returns "".
  function begin(of, body, what) {
    const secret = [...body].some(([name, value]) =>
      /^(password|oldPassword|pin|badge)$|-(secret|passkey)$/.test(name) || typeof value !== "string" || /RC-ID-/i.test(value));
    if (!body.get("once") || secret) return "";
    const id = random(), text = String(body);
    write([...read().filter((act) => act.of !== of || act.body !== text), { id, of, body: text, what, page, sent: Date.now(), state: "sent" }]);
    return id;
  }

  // end removes an act after its response has arrived or the user has read its result.
  function end(id) {
    if (!id) return;
    write(read().filter((act) => act.id !== id));
    render();
  }

  // lose marks an act as unanswered and asks for its result.
  function lose(id) {
    if (!id) return;
    change(id, { state: "lost" });
    render();
    settle();
  }

  // open reports whether this page has to ask about an act. It does not have to while another page of this browser may still be waiting for
  // the response.
  function open(act) {
    if (putOff.has(act.id)) return false;
    if (act.state === "lost") return true;
    const ago = Date.now() - act.sent;
    return act.state === "sent" && (act.left || act.page !== page && (ago > underWay || ago < 0));
  }

  // settle asks for the results of all open acts, and reports whether the server responded.
  function settle() {
    return asking ||= ask().finally(() => { asking = null; });
  }

  async function ask() {
    clearTimeout(timer);
    for (let act = read().find(open); act; act = read().find(open)) {
      if (act.state === "sent") {
        change(act.id, { state: "lost" });
        render();
      }
      const told = await became(act);
      if (!told) {
        timer = setTimeout(settle, pause);
        return false;
      }
      if (told.state === "sign-in" || told.state === "other") {
        putOff.add(act.id);
        change(act.id, { state: "lost", text: told.text });
        continue;
      }
      change(act.id, told);
      const sent = new URLSearchParams(act.body);
      for (const field of document.querySelectorAll("main [name=once]")) {
        if (field.value !== sent.get("once")) continue;
        if (told.state === "not") field.value = told.again;
        else if (told.state === "done" && unchanged(field.form, sent)) field.form.reset();
      }
      for (const band of document.querySelectorAll("[data-unanswered]")) band.remove();
      document.dispatchEvent(new Event("routecard:settled"));
    }
    render();
    return true;
  }

  // unchanged reports whether a form still has the input that was sent.
  function unchanged(form, sent) {
    return [...new FormData(form)].every(([name, value]) => sent.getAll(name).includes(value));
  }

  // became returns what the server says about an act, or null if the server does not respond.
  async function became(act) {
    const query = new URLSearchParams({ of: act.of, ago: Date.now() - act.sent });
    try {
      const response = await fetch("/acts?" + query, {
        method: "POST", body: new URLSearchParams(act.body), headers: { Accept: "application/json" }, signal: AbortSignal.timeout(20000),
      });
      return response.status === 200 ? await response.json() : null;
    } catch {
      return null;
    }
  }

  // settled waits until the server has said what became of an act, if the same form is sent again meanwhile. If the act was not carried out,
  // its key is void, so the form gets the next one.
  async function settled(of, body) {
    const text = String(body);
    const before = read().find((act) => act.state === "lost" && act.of === of && act.body === text);
    if (!before || !await settle()) return;
    const now = read().find((act) => act.id === before.id);
    if (now?.state !== "not") return;
    body.set("once", now.again);
    end(now.id);
  }

  // doubted lists the units that such acts have changed. They are listed until the user closes the message.
  function doubted() {
    return [...new Set(read().filter((act) => ["done", "part"].includes(act.state) && act.unit).map((act) => act.unit))];
  }

  // cleared closes the messages about a unit, because the user has seen the result of the next act on that unit.
  function cleared(unit) {
    write(read().filter((act) => !(["done", "part"].includes(act.state) && act.unit === unit)));
    render();
  }

  // again sends an act once more after its button was pressed.
  function again(act) {
    const body = new URLSearchParams(act.body);
    body.set("once", act.again);
    end(act.id);
    const station = act.of === "/scan" && document.getElementById("station");
    if (station) {
      document.dispatchEvent(new CustomEvent("routecard:again", { detail: { body, what: act.what } }));
      return;
    }
    const form = document.createElement("form");
    form.method = "post";
    form.action = act.of;
    form.hidden = true;
    form.dataset.what = act.what;
    for (const [name, value] of body) {
      const field = document.createElement("input");
      [field.type, field.name, field.value] = ["hidden", name, value];
      form.append(field);
    }
    document.querySelector("main").append(form);
    if (act.of === "/scan") form.submit();
    else {
      htmx.process(form);
      form.requestSubmit();
    }
  }

  // ---- the results of acts, above the content until the user closes them
  let shown = "";
  function render() {
    const main = document.querySelector("main");
    if (!main) return;
    const told = read().filter((act) => act.state !== "sent");
    let root = document.getElementById("acts");
    if (root && shown === JSON.stringify(told)) return;
    shown = JSON.stringify(told);
    if (!root && !told.length) return;
    if (!root) {
      root = document.createElement("section");
      root.id = "acts";
      root.setAttribute("aria-label", T("What became of what was sent"));
    }
    root.replaceChildren(...told.map(band));
    if (!root.isConnected) main.prepend(root);
  }

  function band(act) {
    const band = document.createElement("div");
    band.className = "act " + act.state;
    band.setAttribute("role", act.state === "done" ? "status" : "alert");
    const text = document.createElement("p");
    const what = document.createElement("b");
    what.textContent = act.what;
    const at = new Date(act.sent).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    text.append(what, ": ", act.text || T("sent at {time}. It is not known yet whether it was done: this page asks until the server answers.", { time: at }));
    band.append(text);
    if (act.again) band.append(button(T("Send again"), "again", act.id));
    if (act.state !== "lost") band.append(button("OK", "end", act.id));
    return band;
  }

  function button(text, does, id) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.dataset.act = does;
    button.dataset.id = id;
    return button;
  }

  // Closing a message moves the content below it under the pointer. So the second half of a double press is ignored.
  let pressed = { at: -Infinity, x: 0, y: 0 };
  document.addEventListener("click", (event) => {
    if (event.timeStamp - pressed.at < 500 && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 30) {
      event.preventDefault();
      event.stopImmediatePropagation();
      document.dispatchEvent(new Event("routecard:settled"));
      return;
    }
    const button = event.target.closest("[data-act]");
    const act = button && read().find((one) => one.id === button.dataset.id);
    if (!act) return;
    pressed = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    if (button.dataset.act === "again") again(act);
    else end(act.id);
    document.dispatchEvent(new Event("routecard:settled"));
  }, true);

  // ---- forms: htmx sends them through this fetch
  document.addEventListener("htmx:before:request", (event) => {
    const ctx = event.detail.ctx, form = ctx.sourceElement.closest?.("form[method=post]");
    if (!form || !(ctx.request.body instanceof URLSearchParams)) return;
    const send = ctx.fetch, of = new URL(ctx.request.action, location.href).pathname, what = whatOf(form, ctx.request.submitter);
    ctx.fetch = async (...request) => {
      await settled(of, ctx.request.body);
      const id = begin(of, ctx.request.body, what);
      try {
        const response = await send(...request);
        if (response.status < 500) response.clone().text().then(() => end(id), () => lose(id));
        else lose(id);
        return response;
      } catch (error) {
        lose(id);
        throw error;
      }
    };
  });

  // whatOf describes a form: its page, its button, and its unit or the number of its units.
  function whatOf(form, submitter) {
    if (form.dataset.what) return form.dataset.what;
    const button = submitter || form.querySelector("button:not([type=button])");
    const units = [...form.querySelectorAll("[name=serial]:checked,[name=serial][type=hidden]")];
    const about = units.length === 1 ? " (" + units[0].value + ")" : units.length ? " (" + units.length + " units)" : "";
    const words = (part) => part?.innerText.trim().replace(/\s+/g, " ") || "";
    return words(document.querySelector("h1")) + ", “" + words(button) + "”" + about;
  }

  addEventListener("pagehide", () => {
    write(read().map((act) => act.page === page && act.state === "sent" ? { ...act, left: true } : act));
  });
  document.addEventListener("routecard:arrived", () => {
    render();
    settle();
  });
  addEventListener("storage", (event) => {
    if (event.key === store) render(); // caused by another page of this browser
  });

  return { begin, end, lose, settle, doubted, cleared, random };
})();
