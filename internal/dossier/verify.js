"use strict";
// The same checks as `routecard verify`: the bag, the signature of the log's key, each entry in the ledger, the files, and what follows from
// the entries. Sections: hashes, signatures, the ledger, the archive, what follows from the entries, the verification, the page.

// Texts -------------------------------------------------------------------------------------------------------------------------------

// TEXTS has the translations of the texts. What Go inserts at the end of the script fills it; without that the page is in English.
const TEXTS = {};
let chosenForm; // a part of what Go inserts

// T returns a text with arguments in place of its placeholders. Invisible characters isolate names in right-to-left scripts.
function T(text, places = {}) {
  const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  return (TEXTS[text] ?? text.slice(text.indexOf("|") + 1)).replace(/\{(\w+)\}/g, (place, name) => {
    const value = String(places[name] ?? place);
    return document.dir === "rtl" || rightToLeft.test(value) ? "\u2068" + value + "\u2069" : value;
  });
}

// Hashes ------------------------------------------------------------------------------------------------------------------------------

const utf8 = new TextEncoder();
// strictText decodes UTF-8, and throws an error for bytes that are no UTF-8.
const strictText = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// fractions returns the first bits of the fractional parts of the roots of the first primes: the constants of SHA-2.
function fractions(count, bits, power) {
  const found = [];
  for (let n = 2n; found.length < count; n++) {
    let prime = true;
    for (let d = 2n; d * d <= n; d++) {
      if (n % d === 0n) prime = false;
    }
    if (!prime) continue;
    const scaled = n << (BigInt(bits) * power);
    let low = 0n, high = 1n << (BigInt(bits) + 8n);
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** power <= scaled) low = middle;
      else high = middle;
    }
    found.push(BigInt.asUintN(bits, low));
  }
  return found;
}

const sha256Constants = Uint32Array.from(fractions(64, 32, 3n), Number);
const sha256Start = Uint32Array.from(fractions(8, 32, 2n), Number);

class SHA256 {
  constructor() {
    this.state = sha256Start.slice();
    this.words = new Uint32Array(64);
    this.block = new Uint8Array(64);
    this.used = 0;
    this.length = 0;
  }

  add(bytes) {
    this.length += bytes.length;
    let at = 0;
    if (this.used > 0) {
      at = Math.min(64 - this.used, bytes.length);
      this.block.set(bytes.subarray(0, at), this.used);
      this.used += at;
      if (this.used < 64) return this;
      this.mix(this.block, 0);
      this.used = 0;
    }
    for (; at + 64 <= bytes.length; at += 64) this.mix(bytes, at);
    this.block.set(bytes.subarray(at));
    this.used = bytes.length - at;
    return this;
  }

  sum() {
    const end = new Uint8Array(this.used < 56 ? 64 : 128);
    end.set(this.block.subarray(0, this.used));
    end[this.used] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(this.length / 0x20000000));
    view.setUint32(end.length - 4, (this.length << 3) >>> 0);
    for (let at = 0; at < end.length; at += 64) this.mix(end, at);
    const sum = new Uint8Array(32);
    this.state.forEach((word, i) => new DataView(sum.buffer).setUint32(4 * i, word));
    return sum;
  }

  mix(bytes, at) {
    const w = this.words, s = this.state, k = sha256Constants;
    for (let i = 0; i < 16; i++, at += 4) {
      w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15], y = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
        (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = s;
    for (let i = 0; i < 64; i++) {
      const one = (h + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const two = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    s[0] += a; s[1] += b; s[2] += c; s[3] += d; s[4] += e; s[5] += f; s[6] += g; s[7] += h;
  }
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.add(part), new SHA256()).sum();

// sha512 is for short texts only: what a signature signs.
function sha512(bytes) {
  const constants = fractions(80, 64, 3n), state = fractions(8, 64, 2n);
  const cut = (n) => BigInt.asUintN(64, n), turn = (n, by) => cut((n >> by) | (n << (64n - by)));
  const padded = new Uint8Array(Math.ceil((bytes.length + 17) / 128) * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < padded.length; at += 128) {
    const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
    for (let i = 16; i < 80; i++) {
      const x = w[i - 15], y = w[i - 2];
      w[i] = cut(w[i - 16] + w[i - 7] + (turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n)) + (turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n)));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = cut(h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (cut(~e) & g)) + constants[i] + w[i]);
      const two = cut((turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c)));
      h = g; g = f; f = e; e = cut(d + one); d = c; c = b; b = a; a = cut(one + two);
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = cut(state[i] + word); });
  }
  const sum = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => sum.setBigUint64(8 * i, word));
  return new Uint8Array(sum.buffer);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let i = 0; i < 8; i++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(bytes, before) {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

// Signatures --------------------------------------------------------------------------------------------------------------------------

// ed25519 reports whether a signature is that of a message. It uses Web Crypto where the browser has the algorithm.
async function ed25519(key, message, signature) {
  if (signature.length !== 64) return false;
  try {
    const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
  } catch {
    return ed25519Own(key, message, signature);
  }
}

// ed25519Own is RFC 8032, section 5.1.7.
function ed25519Own(key, message, signature) {
  const p = 2n ** 255n - 19n, order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const mod = (n, by = p) => ((n % by) + by) % by;
  const power = (base, exponent) => {
    let result = 1n;
    for (base = mod(base); exponent > 0n; exponent >>= 1n, base = mod(base * base)) {
      if (exponent & 1n) result = mod(result * base);
    }
    return result;
  };
  const inverse = (n) => power(n, p - 2n);
  const d = mod(-121665n * inverse(121666n));
  const number = (bytes) => bytes.reduceRight((n, byte) => (n << 8n) | BigInt(byte), 0n);
  const add = ([x1, y1, z1, t1], [x2, y2, z2, t2]) => {
    const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2)), c = mod(2n * d * t1 * t2), e = mod(2n * z1 * z2);
    const f = b - a, g = e - c, h = e + c, i = b + a;
    return [mod(f * g), mod(h * i), mod(g * h), mod(f * i)];
  };
  const times = (n, point) => {
    let sum = [0n, 1n, 1n, 0n];
    for (; n > 0n; n >>= 1n, point = add(point, point)) {
      if (n & 1n) sum = add(sum, point);
    }
    return sum;
  };
  const point = (bytes) => {
    const all = number(bytes), sign = all >> 255n, y = all & (2n ** 255n - 1n);
    if (y >= p) return null;
    const square = mod((y * y - 1n) * inverse(d * y * y + 1n));
    let x = power(square, (p + 3n) / 8n);
    if (mod(x * x - square) !== 0n) x = mod(x * power(2n, (p - 1n) / 4n));
    if (mod(x * x - square) !== 0n || (x === 0n && sign === 1n)) return null;
    if ((x & 1n) !== sign) x = p - x;
    return [x, y, 1n, mod(x * y)];
  };
  const base = point(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66)));
  const a = point(key), s = number(signature.slice(32));
  if (a === null || s >= order) return false;
  const k = mod(number(sha512(joined(signature.slice(0, 32), key, message))), order);
  const minusA = [mod(-a[0]), a[1], a[2], mod(-a[3])];
  const [x, y, z] = add(times(s, base), times(k, minusA));
  const inverted = inverse(z), affineX = mod(x * inverted), affineY = mod(y * inverted);
  const encoded = affineY | ((affineX & 1n) << 255n);
  return equal(Uint8Array.from({ length: 32 }, (_, i) => Number((encoded >> BigInt(8 * i)) & 255n)), signature.slice(0, 32));
}

