// Imports a file. The page keeps the chosen or dropped file between steps, remembers the assignment of columns in this browser, and shows
// progress. Without this file the form works, but the user chooses the file again in each step.
"use strict";

{
  const formAt = (target) => target.closest?.("form[data-import]");
  const storeOf = (form) => "import:" + form.dataset.import;
  const featuresOf = (form) => "features:" + form.dataset.import;

  function known(store, none) {
    try {
      return JSON.parse(localStorage.getItem(store)) || none;
    } catch {
      return none; // there is no storage, or it contains other data
    }
  }

  function keep(store, what) {
    try { localStorage.setItem(store, JSON.stringify(what)); } catch { /* not remembered */ }
  }

  // pairs returns the pairs of fields that concern this file, by the value of the first field.
  function pairs(form, name, is) {
    const all = {};
    const names = form.querySelectorAll(`[name=${name}]`), said = form.querySelectorAll(`[name=${is}]`);
    names.forEach((each, i) => { if (each.value && !each.disabled && said[i].value !== "?") all[each.value] = said[i].value; });
    return all;
  }

  // remember stores the assignment of the file's columns and features for the next file, and puts all stored assignments into the form.
  // Features are stored for each set of features, because the same name means something else on another drawing.
  function remember(form) {
    const columns = Object.fromEntries(Object.entries({...known(storeOf(form), {}), ...pairs(form, "column", "is")}).slice(-500));
    keep(storeOf(form), columns);
    form.querySelector("[name=known]").value = JSON.stringify(columns);
    const field = form.querySelector("[name=knownFeatures]");
    if (!field) return;
    const features = pairs(form, "feature", "balloon");
    const stored = known(featuresOf(form), []);
    const files = Array.isArray(stored) ? stored : [];
    const names = (of) => JSON.stringify(Object.keys(of).sort());
    const others = files.filter((of) => names(of) !== names(features));
    const kept = Object.keys(features).length ? [...others, features] : files;
    while (JSON.stringify(kept).length > 20000) kept.shift();
    keep(featuresOf(form), kept);
    field.value = JSON.stringify(kept);
  }

  function tell(form, text) {
    const told = form.querySelector(".progress-told");
    told.hidden = !text;
    told.textContent = text;
  }

  // send posts the form. It shows how much was sent and how many rows were processed.
  function send(form, data, kind, sent) {
    const key = data.get("once");
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.responseType = kind;
      request.setRequestHeader("Accept", "text/html");
      const ask = setInterval(async () => {
        const answer = await fetch("/progress/" + encodeURIComponent(key)).catch(() => null);
        if (answer?.status === 200) sent(await answer.text());
      }, 1000);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) sent(T("{percent} % sent", { percent: Math.floor(100 * event.loaded / event.total) }));
      });
      request.addEventListener("loadend", () => {
        clearInterval(ask);
        if (request.status) resolve(request); else reject(new Error(T("The connection was lost.")));
      });
      request.send(data);
    });
  }

  // show replaces the page's content by the response, and puts the files into the new form.
  function show(request, files) {
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const fresh = page.querySelector("main");
    if (!fresh) throw new Error(T("The server could not do it just now."));
    const main = document.importNode(fresh, true);
    document.querySelector("main").replaceWith(main);
    htmx.process(main);
    const form = main.querySelector("form[data-import]");
    if (form && files.length && !main.querySelector(".done")) hold(form, files);
    const told = main.querySelector(".problem, .done, [data-result]");
    if (told) {
      told.tabIndex = -1;
      told.focus();
    }
  }

  function hold(form, files) {
    const holder = new DataTransfer(), field = form.querySelector("[name=file]");
    for (const file of field.multiple ? files : [files[0]]) holder.items.add(file);
    field.files = holder.files;
  }

  function download(request, file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(request.response);
    link.download = file.name.replace(/(\.[^.]*)?$/, "-errors.csv");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  async function go(form, button) {
    if (form.dataset.sending) return;
    const files = [...form.querySelector("[name=file]").files];
    remember(form);
    const data = new FormData(form, button);
    const downloads = button.hasAttribute("data-download");
    form.dataset.sending = "yes";
    for (const each of form.querySelectorAll("button")) each.disabled = true;
    form.setAttribute("aria-busy", "true");
    form.querySelector("[data-unanswered]")?.remove();
    tell(form, T("Sending"));
    try {
      const request = await send(form, data, downloads ? "blob" : "text", (text) => tell(form, text));
      if (downloads) {
        if (request.status !== 200 || !request.getResponseHeader("Content-Disposition")) throw new Error(T("The server could not do it just now."));
        download(request, files[0]);
        tell(form, "");
      } else {
        show(request, files);
      }
    } catch (error) {
      tell(form, "");
      unanswered(form, error.message);
    }
    delete form.dataset.sending;
    form.removeAttribute("aria-busy");
    for (const each of form.querySelectorAll("button")) each.disabled = false;
  }

  document.addEventListener("submit", (event) => {
    const form = formAt(event.target);
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    go(form, event.submitter || form.querySelector("[value=look]"));
  });

  // A chosen or dropped file is previewed immediately if the form is complete, including the operator.
  function chosen(form) {
    // These fields describe the previous file.
    for (const old of form.querySelectorAll("[name=column], [name=is], [name=feature], [name=balloon]")) old.disabled = true;
    if (form.reportValidity()) form.requestSubmit(form.querySelector("[value=look]"));
  }
  document.addEventListener("change", (event) => {
    const form = event.target.name === "file" && formAt(event.target);
    if (form && event.target.files.length) chosen(form);
  });
  document.addEventListener("dragover", (event) => {
    if (formAt(event.target) && event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const form = formAt(event.target);
    if (!form || !event.dataTransfer.files.length) return;
    event.preventDefault();
    hold(form, event.dataTransfer.files);
    chosen(form);
  });
}
