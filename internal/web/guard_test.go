package web_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// pressed is a key as the guard receives it, with the time since the previous key.
type pressed struct {
	Key       string  `json:"key"`
	Code      string  `json:"code"`
	Gap       float64 `json:"gap"`
	Repeat    bool    `json:"repeat"`
	Composing bool    `json:"composing"`
	Ctrl      bool    `json:"ctrl"`
	Alt       bool    `json:"alt"`
	Meta      bool    `json:"meta"`
	AltGraph  bool    `json:"altGraph"`
	Released  bool    `json:"released"`
	Place     string  `json:"place"` // the kind of the focused element at this key, if it differs
}

// keysOf returns the keys that type a text, all with the same gap. Enter is \n and Tab is \t.
func keysOf(text string, gap float64) []pressed {
	var keys []pressed
	for _, c := range text {
		key := string(c)
		switch c {
		case '\n':
			key = "Enter"
		case '\t':
			key = "Tab"
		}
		keys = append(keys, pressed{Key: key, Gap: gap})
	}
	return keys
}

// joined concatenates lists of keys.
func joined(parts ...[]pressed) []pressed {
	var keys []pressed
	for _, part := range parts {
		keys = append(keys, part...)
	}
	return keys
}

// paced sets the gaps between keys to the given ones, repeated as needed.
func paced(keys []pressed, gaps ...float64) []pressed {
	for i := range keys {
		keys[i].Gap = gaps[i%len(gaps)]
	}
	return keys
}

// after adds a pause before the keys.
func after(pause float64, keys []pressed) []pressed {
	keys[0].Gap = pause
	return keys
}

// guardCase is a row of the guard's table: the kind of the focused element, the keys, and their effects. Fates are the first letters of
// pass, stop, hold and scan (P, S, H, !). The codes are those of the scans.
type guardCase struct {
	name, place string
	keys        []pressed
	fates       string
	codes       string
}

func one(key string, gap float64) []pressed { return []pressed{{Key: key, Gap: gap}} }