function base64(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (btoa(String.fromCharCode(...bytes)) !== text) throw new Error(T("{text} is not in base64", { text }));
  return bytes;
}

const keyHash = (name, key) => sha256(utf8.encode(name + "\n"), Uint8Array.of(1), key).slice(0, 4);

// readKeys reads verifier keys, one on each line.
function readKeys(typed) {
  const keys = [];
  for (const text of typed.split(/\s+/).filter(Boolean)) {
    try {
      const [, name, hash, data] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
      const bytes = base64(data);
      if (bytes.length !== 33 || bytes[0] !== 1 || hex(keyHash(name, bytes.slice(1))) !== hash) throw new Error();
      keys.push({ name, bytes: bytes.slice(1) });
    } catch {
      throw new Error(T("“{text}” is no verifier key", { text }));
    }
  }
  if (keys.length === 0) throw new Error(T("enter the verifier key of the shop, which must not come from the dossier"));
  return keys;
}

// firstOrigin returns the name of a log before its first restart.
function firstOrigin(origin) {
  const restarted = /^(.+)\/([0-9]{1,6})$/s.exec(origin);
  return restarted && restarted[2][0] !== "0" && restarted[2] !== "1" ? restarted[1] : origin;
}

// openNote checks that the log signed a note with one of the keys, and returns the text of the note.
async function openNote(bytes, origin, keys) {
  const note = strictText(bytes), split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n") || /[\u0000-\u0009\u000b-\u001f]/.test(note)) throw new Error(T("it is no signed note"));
  const named = keys.filter((key) => key.name === origin || firstOrigin(origin) === firstOrigin(key.name));
  if (named.length === 0) throw new Error(T("it is of the log “{origin}”, but the key is of another log", { origin }));
  const text = note.slice(0, split + 1), lines = note.slice(split + 2).split("\n").slice(0, -1);
  if (lines.length > 100) throw new Error(T("it has too many signatures"));
  let signed = false;
  for (const line of lines) {
    const parts = /^\u2014 ([^ +]+) ([^ ]+)$/.exec(line);
    if (!parts) throw new Error(T("a signature cannot be read"));
    const bytes = base64(parts[2]);
    if (bytes.length < 5) throw new Error(T("a signature cannot be read"));
    const key = named.find((one) => parts[1] === origin && equal(keyHash(origin, one.bytes), bytes.slice(0, 4)));
    if (!key) continue;
    if (!(await ed25519(key.bytes, utf8.encode(text), bytes.slice(4)))) throw new Error(T("the signature is wrong"));
    signed = true;
  }
  if (!signed) throw new Error(T("it is not signed by the key that was given"));
  return text;
}

// The ledger --------------------------------------------------------------------------------------------------------------------------

function readCheckpoint(text) {
  const lines = text.split("\n");
  const size = Number(lines[1]);
  if (lines.length < 4 || lines[0] === "" || lines.at(-1) !== "" || !Number.isSafeInteger(size) || size < 0 || String(size) !== lines[1]) {
    throw new Error(T("it is no checkpoint"));
  }
  const root = base64(lines[2]);
  if (root.length !== 32) throw new Error(T("it is no checkpoint"));
  return { origin: lines[0], size, root };
}

