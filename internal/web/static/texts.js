// Translates the texts of scripts into the language of the page. T returns a text with arguments in place of its placeholders: T("Open
// {name}", { name: unit }). TN takes a count, a text for one and a text for more: TN(units, "{n} unit", "{n} units"). TNodes is T with
// elements as arguments: it returns a list for append. A text without a translation stays English.
"use strict";

const TEXTS = {};
let chosenForm = (n) => Number(n !== 1); // selects the text for a count, by index

function T(text, places = {}) {
  return fillPlaces(TEXTS[text] ?? withoutContext(text), places);
}

function TN(count, one, many, places = {}) {
  const texts = TEXTS[one] ?? [one, many].map(withoutContext);
  return fillPlaces(texts[TEXTS[one] ? chosenForm(count) : Number(count !== 1)], { n: count, ...places });
}

function TNodes(text, places) {
  return (TEXTS[text] ?? withoutContext(text)).split(/\{(\w+)\}/).map((part, i) => i % 2 ? places[part] : part);
}

function withoutContext(text) {
  return text.slice(text.indexOf("|") + 1);
}

function fillPlaces(text, places) {
  return text.replace(/\{(\w+)\}/g, (place, name) => Object.hasOwn(places, name) ? String(places[name]) : place);
}
