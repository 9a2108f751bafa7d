// The search in the page header and on its own page: results appear while the user types. Without this file Enter opens the page of
// results.
"use strict";

{
  let asked = null; // the request in progress
  let timer = 0;

  // searching returns the search form that contains an element.
  const searching = (element) => element.closest?.("form[action='/search']");
  const hitsOf = (form) => form.querySelector("[data-hits]") || document.querySelector("main [data-hits]");
  const below = (form) => form.id === "find"; // the results cover the page, and Escape closes them

  document.addEventListener("input", (event) => {
    const form = searching(event.target);
    if (!form) return;
    clearTimeout(timer);
    timer = setTimeout(() => look(form), 120);
  });

  async function look(form) {
    const text = form.elements.q.value.trim(), hits = hitsOf(form);
    asked?.abort();
    if (!text) return close(form);
    const asking = asked = new AbortController();
    try {
      const response = await fetch("/search?" + new URLSearchParams({ q: text }), {
        signal: asking.signal, headers: { "Routecard-Live": "1", Accept: "text/html" },
      });
      if (response.status === 401) return location.reload(); // signed out meanwhile
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (asked !== asking || !form.isConnected || form.elements.q.value.trim() !== text) return;
      hits.replaceChildren(...document.importNode(page.querySelector("main [data-hits]"), true).childNodes);
      htmx.process(hits);
      hits.hidden = false;
    } catch {
      // Enter shows the error.
    }
  }

  function close(form) {
    clearTimeout(timer);
    asked?.abort();
    const hits = hitsOf(form);
    hits.replaceChildren();
    hits.hidden = below(form);
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      const field = [...document.querySelectorAll("form[action='/search'] [name=q]")].find((one) => one.checkVisibility());
      if (!field && !document.querySelector(".find-page-link")) return;
      event.preventDefault();
      if (!field) { location.href = "/search"; return; }
      field.focus();
      field.select();
      return;
    }
    const hits = event.target.closest?.("[data-hits]");
    const form = searching(event.target) || hits && document.querySelector("main form[action='/search']");
    if (!form) return;
    const field = form.elements.q, links = [...hitsOf(form).querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && at < links.length - 1) links[at + 1].focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || field).focus();
    else if (event.key === "Escape" && below(form)) {
      close(form);
      field.focus();
    } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== " ") {
      field.focus(); // so that the key goes into the field
      return;
    } else return;
    event.preventDefault();
  });

  // When the focus leaves the search, the results are closed.
  document.addEventListener("focusout", (event) => {
    const form = searching(event.target);
    if (form && below(form) && event.relatedTarget && !form.contains(event.relatedTarget)) close(form);
  });
  document.addEventListener("click", (event) => {
    const form = document.getElementById("find");
    if (form && !form.contains(event.target)) close(form);
  });
}