// canonical returns the form of RFC 8785.
function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return "{" + Object.keys(value).sort().map((name) => JSON.stringify(name) + ":" + canonical(value[name])).join(",") + "}";
}

// leafOf returns the leaf of an entry: its canonical form with the digest of its metadata.
function leafOf(entry) {
  const leaf = { ...entry };
  if (leaf.metadata !== undefined) {
    if (leaf.metadataSha256 !== undefined) throw new Error(T("it has metadata twice"));
    leaf.metadataSha256 = hex(sha256(utf8.encode(canonical(leaf.metadata))));
    delete leaf.metadata;
  }
  return utf8.encode(canonical(leaf));
}

const entryID = (index) => "aud_" + String(index + 1).padStart(16, "0");

// rootOf returns the root of the tree with a leaf and its proof (RFC 9162, section 2.1.3.2); null if the proof does not fit the place.
function rootOf(leaf, index, size, proof) {
  let from = index, last = size - 1, root = sha256(Uint8Array.of(0), leaf);
  const half = (n) => Math.floor(n / 2), node = (left, right) => sha256(Uint8Array.of(1), left, right);
  for (const hash of proof) {
    if (last === 0) return null;
    if (from % 2 === 1 || from === last) {
      root = node(hash, root);
      while (from % 2 === 0 && from !== 0) {
        from = half(from);
        last = half(last);
      }
    } else {
      root = node(root, hash);
    }
    from = half(from);
    last = half(last);
  }
  return last === 0 ? root : null;
}

// The archive -------------------------------------------------------------------------------------------------------------------------

const bytesOf = async (blob, from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer());
const piece = 4 << 20; // bytes that are read at a time

// little encodes numbers as pairs of a number and its width in bytes.
function little(...pairs) {
  const out = [];
  for (const [number, width] of pairs) {
    for (let i = 0, rest = number; i < width; i++, rest = Math.floor(rest / 256)) out.push(rest % 256);
  }
  return Uint8Array.from(out);
}

const many = 0xffffffff;
const stamp = [[0, 2], [33, 2]]; // 1 January 1980
const extra = little([0x5455, 2], [5, 2], [1, 1], [315532800, 4]);

function localHeader(name) {
  return joined(little([0x04034b50, 4], [20, 2], [8, 2], [0, 2], ...stamp, [0, 4], [0, 4], [0, 4], [name.length, 2], [extra.length, 2]), name, extra);
}

function descriptor(one) {
  const width = one.size >= many ? 8 : 4;
  return little([0x08074b50, 4], [one.crc, 4], [one.size, width], [one.size, width]);
}

function directory(one) {
  const large = one.size >= many, wide = large || one.offset >= many;
  const more = wide ? joined(extra, little([1, 2], [24, 2], [one.size, 8], [one.size, 8], [one.offset, 8])) : extra;
  const size = wide ? many : one.size;
  return joined(little([0x02014b50, 4], [20, 2], [large ? 45 : 20, 2], [8, 2], [0, 2], ...stamp, [one.crc, 4], [size, 4], [size, 4],
    [one.raw.length, 2], [more.length, 2], [0, 2], [0, 2], [0, 2], [0, 4], [Math.min(one.offset, many), 4]), one.raw, more);
}

function ending(count, size, offset) {
  const end = offset + size, wide = count >= 0xffff || size >= many || offset >= many;
  const head = !wide ? new Uint8Array() : joined(
    little([0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 4], [0, 4], [count, 8], [count, 8], [size, 8], [offset, 8]),
    little([0x07064b50, 4], [0, 4], [end, 8], [1, 4]));
  const [c, s, o] = wide ? [0xffff, many, many] : [count, size, offset];
  return joined(head, little([0x06054b50, 4], [0, 2], [0, 2], [c, 2], [c, 2], [s, 4], [o, 4], [0, 2]));
}

// membersOf lists the members of an archive by its directory. It throws an error for what is no archive.
async function membersOf(blob) {
  const tail = await bytesOf(blob, Math.max(0, blob.size - 98), blob.size), at = tail.length - 22;
  const view = new DataView(tail.buffer);
  if (at < 0 || view.getUint32(at, true) !== 0x06054b50) throw new Error(T("it is no archive"));
  let count = view.getUint16(at + 10, true), size = view.getUint32(at + 12, true), offset = view.getUint32(at + 16, true);
  if (at >= 76 && view.getUint32(at - 20, true) === 0x07064b50 && view.getUint32(at - 76, true) === 0x06064b50) {
    [count, size, offset] = [at - 44, at - 36, at - 28].map((place) => Number(view.getBigUint64(place, true)));
  }
  if (offset + size > blob.size) throw new Error(T("its directory is cut off"));
  const bytes = await bytesOf(blob, offset, offset + size), rows = new DataView(bytes.buffer), members = [];
  for (let place = 0; members.length < count;) {
    if (place + 46 > bytes.length || rows.getUint32(place, true) !== 0x02014b50) throw new Error(T("its directory is damaged"));
    const nameLength = rows.getUint16(place + 28, true), moreLength = rows.getUint16(place + 30, true);
    const next = place + 46 + nameLength + moreLength + rows.getUint16(place + 32, true);
    if (next > bytes.length) throw new Error(T("its directory is damaged"));
    const raw = bytes.slice(place + 46, place + 46 + nameLength);
    const member = { raw, size: rows.getUint32(place + 24, true), method: rows.getUint16(place + 10, true) };
    const wide = place + 46 + nameLength + extra.length;
    if (member.size === many && wide + 12 <= next && rows.getUint16(wide, true) === 1) member.size = Number(rows.getBigUint64(wide + 4, true));
    member.name = strictText(raw);
    members.push(member);
    place = next;
  }
  return { members, offset };
}