// guardTable is the table for the guard's state machine.
func guardTable() []guardCase {
	unit := "SN-00559"
	alt := func(gap float64) []pressed { // A, from a scanner that does not know the keyboard layout
		return []pressed{
			{Key: "Alt", Gap: gap, Alt: true}, {Key: "6", Code: "Numpad6", Gap: 3, Alt: true}, {Key: "5", Code: "Numpad5", Gap: 3, Alt: true},
			{Key: "Alt", Gap: 3, Released: true},
		}
	}
	return []guardCase{
		{"a scan into a text", "text", keysOf(unit+"\n", 2), "PPPPPPPP!", unit},
		{"a scan into a text that ends in Tab", "text", keysOf(unit+"\t", 12), "PPPPPPPP!", unit},
		{"a slow scanner", "text", keysOf(unit+"\n", 30), "PPPPPPPP!", unit},
		{"a scanner whose line falters before Enter", "text", joined(keysOf(unit, 10), one("Enter", 200)), "PPPPPPPP!", unit},
		{"a scanner whose line falters in the middle", "text", joined(keysOf("SN-0", 10), after(120, keysOf("0559\n", 10))), "PPPPPPPP!", unit},
		{"a line that falters after the first key", "text", joined(one("S", 900), after(60, keysOf("N-00559\n", 5))), "PPPPPPPP!", unit},
		{"a line that falters several times", "text", paced(keysOf(unit+"\n", 0), 5, 5, 70, 5), "PPPPPPPP!", unit},
		{"a person who types a code", "text", paced(keysOf(unit+"\n", 0), 130, 90, 30, 110), "PPPPPPPPP", ""},
		{"CR and LF", "text", joined(keysOf(unit+"\n", 5), one("Enter", 5)), "PPPPPPPP!S", unit},
		{"CR and LF as control characters", "text", joined(keysOf(unit, 5), []pressed{{Key: "m", Gap: 5, Ctrl: true}, {Key: "j", Gap: 5, Ctrl: true}}),
			"PPPPPPPP!S", unit},
		{"two scans", "text", joined(keysOf(unit+"\n", 5), after(900, keysOf("RC-DONE\n", 5))), "PPPPPPPP!PPPPPPP!", unit + " RC-DONE"},
		{"two scans at once", "text", joined(keysOf(unit+"\n", 5), keysOf("RC-DONE\n", 5)), "PPPPPPPP!PPPPPPP!", unit + " RC-DONE"},
		{"a short number after a pause", "text", keysOf("417\n", 8), "PPP!", "417"},
		{"two digits after a pause", "text", keysOf("41\n", 8), "PP!", "41"},
		{"Shift between the keys", "text", joined(one("Shift", 2), one("S", 2), one("Shift", 2), one("N", 2), keysOf("-1\n", 2)), "PPPP!", "SN-1"},
		{"a separator of a GS1 code", "text", joined(keysOf("10AB", 4), []pressed{{Key: "]", Gap: 4, Ctrl: true}}, keysOf("21C\n", 4)),
			"PPPPPPPP!", "10AB\x1d21C"},
		{"characters with AltGr", "text", joined(keysOf("AB", 4), []pressed{{Key: "]", Gap: 4, Ctrl: true, Alt: true, AltGraph: true}}, keysOf("C\n", 4)),
			"PPPP!", "AB]C"},
		{"characters as Alt and their number", "text", joined(alt(400), alt(5), alt(5), one("Enter", 5)), "PPPPPP!", "AAA"},
		{"a function key between the keys", "text", joined(keysOf("SN", 4), one("F8", 4), keysOf("559\n", 4)), "PPPPPP!", "SN559"},
		{"a scan while an input method composes", "text", joined([]pressed{{Key: "Process", Gap: 400, Composing: true}},
			[]pressed{{Key: "Process", Gap: 5, Composing: true}, {Key: "Process", Code: "Enter", Gap: 5, Composing: true}}), "PP!", ""},

		{"a scan right after a person's keys", "text", joined(keysOf("too ho", 110), after(90, keysOf(unit+"\n", 6))), "PPPPPPPPPPPPPP!", unit},
		{"a person", "text", keysOf("burr at the shoulder\n", 140), strings.Repeat("P", 21), ""},
		{"the fastest of persons", "text", keysOf("burr at the shoulder\n", 62), strings.Repeat("P", 21), ""},
		{"a person whose fingers roll", "text", paced(keysOf("the burr at the other shoulder\n", 0), 130, 25, 70, 18, 95, 110, 35), strings.Repeat("P", 31), ""},
		{"fingers that roll over the end", "text", joined(keysOf("bur", 100), keysOf("er\n", 30)), "PPPPPP", ""},
		{"a person at the block of digits", "text", keysOf("12.5\n", 75), "PPPPP", ""},
		{"one digit and Enter in one grasp", "text", joined(one("5", 900), one("Enter", 30)), "PP", ""},
		{"Enter alone", "text", one("Enter", 900), "P", ""},
		{"Tab and Tab and Enter", "control", keysOf("\t\t\t\n", 10), "PPPP", ""},
		{"a key that is held down", "text", joined(one("a", 900), []pressed{{Key: "a", Gap: 30, Repeat: true}, {Key: "a", Gap: 30, Repeat: true},
			{Key: "a", Gap: 30, Repeat: true}, {Key: "Enter", Gap: 30}}), "PPPPP", ""},
		{"paste and Enter", "text", joined([]pressed{{Key: "v", Gap: 900, Ctrl: true}}, one("Enter", 35)), "PP", ""},
		{"a long pause before Enter", "text", joined(keysOf(unit, 5), one("Enter", 700)), "PPPPPPPPP", ""},
		{"arrows after fast keys", "text", joined(keysOf("abcd", 5), one("ArrowLeft", 300), one("Enter", 5)), "PPPPPP", ""},

		{"a scan at a button", "control", keysOf(unit+"\n", 5), "HSSSSSSS!", unit},
		{"a slow scanner at a button", "control", keysOf(unit+"\n", 90), "HHHHHHHH!", unit},
		{"a scan at a choice, right after a person's key", "control", joined(one("S", 900), after(150, keysOf(unit+"\n", 5))), "HHSSSSSSS!", unit},
		{"a reading at a button, whose line falters", "control", joined(keysOf("1.23", 5), after(60, keysOf("4\n", 5))), "HSSSH!", "1.234"},
		{"a scan of one character at a button", "control", keysOf("7\n", 5), "H!", "7"},
		{"a scan without an end at a choice", "control", keysOf(unit, 5), "HSSSSSSS", ""},
		{"a person at a choice", "control", keysOf("So\n", 150), "HHP", ""},
		{"a person presses Space and Enter", "control", keysOf(" \n", 120), "HP", ""},
		{"an access key", "control", []pressed{{Key: "d", Gap: 900, Alt: true}}, "P", ""},
		{"PageDown and Home", "control", joined(one("PageDown", 900), one("Home", 900)), "PP", ""},
		{"the page moves the focus within a scan", "text", joined(keysOf("SN-00", 5), []pressed{{Key: "5", Gap: 5, Place: "control"},
			{Key: "Enter", Gap: 5, Place: "control"}}), "PPPPPS!", "SN-005"},

		{"a scan into a date", "picker", keysOf(" 9 8\n", 5), "HPSP!", " 9 8"},
		{"a person types a date", "picker", keysOf("16122026\n", 130), "PPPPPPPPP", ""},
		{"fingers roll over a date", "picker", joined(keysOf("1", 400), keysOf("6", 20), keysOf("12", 140)), "PPPP", ""},

		{"a field for scans", "scan", keysOf(unit+"\n", 5), "PPPPPPPPP", ""},
		{"a gauge at a field for a reading", "value", keysOf("+012.503\n", 5), "PPPPPPPPP", ""},
		{"a gauge that types its unit", "value", keysOf("12.503 mm\n", 5), "PPPPPPPPPP", ""},
		{"a gauge that counts", "value", keysOf("48001\n", 5), "PPPPPP", ""},
		{"a unit at a field for a reading", "value", keysOf(unit+"\n", 5), "PPPPPPPP!", unit},
		{"a number of an item at a field for a reading", "value", keysOf("000815\n", 5), "PPPPPP!", "000815"},
		{"an EAN at a field for a reading", "value", keysOf("4006381333931\n", 5), strings.Repeat("P", 13) + "!", "4006381333931"},
		{"a unit at a field for a reading in words", "words", keysOf(unit+"\n", 5), "PPPPPPPP!", unit},
		{"a melt at a field for a reading in words", "words", keysOf("88213-B\n", 5), "PPPPPPPP", ""},
		{"a program for passwords", "secret", keysOf("correct horse\n", 5), strings.Repeat("P", 14), ""},
		{"a program for passwords types a login", "secret", keysOf("olaf\t", 5), "PPPPP", ""},
		{"a unit at a password", "secret", keysOf(unit+"\n", 5), "PPPPPPPP!", unit},
		{"a unit at a password, from a scanner for another keyboard", "secret", keysOf("SNß00559\n", 5), "PPPPPPPP!", "SNß00559"},
		{"a command at a login", "secret", keysOf("RC-DONE\t", 5), "PPPPPPP!", "RC-DONE"},
		{"a badge where a PIN is awaited", "badge", keysOf("RC-ID-7QK2\n", 5), strings.Repeat("P", 11), ""},
		{"a unit of this plant at a password", "secret", keysOf("P2-00559\n", 5), strings.Repeat("P", 8) + "!", "P2-00559"},
		{"a unit where a PIN is awaited", "badge", keysOf(unit+"\n", 5), "PPPPPPPP!", unit},
		{"a PIN from a block of digits", "badge", keysOf("271828\n", 5), "PPPPPPP", ""},
		{"a badge at a password", "secret", keysOf("RC-ID-7QK2\n", 5), strings.Repeat("P", 10) + "!", "RC-ID-7QK2"},
		{"an address at a password", "secret", keysOf("http://shop/serials/SN-00559\n", 5), strings.Repeat("P", 28) + "!", "http://shop/serials/SN-00559"},
	}
}

