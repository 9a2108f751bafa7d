// Uses the device's camera as a scanner. station.js loads this file when the camera is first opened, receives each code that is read, and
// sends it like a code from a scanner. Pictures do not leave the device.

const kinds = ["qr_code", "data_matrix", "code_128"];
const outOfSight = 1500; // milliseconds after which a code that is out of sight can be read again
const betweenLooks = 100; // milliseconds between two pictures
const mostPixels = 960; // maximum side of the square in which codes are read, in pixels

let stop = null; // stops the running camera; null when none is open

// open shows the camera's picture in an element of the template "camera". It calls read with each code until close is called.
export async function open(root, read) {
  close();
  say(root, "");
  if (!isSecureContext) return say(root, "insecure");
  if (!navigator.mediaDevices?.getUserMedia) return say(root, "unsupported");
  const video = part(root, "video"), light = part(root, "light"), screen = part(root, "screen"), button = part(root, "open");
  let tracks = [], reader = null;
  const end = stop = () => {
    for (const track of tracks) track.stop();
    reader?.close();
    video.srcObject = null;
    screen.hidden = true;
    light.hidden = true;
    button.hidden = false;
    delete root.dataset.running;
    stop = null;
  };
  root.dataset.running = "";
  button.hidden = true;
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
  } catch (error) {
    if (stop !== end) return;
    end();
    return say(root, { NotAllowedError: "refused", NotFoundError: "missing", OverconstrainedError: "missing" }[error.name] || "busy");
  }
  tracks = stream.getTracks();
  if (stop !== end || !root.isConnected) { // closed, or the page left, while the browser asked for permission
    for (const track of tracks) track.stop();
    if (stop === end) end();
    return;
  }
  const [track] = tracks;
  track.addEventListener("ended", () => { if (stop === end) { end(); say(root, "ended"); } });
  light.hidden = !track.getCapabilities?.().torch;
  light.setAttribute("aria-pressed", "false");
  light.onclick = async () => {
    const on = light.getAttribute("aria-pressed") !== "true";
    await track.applyConstraints({ advanced: [{ torch: on }] }).catch(() => { light.hidden = true; });
    light.setAttribute("aria-pressed", String(on));
  };
  screen.hidden = false;
  video.srcObject = stream;
  try {
    await video.play();
    const found = await ofBrowser();
    if (stop !== end) return;
    reader = found || ofProgram(root);
  } catch {
    if (stop === end) { end(); say(root, "busy"); }
    return;
  }
  part(root, "close").focus({ preventScroll: true });
  say(root, "reading");
  const judge = sight();
  const canvas = document.createElement("canvas");
  while (stop === end) {
    if (!root.isConnected) return end();
    if (look(video, canvas)) {
      let codes;
      try {
        codes = await reader.read(canvas);
      } catch {
        if (stop !== end) return;
        if (reader.thread) { end(); return say(root, "unloaded"); }
        reader = ofProgram(root); // the browser's reader does not work
        continue;
      }
      if (stop !== end) return;
      const { several, code } = judge(codes, performance.now());
      say(root, several ? "several" : "reading");
      root.dataset.looks = Number(root.dataset.looks || 0) + 1;
      if (code) read(code);
    }
    await new Promise((go) => { setTimeout(go, betweenLooks); });
  }
}

// close stops the camera, so that its light goes out. If no camera is open, it does nothing.
export function close() {
  stop?.();
}

// A hidden page stops its camera.
document.addEventListener("visibilitychange", () => {
  const root = document.querySelector("[data-camera-into][data-running]");
  if (!document.hidden || !root) return;
  close();
  say(root, "ended");
});

function part(root, name) { return root.querySelector("[data-camera=" + name + "]"); }

// say shows one sentence of the template and hides the others.
function say(root, name) {
  for (const sentence of root.querySelectorAll("[data-says]")) {
    if (sentence.hidden !== (sentence.dataset.says !== name)) sentence.hidden = !sentence.hidden;
  }
}

// look draws the square in the middle of the camera's picture. The page shows only this part, and nothing outside it is read.
function look(video, canvas) {
  const seen = Math.min(video.videoWidth, video.videoHeight);
  if (!seen) return false;
  canvas.width = canvas.height = Math.min(seen, mostPixels);
  canvas.getContext("2d", { willReadFrequently: true }).drawImage(
    video, (video.videoWidth - seen) / 2, (video.videoHeight - seen) / 2, seen, seen, 0, 0, canvas.width, canvas.height);
  return true;
}

// sight returns a function that decides which code counts as read. Its arguments are the codes in one picture and the time in milliseconds.
// It returns:
//
//   - none while different codes are in sight, because it is unclear which one is meant
//   - each code once, until it has been out of sight for a moment
//   - a bar code, whose check is weak, only when two successive pictures show it
export function sight() {
  const read = new Map(); // the codes that were read, each with the time since which it is out of sight; 0 while in sight
  let before = "";
  return (codes, now) => {
    const texts = new Set(codes.map((code) => code.text).filter(Boolean));
    for (const [text, since] of read) {
      if (since && now - since > outOfSight) read.delete(text);
      else read.set(text, texts.has(text) ? 0 : since || now);
    }
    const last = before;
    before = "";
    if (texts.size !== 1) return { several: texts.size > 1 };
    const [text] = texts;
    before = text;
    if (read.has(text) || last !== text && codes.every((code) => code.bars)) return {};
    read.set(text, 0);
    return { code: text };
  };
}

// ofBrowser returns the browser's reader. It returns null if there is none or if it does not support all kinds of codes.
async function ofBrowser() {
  if (!("BarcodeDetector" in window)) return null;
  const known = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!kinds.every((kind) => known.includes(kind))) return null;
  const detector = new BarcodeDetector({ formats: kinds });
  return {
    read: async (canvas) => (await detector.detect(canvas)).map(({ rawValue, format }) => ({ text: rawValue, bars: format === "code_128" })),
    close() {},
  };
}

// ofProgram returns Routecard's reader, which runs in a worker.
function ofProgram(root) {
  const { worker, library, wasm } = root.dataset;
  const thread = new Worker(worker);
  return {
    thread,
    read: (canvas) => new Promise((done, failed) => {
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      thread.onmessage = (event) => (event.data.codes ? done(event.data.codes) : failed(new Error(event.data.failed)));
      thread.onerror = failed;
      thread.postMessage({ library, wasm, pixels: data.buffer, width, height }, [data.buffer]);
    }),
    close() { thread.terminate(); },
  };
}
