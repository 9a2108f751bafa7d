#!/usr/bin/env python3
"""Verify the ledger of a running Routecard from outside, with nothing but the standard library.

Written from docs/ledger.md, "Writing a verifier", and from nothing else of Routecard.

    python3 verify_ledger.py --url http://127.0.0.1:8080 --key KEY [--checkpoint kept.txt]... [--token-file F]
    python3 verify_ledger.py --proof entry.tlog-proof --key KEY

The exit status is 0 when all is proved, 1 when it is not, 2 when it could not be checked.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
import urllib.request

TILE = 256


class NotProved(Exception):
    """Something is not what was signed."""


def sha256(data):
    return hashlib.sha256(data).digest()


# --- Ed25519, RFC 8032 -----------------------------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def point_add(a, b):
    """Add two points in extended coordinates (x, y, z, t)."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_multiply(n, point):
    result = (0, 1, 1, 0)
    while n > 0:
        if n & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        n >>= 1
    return result


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * SQRT_M1 % P
    if (x * x - square) % P != 0:
        return None
    return P - x if x & 1 != sign else x


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def signed_by(public, message, signature):
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r, s = decompress(public), decompress(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = point_multiply(s, BASE), point_add(r, point_multiply(h, a))
    return ((left[0] * right[2] - right[0] * left[2]) % P == 0
            and (left[1] * right[2] - right[1] * left[2]) % P == 0)


# --- checkpoints -----------------------------------------------------------------------------------------------------

def read_key(text):
    """Read a verifier key: the log's name and its public key."""
    name, number, encoded = text.strip().split("+", 2)
    data = base64.b64decode(encoded, validate=True)
    if len(data) != 33 or data[0] != 1:
        raise ValueError("not an Ed25519 verifier key: " + text)
    if key_number(name, data[1:]).hex() != number:
        raise ValueError("the number of the verifier key does not fit it: " + text)
    return name, data[1:]


def key_number(name, public):
    return sha256(name.encode() + b"\n\x01" + public)[:4]


def first_name(origin):
    """The name that a log had before it began anew."""
    return re.sub("/[0-9]+$", "", origin)


def open_checkpoint(signed, keys):
    """Check who signed a checkpoint. Return its name, size and root."""
    text, empty, signatures = signed.partition("\n\n")
    text += "\n"
    lines = text.split("\n")
    if not empty or len(lines) < 4 or not re.fullmatch("0|[1-9][0-9]*", lines[1]):
        raise NotProved("what is served as a checkpoint is none")
    origin, size, root = lines[0], int(lines[1]), base64.b64decode(lines[2], validate=True)
    for line in signatures.splitlines():
        dash, name, encoded = (line.split(" ") + ["", ""])[:3]
        if dash != "\u2014" or name != origin:
            continue
        data = base64.b64decode(encoded, validate=True)
        for of, public in keys:
            if first_name(of) == first_name(origin) and data[:4] == key_number(origin, public) \
                    and signed_by(public, text.encode(), data[4:]):
                return origin, size, root
    raise NotProved("the checkpoint is not signed by the key that was given")


# --- leaves ----------------------------------------------------------------------------------------------------------

def number(value):
    """Write a number as ECMAScript does."""
    value = float(value)
    if value == 0:
        return "0"
    sign, value = ("-", -value) if value < 0 else ("", value)
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = "e%+d" % (point - 1)
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + power


def canonical(value):
    """Write a value in the form of RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return number(value)


def make_leaf(entry):
    entry = dict(entry)
    if "metadata" in entry:
        entry["metadataSha256"] = sha256(canonical(entry.pop("metadata")).encode()).hex()
    return canonical(entry).encode()


def entry_id(index):
    return "aud_%016d" % (index + 1)


# --- the tree --------------------------------------------------------------------------------------------------------

def node(left, right):
    return sha256(b"\x01" + left + right)


def root_of(hashes):
    """Compute the root of leaves from their hashes: whole subtrees first, then those that are left, from the right."""
    subtrees = []  # (size, root), each smaller than the one before it
    for leaf in hashes:
        size, root = 1, leaf
        while subtrees and subtrees[-1][0] == size:
            root = node(subtrees.pop()[1], root)
            size *= 2
        subtrees.append((size, root))
    if not subtrees:
        return sha256(b"")
    root = subtrees.pop()[1]
    while subtrees:
        root = node(subtrees.pop()[1], root)
    return root


def tile_path(level, number_of_tile, width):
    groups = ["%03d" % (number_of_tile % 1000)]
    while number_of_tile >= 1000:
        number_of_tile //= 1000
        groups.insert(0, "x%03d" % (number_of_tile % 1000))
    return "/ledger/tile/%s/%s%s" % (level, "/".join(groups), "" if width == TILE else ".p/%d" % width)


class Log:
    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/"), token

    def get(self, path):
        request = urllib.request.Request(self.url + path)
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def tiles(self, level, count):
        """Yield what the tiles of a level have that has so many hashes, or entries."""
        for first in range(0, count, TILE):
            yield self.get(tile_path(level, first // TILE, min(TILE, count - first)))

    def hashes(self, level, count):
        found = []
        for data in self.tiles(level, count):
            found += [data[i:i + 32] for i in range(0, len(data), 32)]
        if len(found) != count or any(len(one) != 32 for one in found):
            raise NotProved("the tiles of level %d have not the %d hashes that the checkpoint says" % (level, count))
        return found

    def leaves(self, size):
        found = []
        for data in self.tiles("entries", size):
            at = 0
            while at < len(data):
                length = int.from_bytes(data[at:at + 2], "big")
                found.append(data[at + 2:at + 2 + length])
                if len(found[-1]) != length:
                    raise NotProved("a bundle of entries is cut off")
                at += 2 + length
        if len(found) != size:
            raise NotProved("%d entries were signed, and %d are served" % (size, len(found)))
        return found


def verify(log, keys, kept):
    """Check everything. Return what was proved, or raise NotProved with the first that is wrong."""
    origin, size, root = open_checkpoint(log.get("/ledger/checkpoint").decode(), keys)
    hashes = log.hashes(0, size)
    leaves = log.leaves(size)
    if root_of(hashes) != root:
        if root_of(sha256(b"\x00" + leaf) for leaf in leaves) == root:
            raise NotProved("the tiles of hashes do not have the root that was signed; the entries have it")
        raise NotProved("neither the tiles nor the entries have the root that was signed")
    level, below = 0, hashes
    while len(below) >= TILE:
        level += 1
        above = [root_of(below[i:i + TILE]) for i in range(0, len(below) - TILE + 1, TILE)]
        if log.hashes(level, len(above)) != above:
            raise NotProved("a tile of level %d does not fit the tiles below it" % level)
        below = above
    for index, leaf in enumerate(leaves):
        if sha256(b"\x00" + leaf) != hashes[index]:
            raise NotProved("%s was changed" % entry_id(index))
        if json.loads(leaf).get("id") != entry_id(index):
            raise NotProved("another entry stands in the place of %s" % entry_id(index))
    for signed in kept:
        before, kept_size, kept_root = open_checkpoint(signed, keys)
        if kept_size > size or root_of(hashes[:kept_size]) != kept_root:
            raise NotProved("the kept checkpoint of %d entries of %s does not fit the log" % (kept_size, before))
    answered = json.loads(log.get("/api/audit"))[::-1]  # it is newest first, and may have grown meanwhile
    if len(answered) < size:
        raise NotProved("%d entries were signed, and the interface has %d" % (size, len(answered)))
    for index, leaf in enumerate(leaves):
        if make_leaf(answered[index]) != leaf:
            raise NotProved("the interface answers another %s than the one that was signed" % entry_id(index))
    return origin, size


def verify_proof(text, keys):
    """Check the proof of one entry. Return the name and size of the log, and the leaf."""
    head, _, signed = text.partition("\n\n")
    lines = head.split("\n")
    if lines[0] != "c2sp.org/tlog-proof@v1" or not lines[1].startswith("extra ") or not lines[2].startswith("index "):
        raise NotProved("the file is no proof")
    origin, size, root = open_checkpoint(signed, keys)
    leaf, index = base64.b64decode(lines[1][len("extra "):], validate=True), int(lines[2][len("index "):])
    at, last, got = index, size - 1, sha256(b"\x00" + leaf)
    for line in lines[3:]:
        if last == 0:
            raise NotProved("the path of the proof is too long")
        other = base64.b64decode(line, validate=True)
        if at % 2 == 1 or at == last:
            got = node(other, got)
            while at % 2 == 0 and at > 0:
                at, last = at // 2, last // 2
        else:
            got = node(got, other)
        at, last = at // 2, last // 2
    if last != 0 or got != root or not 0 <= index < size:
        raise NotProved("the path of the proof does not lead to the root that was signed")
    return origin, size, leaf.decode()


def main():
    parser = argparse.ArgumentParser(description="Verify the ledger of a running Routecard.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--url")
    what.add_argument("--proof", help="a file with the proof of one entry")
    parser.add_argument("--key", required=True, action="append", help="a verifier key of the log")
    parser.add_argument("--checkpoint", default=[], action="append", help="a file with a checkpoint that was kept")
    parser.add_argument("--token-file", help="a file with a token that may read")
    arguments = parser.parse_args()
    try:
        token = open(arguments.token_file).read().strip() if arguments.token_file else ""
        kept = [open(name, encoding="utf-8", newline="").read() for name in arguments.checkpoint]
        keys = [read_key(text) for text in arguments.key]
        if arguments.proof:
            print("Proved: the log %s has among the first %d entries:\n%s"
                  % verify_proof(open(arguments.proof, encoding="utf-8", newline="").read(), keys))
            return 0
        origin, size = verify(Log(arguments.url, token), keys, kept)
    except NotProved as wrong:
        print("NOT PROVED: %s" % wrong)
        return 1
    except (OSError, ValueError) as failure:
        print("could not be checked: %s" % failure, file=sys.stderr)
        return 2
    print("Proved: the first %d entries of %s are what was signed, and what the interface answers; "
          "they fit %d checkpoints that were kept." % (size, origin, len(kept)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