// readContent hands the bytes of a blob to take, piece by piece, and returns its size, SHA-256 and CRC.
async function readContent(blob, take) {
  const hash = new SHA256();
  let crc = 0;
  for (let at = 0; at < blob.size; at += piece) {
    const bytes = await bytesOf(blob, at, at + piece);
    hash.add(bytes);
    crc = crc32(bytes, crc);
    if (take) take(bytes);
  }
  return { size: blob.size, sha256: hex(hash.sum()), crc };
}

// What follows from the entries -------------------------------------------------------------------------------------------------------

const byNumber = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
const needed = ["component_installed", "component_removed", "record_voided", "measured", "file_attached", "record_signed"];
const hidden = (entry) => needed.includes(entry.action) && entry.metadata === undefined;

// json writes a value as the service does; members that are undefined are left out.
const json = (value) => JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => "\\u" + char.charCodeAt(0).toString(16)) + "\n";
const orNone = (value) => (value === "" || value === 0 || value === false || value === null ? undefined : value);

// reservedPrefixes begin codes other than identifiers of units.
const reservedPrefixes = ["AUD", "BASE", "BOM", "BOMV", "CALI", "CATT", "CERT", "CHAR", "CHSET", "COC", "COMP", "EXT", "FAI", "FLNK", "HOLD", "INST", "JOB", "LCERT", "LHOLD", "LLOC", "LOT", "MEAS", "NC", "NCR", "NOTE", "PATH", "PKY", "PLIB", "RC", "RCD", "RCERT", "RCPT", "REQS", "SHP", "SNSO", "SNSS", "STEP", "STN", "TMPL", "TOK", "USER"];

function serial(id) {
  const parts = /^([A-Z][0-9A-Z]{0,7})-(0[0-9]{4}|[0-9]{5}|[1-9][0-9]{5,17})$/.exec(id ?? "");
  return parts && Number(parts[2]) > 0 ? { prefix: parts[1], number: Number(parts[2]) } : null;
}

const unitLimit = 10000;

function unitsOf(about, entries) {
  const unit = serial(about);
  const found = new Set(unit && !reservedPrefixes.includes(unit.prefix) ? [about] : []);
  for (const entry of entries) {
    if (entry.serialId) found.add(entry.serialId);
    if (entry.action !== "serial_created" || !entry.metadata) continue;
    const { prefix, number: first } = serial(entry.metadata.firstSerialId) ?? {}, end = serial(entry.metadata.lastSerialId), last = end?.number;
    if (!first || !last || end.prefix !== prefix || first > last) continue;
    if (last - first >= 10 * unitLimit) throw new Error(T("{entry}: it created more units than a dossier can have", { entry: entry.id }));
    for (let number = first; number <= last; number++) found.add(prefix + "-" + String(number).padStart(5, "0"));
  }
  return found;
}

function asBuilt(among, entries) {
  const within = new Map();
  const leave = (unit, id) => within.set(unit, (within.get(unit) ?? []).filter((part) => part.componentId !== id));
  for (const entry of entries) {
    if (hidden(entry)) continue;
    const told = entry.metadata, unit = entry.serialId ?? "";
    if (entry.action === "component_installed") {
      within.set(unit, [...(within.get(unit) ?? []), {
        componentId: told.componentId, componentSerialId: orNone(told.componentSerialId), lotId: orNone(told.lotId), quantity: orNone(told.quantity),
        unit: orNone(told.unit), partType: orNone(told.partType), partSerialNumber: orNone(told.partSerialNumber), place: orNone(told.place),
        substituteReason: orNone(told.substituteReason), stepId: orNone(entry.stepId), pass: told.pass ?? 0, installedBy: entry.userId,
        installedAt: entry.timestamp, entryId: entry.id,
      }]);
    }
    if (entry.action === "component_removed") leave(unit, told.componentId);
    if (entry.action === "record_voided") leave(unit, told.recordId);
  }
  const insideAny = new Set();
  for (const [parent, parts] of within) {
    if (among.has(parent)) parts.forEach((part) => insideAny.add(part.componentSerialId));
  }
  const tree = (unit) => {
    const parts = within.get(unit) ?? [];
    within.delete(unit);
    return parts.map((part) => {
      const inside = part.componentSerialId ? tree(part.componentSerialId) : [];
      return inside.length > 0 ? { ...part, components: inside } : part;
    });
  };
  const units = [...among].sort(byNumber).filter((id) => !insideAny.has(id)).map((serialId) => ({ serialId, components: tree(serialId) }));
  const incomplete = entries.filter(hidden).map((entry) => entry.id);
  return json({ units, incomplete: incomplete.length > 0 ? incomplete : undefined });
}

// signedBy returns the entries that a signature signs.
function signedBy(about, at) {
  const before = about.slice(0, at).filter((entry) => entry.action !== "record_signed");
  const count = about[at].metadata.entries ?? 0;
  return count > 0 ? before.slice(-count) : [];
}

function bySerial(entries) {
  const about = new Map();
  for (const entry of entries) {
    const serialId = entry.serialId ?? "";
    if (!about.has(serialId)) about.set(serialId, []);
    about.get(serialId).push(entry);
  }
  return about;
}