// guardScript runs the table. It reads keys and writes fates and codes.
const guardScript = `
require("vm").runInThisContext(require("fs").readFileSync("static/guard.js", "utf8") + "; globalThis.scanPace = scanPace");
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const letters = {pass: "P", stop: "S", hold: "H", scan: "!"};
console.log(JSON.stringify(cases.map(({place, keys}) => {
	const pace = scanPace("P2"), codes = [];
	let at = 1000, fates = "";
	for (const key of keys) {
		key.at = at += key.gap;
		if (key.released) { pace.release(key); continue; }
		if (pace.modifies(key)) continue;
		const {fate, code} = pace.press(key, key.place || place);
		fates += letters[fate];
		if (fate === "scan") codes.push(code);
	}
	return {fates, codes: codes.join(" ")};
})));`

// The guard distinguishes the keys of a scanner from those of a person.
func TestGuardTable(t *testing.T) {
	t.Parallel()
	table := guardTable()
	type row struct {
		Place string    `json:"place"`
		Keys  []pressed `json:"keys"`
	}
	rows := make([]row, len(table))
	for i, c := range table {
		rows[i] = row{c.place, c.keys}
	}
	input, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), process.Find(t, "nodejs", "node"), "-e", guardScript)
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	var got []struct{ Fates, Codes string }
	if err := json.Unmarshal(output, &got); err != nil || len(got) != len(table) {
		t.Fatalf("%v\n%s", err, output)
	}
	for i, c := range table {
		if got[i].Fates != c.fates || got[i].Codes != c.codes {
			t.Errorf("%s: the fates are %s and the codes %q, want %s and %q", c.name, got[i].Fates, got[i].Codes, c.fates, c.codes)
		}
	}
}
