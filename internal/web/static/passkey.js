// Registers passkeys, and uses them to sign in and to sign. Without this file people use passwords and codes.
"use strict";

{
  const json = { "Content-Type": "application/json" };

  async function post(path, body) {
    const response = await fetch(path, { method: "POST", headers: json, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }

  const asked = (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey) });
  const next = (button) => { location.href = button.dataset.next || location.pathname; };

  // The attribute data-passkey of a button states its action.
  const deeds = {
    async "sign-in"(button) {
      const options = await post("/api/sign-in/passkey/options", {});
      await post("/api/sign-in/passkey", { passkey: (await asked(options)).toJSON() });
      next(button);
    },
    async second(button) {
      const options = await post("/api/sign-in/second/options", {});
      await post("/api/sign-in/second", { passkey: (await asked(options)).toJSON() });
      next(button);
    },
    async register(button) {
      const field = (name) => button.closest("[data-passkey-part]").querySelector(`[name=${name}]`);
      for (const input of button.closest("[data-passkey-part]").querySelectorAll("input")) if (!input.reportValidity()) return;
      const options = await post("/api/me/passkeys/options", { password: field("password")?.value, pin: field("pin")?.value });
      const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey) });
      await post("/api/me/passkeys", { name: field("name").value, passkey: made.toJSON() });
      next(button);
    },
    // The passkey's response replaces the password in the form.
    async sign(button) {
      const form = button.form, who = button.dataset.who;
      const options = await post("/api/signatures/options", {
        meaning: form.elements[who + "-meaning"].value, operation: form.elements.sign.value, target: new URL(form.action).pathname,
        bodySha256: form.elements["sign-shown"].value,
      });
      form.elements[who + "-passkey"].value = JSON.stringify((await asked(options)).toJSON());
      form.elements[who + "-secret"].required = false;
      form.elements[who + "-secret"].disabled = true;
      button.textContent = T("Signed with a passkey");
      button.disabled = true;
    },
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-passkey]");
    if (!button) return;
    const told = button.closest("[data-passkey-part]").querySelector("[data-passkey-problem]");
    told.hidden = true;
    try {
      if (location.origin !== button.dataset.origin) throw new Error(T("Passkeys work at {address} only.", { address: button.dataset.origin }));
      await deeds[button.dataset.passkey](button);
    } catch (failure) {
      told.textContent = failure.name === "NotAllowedError" ? T("Nothing was done: the passkey was not given.") : failure.message;
      told.hidden = false;
    }
  });

  // The buttons are shown if the browser supports passkeys.
  function offer() {
    if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;
    for (const part of document.querySelectorAll("[data-passkey-part]")) part.hidden = false;
  }
  document.addEventListener("DOMContentLoaded", offer);
  document.addEventListener("routecard:arrived", offer);
}