function signatures(entries) {
  const found = [];
  for (const [serialId, all] of bySerial(entries)) {
    const about = all.filter((entry) => entry.action !== "record_signed" || !hidden(entry));
    about.forEach((entry, at) => {
      if (entry.action !== "record_signed") return;
      const told = entry.metadata;
      found.push({
        id: entry.id, serialId: orNone(serialId), operation: told.operation, meaning: told.meaning, login: told.login, printedName: told.printedName,
        method: told.method, signedAt: told.signedAt, entries: told.entries, sha256: told.sha256,
        entryIds: signedBy(about, at).map((one) => one.id),
      });
    });
  }
  return json(found.sort((a, b) => byNumber(a.id, b.id)));
}

function voidings(entries) {
  const found = new Map();
  for (const entry of entries) {
    if (entry.action === "record_voided" && !hidden(entry)) {
      found.set(entry.metadata.recordId, { voidedAt: entry.timestamp, voidedBy: entry.userId, voidReason: entry.metadata.reason });
    }
  }
  return found;
}

// harmless writes an apostrophe before what a spreadsheet would take for a formula.
function harmless(text) {
  let out = "", begins = true;
  for (const char of text) {
    if (begins && "=+@\t\r\uff1d\uff0b\uff0d\uff20\u2212-".includes(char)) out += "'";
    out += char;
    begins = ";|\t\r\n".includes(char) || (begins && " \"'\u00a0\u3000\ufeff".includes(char));
  }
  return out;
}

