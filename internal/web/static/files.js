// Attaches files that are photographed, chosen, dragged or pasted. Photos are scaled down here, which also rotates them upright and removes
// the camera's metadata, such as the position. Without this file pages only show the attached files.
"use strict";

{
  const longest = 2560; // pixels of the longer side of a photo

  const unreadable = () => T("This picture cannot be read here, so that its position cannot be taken out. Attach it as another kind of file to keep it as it is.");

  // shrink redraws a photo, which removes its metadata, such as the position.
  async function shrink(file) {
    if (file.type && !file.type.startsWith("image/")) throw new Error(T("This is no picture. Choose another kind to attach it."));
    let picture;
    try {
      picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    } catch {
      throw new Error(unreadable());
    }
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const type = file.type === "image/png" ? "image/png" : "image/jpeg";
    const made = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.85));
    if (!made) throw new Error(unreadable());
    return made;
  }

  // nameOf returns a file name that the service accepts: the last part of a path, without invisible characters.
  function nameOf(file, blob) {
    let name = (file.name || "picture").split(/[\\/]/).pop().replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim() || "picture";
    if (blob.type === "image/jpeg" && !/\.jpe?g$/i.test(name)) name = name.replace(/\.[a-z0-9]{2,4}$/i, "") + ".jpg";
    return name.slice(-200);
  }

  function upload(blob, progress) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", "/api/files");
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) progress(Math.floor(100 * event.loaded / event.total));
      });
      request.addEventListener("load", () => {
        let answer = {};
        try { answer = JSON.parse(request.responseText); } catch { /* reported below */ }
        if (request.status === 201) resolve(answer);
        else reject(Object.assign(new Error(answer.message || T("The server could not do it just now.")), { again: request.status >= 500 }));
      });
      for (const ended of ["error", "timeout", "abort"]) {
        request.addEventListener(ended, () => reject(Object.assign(new Error(T("The connection was lost.")), { again: true })));
      }
      request.send(blob);
    });
  }

  async function attach(box, blob, item) {
    const file = await upload(blob, (percent) => tell(item, item.dataset.name + ": " + percent + " %"));
    tell(item, T("{name}: attaching", { name: item.dataset.name }));
    const body = { sha256: file.sha256, name: item.dataset.name, kind: item.dataset.kind };
    if (box.dataset.user) body.userId = box.dataset.user;
    let response;
    try {
      response = await fetch(box.dataset.attach + "/files", {
        method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": item.dataset.key }, body: JSON.stringify(body),
      });
    } catch {
      throw Object.assign(new Error(T("The connection was lost.")), { again: true });
    }
    if (!response.ok) {
      const answer = await response.json().catch(() => ({}));
      throw Object.assign(new Error(answer.message || T("The server could not do it just now.")), { again: response.status >= 500 });
    }
  }

  function tell(item, text) { item.querySelector("span").textContent = text; }

  // add attaches one file. If the connection is lost, it offers to repeat the upload with the same key, so that the file is attached once.
  async function add(box, file) {
    const kind = box.querySelector("[name=kind]").value;
    const item = document.createElement("li");
    item.append(document.createElement("span"));
    box.querySelector("ul").append(item);
    item.dataset.kind = kind;
    item.dataset.key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
    tell(item, file.name || "picture");
    let blob = file;
    try {
      if (kind === "photo") blob = await shrink(file);
      const most = Number(box.dataset.most); // 0 where files are not stored; the server says so
      if (most && blob.size > most) throw new Error(T("A file may have at most {size}.", { size: box.dataset.mostWords }));
    } catch (error) {
      item.className = "bad";
      tell(item, (file.name || "picture") + ": " + error.message);
      return;
    }
    item.dataset.name = nameOf(file, blob);
    const go = async () => {
      item.className = "";
      item.querySelector("button")?.remove();
      try {
        await attach(box, blob, item);
        tell(item, T("{name}: attached", { name: item.dataset.name }));
        item.className = "good";
      } catch (error) {
        item.className = "bad";
        tell(item, item.dataset.name + ": " + error.message);
        if (!error.again) return;
        const again = document.createElement("button");
        again.type = "button";
        again.textContent = T("Try again");
        again.addEventListener("click", go);
        item.append(again);
      }
    };
    await go();
  }

  // chosen uploads the file for a field of a form, and fills in its digest.
  async function chosen(field) {
    const [file] = field.querySelector("[type=file]").files;
    const status = field.querySelector("[role=status]");
    if (!file) return;
    try {
      const { sha256 } = await upload(file, (percent) => { status.textContent = percent + " %"; });
      field.closest("form").elements[field.dataset.upload].value = sha256;
      status.textContent = T("Uploaded. Save to use it.");
    } catch (error) {
      status.textContent = error.message;
    }
  }

  const boxAt = (target) => target.closest?.("[data-attach]");
  const all = (box, files) => { for (const file of files) add(box, file); };

  document.addEventListener("change", (event) => {
    const field = event.target.type === "file" && event.target.closest("[data-upload]");
    if (field) { chosen(field); return; }
    const box = event.target.type === "file" && boxAt(event.target);
    if (!box) return;
    if (event.target.hasAttribute("capture")) box.querySelector("[name=kind]").value = "photo";
    all(box, [...event.target.files]);
    event.target.value = "";
  });
  document.addEventListener("dragover", (event) => {
    if (boxAt(event.target) && event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const box = boxAt(event.target);
    if (!box || !event.dataTransfer.files.length) return;
    event.preventDefault();
    all(box, [...event.dataTransfer.files]);
  });
  document.addEventListener("paste", (event) => {
    const box = document.querySelector("[data-attach]");
    if (!box || !event.clipboardData?.files.length) return;
    event.preventDefault();
    all(box, [...event.clipboardData.files]);
  });
}
