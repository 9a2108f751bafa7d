// Reads the codes in a picture for camera.js if the browser cannot. It is a worker, so that only the content security policy of this file
// allows WebAssembly, and that of no page does (site/assets.go).
"use strict";

let library = null; // resolves when the library is ready

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