function csvRow(cells) {
  return cells.map((cell) => {
    const text = harmless(String(cell ?? ""));
    return text === "\\." || /[",\r\n]/.test(text) || /^[\s\u0085]/.test(text) && !text.startsWith("\ufeff") ? '"' + text.replaceAll('"', '""') + '"' : text;
  }).join(",") + "\n";
}

function readings(entries) {
  const voided = voidings(entries);
  let out = csvRow(["id", "serialId", "stepId", "characteristicId", "number", "place", "value", "unit", "verdict", "nominal", "lower", "upper",
    "revision", "instrumentId", "note", "pass", "measuredBy", "measuredAt", "voidedAt", "voidedBy", "voidReason", "entryId"]);
  for (const entry of entries) {
    if (entry.action !== "measured" || hidden(entry)) continue;
    for (const value of entry.metadata.values ?? []) {
      const limits = value.limits ?? {}, gone = voided.get(value.id) ?? {};
      out += csvRow([value.id, entry.serialId, entry.stepId, value.characteristicId, value.number, value.place, value.value, value.unit,
        value.verdict, limits.nominal, limits.lower, limits.upper, entry.metadata.revision ?? 0, value.instrumentId, value.note,
        entry.metadata.pass ?? 0, entry.userId, value.measuredAt ?? entry.timestamp, gone.voidedAt, gone.voidedBy, gone.voidReason, entry.id]);
    }
  }
  return out;
}

// filesIn returns the files that entries attach.
function filesIn(entries) {
  const voided = voidings(entries);
  return entries.filter((entry) => entry.action === "file_attached" && !hidden(entry)).map((entry) => {
    const told = entry.metadata;
    const [on, onId] = entry.serialId ? ["serial", entry.serialId] : told.nonconformanceId ? ["report", told.nonconformanceId]
      : told.instrumentId ? ["instrument", told.instrumentId] : told.lotId ? ["lot", told.lotId] : entry.certId ? ["certificate", entry.certId]
      : entry.stepId ? ["step", entry.stepId] : ["job", entry.jobId ?? ""];
    return {
      id: told.linkId, sha256: told.sha256, size: told.size, type: told.type, name: told.name, kind: told.kind, note: orNone(told.note),
      attachedBy: entry.userId, attachedAt: entry.timestamp, ...voided.get(told.linkId), on, onId, entryId: entry.id,
    };
  });
}

// documentsIn returns the digests of the documents that entries issued, by name.
function documentsIn(entries) {
  const issues = ["conformance_issued", "conformance_reissued", "first_article_verified"];
  const issued = entries.filter((entry) => issues.includes(entry.action) && entry.metadata !== undefined);
  return new Map(issued.map(({ metadata: told }) => [
    told.conformanceId ? `conformances/${told.conformanceId}-${told.revision}.pdf` : `first-articles/${told.firstArticleId}.json`, told.sha256,
  ]));
}

// approvalsIn returns the approvals of first articles by customers that entries record with a file.
function approvalsIn(entries) {
  return entries.filter((entry) => entry.action === "first_article_customer_approved" && entry.metadata?.sha256)
    .map((entry) => ({ ...entry.metadata, entryId: entry.id }));
}

const extensions = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf", "text/plain": "txt" };
const storedAs = (link) => `files/${link.sha256}.${extensions[String(link.type).split(";")[0]] ?? "bin"}`;

// The verification --------------------------------------------------------------------------------------------------------------------

const tags = ["bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "signature.txt"];
const manifest = (members) => members.map((one) => `${one.sha256}  ${one.name}\n`).join("");

class Verification {
  constructor(keys) {
    this.keys = keys;
    this.report = { proved: false, about: "", origin: "", size: 0, entries: 0, serialIds: [], files: 0, findings: [], notProved: [] };
    this.texts = new Map();
    this.members = [];
  }

  find(part, text) { this.report.findings.push({ part, text }); }

  member(name) { return this.members.find((one) => one.name === name); }

  text(name) { return this.texts.get(name) ?? new Uint8Array(); }

  async verify(read) {
    try {
      await read();
    } catch (error) {
      this.find("bag", T("it cannot be read: {error}", { error: error.message }));
    }
    if (this.report.findings.length === 0 && this.tagged()) {
      await this.sealed();
      this.described();
    }
    this.report.proved = this.report.findings.length === 0;
    return this.report;
  }

  // named checks the name of a member, and returns the name within the folder.
  named(path, first) {
    const slash = path.indexOf("/"), folder = path.slice(0, slash), name = path.slice(slash + 1);
    if (first) this.report.about = folder.startsWith("dossier-") ? folder.slice(8) : folder;
    const steps = path.split("/");
    if (slash < 0 || name === "" || folder !== "dossier-" + this.report.about) {
      throw new Error(T("“{name}” is not in the folder of the dossier", { name: path }));
    }
    if (steps.includes("") || steps.includes(".") || steps.includes("..") || path.includes("\\")) {
      throw new Error(T("“{name}” is not a name of a dossier", { name: path }));
    }
    if (this.member(name)) throw new Error(T("“{name}” is there twice", { name: path }));
    return name;
  }

  async add(name, blob) {
    const parts = [], isFile = name.startsWith("data/files/");
    const one = { name, ...(await readContent(blob, isFile ? null : (bytes) => parts.push(bytes))) };
    if (!isFile) this.texts.set(name, joined(...parts));
    this.members.push(one);
    return one;
  }

  // readArchive reads all members. Every byte of the archive must be as a service writes it: an archive can hide bytes between its members.
  async readArchive(blob) {
    const { members } = await membersOf(blob);
    if (members.length === 0) throw new Error(T("it is empty"));
    const same = async (at, bytes) => equal(await bytesOf(blob, at, at + bytes.length), bytes);
    let at = 0, wanted = true, rows = [];
    for (const [i, member] of members.entries()) {
      const name = this.named(member.name, i === 0);
      if (member.method !== 0) throw new Error(T("“{name}” is compressed", { name: member.name }));
      const header = localHeader(member.raw), offset = at;
      wanted &&= await same(at, header);
      at += header.length;
      if (!wanted || at + member.size > blob.size) break;
      const one = await this.add(name, blob.slice(at, at + member.size));
      at += member.size;
      const after = descriptor(one);
      wanted &&= await same(at, after);
      at += after.length;
      rows.push(directory({ ...one, raw: member.raw, offset }));
    }
    const table = joined(...rows), end = ending(members.length, table.length, at);
    if (!wanted || !(await same(at, joined(table, end))) || at + table.length + end.length !== blob.size) {
      throw new Error(T("the archive is not as a service writes it"));
    }
    if (this.members.some((one, i) => i > 0 && one.name <= this.members[i - 1].name)) this.find("bag", T("its members are out of order"));
  }

  async readFolder(files) {
    const sorted = [...files].sort((a, b) => (a.webkitRelativePath < b.webkitRelativePath ? -1 : 1));
    if (sorted.length === 0) throw new Error(T("it is empty"));
    for (const [i, file] of sorted.entries()) await this.add(this.named(file.webkitRelativePath, i === 0), file);
  }

  // tagged checks the tag files of the bag. It returns false if there is no bag to check further.
  tagged() {
    for (const one of this.members) {
      if (!one.name.startsWith("data/") && !tags.includes(one.name)) this.find("bag", T("{name} does not belong to a dossier", { name: one.name }));
    }
    for (const name of tags.slice(0, 4)) {
      if (!this.member(name)) {
        this.find("bag", T("{name} is missing", { name }));
        return false;
      }
    }
    const same = (name, text) => equal(this.text(name), utf8.encode(text));
    const version = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"; // not a text: RFC 8493
    if (!same("bagit.txt", version)) this.find("bag", T("{name} is not that of a bag", { name: "bagit.txt" }));
    const payload = this.members.filter((one) => one.name.startsWith("data/"));
    if (!same("manifest-sha256.txt", manifest(payload))) this.find("bag", this.differing(payload));
    if (!same("tagmanifest-sha256.txt", manifest(["bag-info.txt", "bagit.txt", "manifest-sha256.txt"].map((name) => this.member(name))))) {
      this.find("bag", T("{name} does not fit the bag", { name: "tagmanifest-sha256.txt" }));
    }
    return true;
  }

  // differing describes the first difference between the manifest and the files.
  differing(payload) {
    const listed = new Map(new TextDecoder().decode(this.text("manifest-sha256.txt")).split("\n").filter(Boolean)
      .map((line) => [line.slice(line.indexOf("  ") + 2), line.slice(0, line.indexOf("  "))]));
    for (const one of payload) {
      if (!listed.has(one.name)) return T("{name} is not in the manifest", { name: one.name });
      if (listed.get(one.name) !== one.sha256) return T("{name} was changed", { name: one.name });
      listed.delete(one.name);
    }
    for (const name of [...listed.keys()].sort()) return T("{name} is missing", { name });
    return T("{name} is not as a service writes it", { name: "manifest-sha256.txt" });
  }

  async sealed() {
    if (!this.member("data/checkpoint")) {
      this.find("signature", T("it is not signed: the service that made it has no ledger"));
      return;
    }
    let checkpoint;
    try {
      const signed = this.text("data/checkpoint"), note = strictText(signed);
      const origin = note.slice(0, note.indexOf("\n"));
      checkpoint = readCheckpoint(await openNote(signed, origin, this.keys));
    } catch (error) {
      this.find("checkpoint", error.message);
      return;
    }
    this.report.origin = checkpoint.origin;
    this.report.size = checkpoint.size;
    try {
      const text = await openNote(this.text("signature.txt"), checkpoint.origin, this.keys);
      const statement = `${checkpoint.origin}/dossier\n${checkpoint.size}\n${this.member("tagmanifest-sha256.txt").sha256}\n`;
      if (text !== statement) this.find("signature", T("the signature is that of another dossier"));
    } catch (error) {
      this.find("signature", T("the bag is not signed by the key that was given: {error}", { error: error.message }));
    }
    this.entries(checkpoint);
  }

  // entries checks that every entry is in the ledger, and that the derived files follow from the entries.
  entries(checkpoint) {
    const shown = [], lacks = new Set();
    let last = -1, lines = [];
    try {
      lines = strictText(this.text("data/trail.ndjson")).split("\n").filter(Boolean);
    } catch (error) {
      this.find("entries", error.message);
      return;
    }
    for (const line of lines) {
      let row, leaf, root;
      try {
        row = JSON.parse(line);
        leaf = leafOf(row.entry);
        root = rootOf(leaf, row.index, checkpoint.size, (row.proof ?? []).map(base64));
      } catch (error) {
        this.find("entries", T("a line of {name} cannot be read: {error}", { name: "trail.ndjson", error: error.message }));
        return;
      }
      const inside = Number.isSafeInteger(row.index) && row.index >= 0 && row.index < checkpoint.size;
      if (!inside || root === null || !equal(root, checkpoint.root) || row.entry.id !== entryID(row.index)) {
        this.find("entries", T("{entry} is not in the ledger: its proof is wrong", { entry: entryID(row.index) }));
        return;
      }
      if (row.index <= last) this.find("entries", T("{entry} is out of order", { entry: row.entry.id }));
      last = row.index;
      if (row.entry.metadata === undefined && row.entry.metadataSha256 !== undefined) {
        lacks.add(row.entry.id);
        const places = { entry: row.entry.id, action: row.entry.action };
        this.report.notProved.push(hidden(row.entry)
          ? T("the details of {entry} ({action}), which the dossier omits because they identify other units: what it undid may still be shown", places)
          : T("the details of {entry} ({action}), which the dossier omits because they identify other units", places));
      }
      shown.push(row.entry);
    }
    this.report.entries = shown.length;
    try {
      this.follow(shown, lacks);
    } catch (error) {
      this.find("derived", error.message);
    }
  }

  follow(shown, lacks) {
    const among = unitsOf(this.report.about, shown);
    this.report.serialIds = [...among].sort(byNumber);
    this.signed(shown, lacks);
    const links = filesIn(shown);
    const derived = {
      "measurements.csv": readings(shown), "as-built.json": asBuilt(among, shown), "signatures.json": signatures(shown), "files.json": json(links),
    };
    for (const [name, text] of Object.entries(derived)) {
      if (!this.member("data/" + name) || !equal(this.text("data/" + name), utf8.encode(text))) {
        this.find("derived", T("{name} does not follow from the entries", { name }));
      }
    }
    this.attached(links, approvalsIn(shown));
    const documents = documentsIn(shown);
    for (const one of this.members) {
      const name = one.name.slice(5);
      if (documents.has(name) && one.name.startsWith("data/")) {
        if (documents.get(name) !== one.sha256) this.find("files", T("{name} is not the document that was issued", { name }));
        continue;
      }
      if (!one.name.startsWith("data/") || name === "trail.ndjson" || name === "checkpoint" || name.startsWith("files/") || name in derived) continue;
      this.report.notProved.push(name === "verify.html"
        ? T("that {name} in the dossier is the page of the shop: take the page from the shop", { name })
        : T("the content of {name}: it is signed with the dossier, but no entry proves it", { name }));
    }
  }

  // signed checks that people signed the entries before their signatures. Those about no unit are in the dossier only with the entries that
  // they sign.
  signed(shown, lacks) {
    const all = bySerial(shown);
    for (const unit of ["", ...this.report.serialIds]) {
      const about = all.get(unit) ?? [];
      if (!about.some((entry) => entry.action === "record_signed")) continue;
      if (unit !== "" && about.some((entry) => lacks.has(entry.id))) {
        this.report.notProved.push(T("what people signed of {unit}: the dossier omits details of some of its entries", { unit }));
        continue;
      }
      for (const [at, entry] of about.entries()) {
        if (entry.action !== "record_signed") continue;
        const hash = new SHA256(), signed = signedBy(about, at);
        for (const one of signed) {
          const { id, ...rest } = one;
          hash.add(leafOf(rest)).add(utf8.encode("\n"));
        }
        if (signed.length !== entry.metadata.entries || hex(hash.sum()) !== entry.metadata.sha256) {
          this.find("entries", T("{entry}: it is not the signature of the entries before it", { entry: entry.id }));
          break;
        }
      }
    }
  }

  // attached compares the files with the entries that attach them. The files of approvals belong to first articles that the dossier has.
  attached(links, approvals) {
    const wanted = new Set();
    for (const link of links) {
      const name = "data/" + storedAs(link), one = this.member(name);
      wanted.add(name);
      if (!one && !link.voidedAt) this.report.notProved.push(T("the file {name}: the dossier does not have it", { name: JSON.stringify(link.name) }));
      if (one && (one.sha256 !== link.sha256 || one.size !== link.size)) {
        this.find("files", T("{name} is not the file that {entry} attached", { name, entry: link.entryId }));
      }
    }
    for (const approval of approvals.filter((one) => this.member(`data/first-articles/${one.firstArticleId}.json`))) {
      const name = "data/" + storedAs(approval), one = this.member(name);
      wanted.add(name);
      if (!one) {
        const places = { record: approval.firstArticleId };
        this.report.notProved.push(T("the approval of {record} by the customer: the dossier does not have its file", places));
      } else if (one.sha256 !== approval.sha256) {
        this.find("files", T("{name} is not the file that {entry} attached", { name, entry: approval.entryId }));
      }
    }
    for (const one of this.members) {
      if (!one.name.startsWith("data/files/")) continue;
      this.report.files++;
      if (!wanted.has(one.name)) this.find("files", T("no entry attached {name}", { name: one.name }));
    }
  }

  // described checks that bag-info.txt describes this bag.
  described() {
    const payload = this.members.filter((one) => one.name.startsWith("data/"));
    const there = new TextDecoder().decode(this.text("bag-info.txt"));
    const value = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(there)?.[1] ?? "";
    const sealed = this.report.origin ? this.report.origin + " " + this.report.size
      : "none: this service has no ledger, so nothing here is proved"; // not a text: the file is in English
    const lines = [
      ["Bag-Software-Agent", "Routecard"], ["Bagging-Date", value("Bagging-Date")], // not a text: a name of RFC 8493, as those below
      ["External-Identifier", this.report.about], // not a text: as above
      ["Payload-Oxum", payload.reduce((sum, one) => sum + one.size, 0) + "." + payload.length], // not a text: as above
      ["Routecard-Language", value("Routecard-Language")], // not a text: as above; dossiers of earlier versions have none
      ["Routecard-Ledger", sealed], // not a text: as above
    ];
    const text = lines.filter((line) => line[1] !== "").map((line) => line.join(": ") + "\n").join("");
    if (there !== text) this.find("bag", T("{name} does not describe this bag", { name: "bag-info.txt" }));
  }
}

// verifyZip and verifyFolder return the report; they throw an error if a key cannot be read.
async function verifyZip(blob, typed) {
  const one = new Verification(readKeys(typed));
  return one.verify(() => one.readArchive(blob));
}

async function verifyFolder(files, typed) {
  const one = new Verification(readKeys(typed));
  return one.verify(() => one.readFolder(files));
}

// The page ----------------------------------------------------------------------------------------------------------------------------

const find = (id) => document.getElementById(id);

// say shows paragraphs and lists of a result. Everything is text, nothing is markup.
function say(state, heading, ...parts) {
  const result = find("result");
  result.className = state;
  result.replaceChildren();
  const put = (name, text, into = result) => {
    const element = document.createElement(name);
    element.textContent = text;
    into.append(element);
    return element;
  };
  if (heading) put("h2", heading);
  for (const part of parts) {
    if (typeof part === "string") put("p", part);
    else if (part.length > 0) part.reduce((list, text) => (put("li", text, list), list), put("ul", ""));
  }
}

function someOf(units) {
  const shown = units.slice(0, 20).join(", "), more = units.length - 20;
  return more > 0 ? T("{units} and {n} more", { units: shown, n: more }) : shown;
}

// partsInWords returns the names of the parts of a dossier.
const partsInWords = () => ({
  bag: T("a part of a dossier|bag"), checkpoint: T("a part of a dossier|checkpoint"), signature: T("a part of a dossier|signature"),
  entries: T("a part of a dossier|entries"), files: T("a part of a dossier|files"), derived: T("a part of a dossier|derived files"),
});

function show(report) {
  const unproved = report.notProved.length > 0 ? [T("Not proved:"), report.notProved.map((text) => text + ".")] : [];
  if (!report.proved) {
    const words = partsInWords();
    say("not-proved", report.about ? T("NOT PROVED: the dossier of {record}", { record: report.about }) : T("NOT PROVED: this is no dossier"),
      report.findings.map((finding) => `${words[finding.part]}: ${finding.text}`), ...unproved);
    return;
  }
  say("proved", T("Proved: the dossier of {record}", { record: report.about }),
    T("The log {origin} signed it. Entries: {entries} of the first {size} of the log. Files: {files}.", report),
    T("The installed parts, readings, signatures and files follow from the entries of {units}.", { units: someOf(report.serialIds) }),
    ...unproved);
}

let attempt = 0;

async function start() {
  const mine = ++attempt, zip = find("zip").files[0], folder = find("folder").files;
  if (!zip && folder.length === 0) return say("", T("Choose the dossier first."));
  say("", T("Checking …"));
  try {
    const report = await (zip ? verifyZip(zip, find("key").value) : verifyFolder(folder, find("key").value));
    if (mine === attempt) show(report);
  } catch (error) {
    if (mine === attempt) say("", T("Could not be checked"), error.message);
  }
}

// A result never stands beside another choice than the one that it is about. The last choice counts.
for (const id of ["key", "zip", "folder"]) {
  find(id).addEventListener("input", () => {
    attempt++;
    say("", "");
    if (id === "zip") find("folder").value = "";
    if (id === "folder") find("zip").value = "";
  });
}
find("verify").addEventListener("click", start);
