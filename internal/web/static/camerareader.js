// Reads the codes in a picture for camera.js, where the browser itself cannot. It is a worker, so that the content security policy
// of this file alone allows WebAssembly; that of no page does (assets.go).
"use strict";

let library = null; // settles when the library can read

onmessage = async ({ data }) => {
  try {
    library ||= load(data.library, data.wasm);
    await library;
    const found = await ZXingWASM.readBarcodes(new ImageData(new Uint8ClampedArray(data.pixels), data.width, data.height), {
      formats: ["QRCode", "DataMatrix", "Code128"], textMode: "Plain", maxNumberOfSymbols: 8,
    });
    postMessage({ codes: found.map(({ text, symbology }) => ({ text, bars: symbology === "Code128" })) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};

function load(script, wasm) {
  importScripts(script);
  return ZXingWASM.prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true });
}
