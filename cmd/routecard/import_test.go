package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportOfMachine sends the text of a measuring machine with the parameters from the mapping and the flags.
func TestImportOfMachine(t *testing.T) {
	t.Parallel()
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		text, _ := io.ReadAll(r.Body)
		sent = []string{r.URL.Path, r.Header.Get("Content-Type"), query.Get("columns"), query.Get("features"), query.Get("constants"), string(text)}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"rows":2,"created":2,"updated":0,"unchanged":0,"outOfLimits":1,"refused":[]}`)
	}))
	defer server.Close()
	folder := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	mapping := write("map.json", `{"columns": {"Ist": "value"}, "features": {"CIR1 D": "7"}, "constants": {"unit": "mm", "serialId": "SN-00001"}}`)
	odd := write("odd.json", `{"feature": {}}`)
	file := write("report.txt", "ID Ist\nCIR1 2\n")
	described, measured := write("part.dfd", "K0100 1\n"), write("part.DFX", "K0001/1 5\n")
	other := write("other.dfx", "K0001/1 5\n")
	settings := remoteSettings{URL: server.URL}
	for name, c := range map[string]struct {
		command importCommand
		sent    []string
		printed string // the output, or the reason of the refusal
	}{
		"mapped": {
			importCommand{Kind: "measurements", Machine: true, Windows1252: true, Mapping: mapping, Set: []string{"serialId=SN-00002"}},
			[]string{
				"/api/import/measurements", "text/plain; charset=windows-1252", `{"Ist":"value"}`, `{"CIR1 D":"7"}`, `{"serialId":"SN-00002","unit":"mm"}`, "ID Ist\nCIR1 2\n",
			},
			"2 rows: 2 created, 0 updated, 0 unchanged, 0 refused\n1 of the readings: out of limits\n",
		},
		"a spreadsheet": {
			importCommand{Kind: "measurements", DryRun: true}, []string{"/api/import/measurements", "text/csv", "", "", "", "ID Ist\nCIR1 2\n"},
			"2 rows: would be 2 created, 0 updated, 0 unchanged, 0 refused\n1 of the readings: would be out of limits\n",
		},
		"descriptions and values": {
			importCommand{Kind: "measurements", File: described, Values: measured},
			[]string{"/api/import/measurements", "application/x-aqdef", "", "", "", "K0100 1\n\r\nK0001/1 5\n"},
			"2 rows: 2 created, 0 updated, 0 unchanged, 0 refused\n1 of the readings: out of limits\n",
		},
		"Q-DAS under another name": {
			importCommand{Kind: "measurements", AQDEF: true}, []string{"/api/import/measurements", "application/x-aqdef", "", "", "", "ID Ist\nCIR1 2\n"},
			"2 rows: 2 created, 0 updated, 0 unchanged, 0 refused\n1 of the readings: out of limits\n",
		},
		"two parts": {importCommand{Kind: "measurements", File: described, Values: other}, nil, "two files are read only as a .dfd and the .dfx of the same name"},
		"two descriptions": {
			importCommand{Kind: "measurements", File: described, Values: described}, nil, "two files are read only as a .dfd and the .dfx of the same name",
		},
		"two reports":    {importCommand{Kind: "measurements", Values: measured}, nil, "two files are read only as a .dfd and the .dfx of the same name"},
		"users of Q-DAS": {importCommand{Kind: "users", File: described}, nil, "are for measurements"},
		"of two kinds":   {importCommand{Kind: "measurements", File: measured, Machine: true}, nil, "--machine is not for a file in the Q-DAS transfer format"},
		"nothing set":    {importCommand{Kind: "measurements", Set: []string{"serialId"}}, nil, `--set "serialId" is not of the form NAME=VALUE`},
		"jobs measured":  {importCommand{Kind: "jobs", Machine: true}, nil, "--machine, --aqdef, files of Q-DAS, --set, features, units and constants are for measurements"},
		"mapped oddly":   {importCommand{Kind: "measurements", Mapping: odd}, nil, `unknown field "feature"`},
		"without a file": {importCommand{Kind: "measurements", Mapping: filepath.Join(folder, "none")}, nil, "no such file"},
	} {
		sent = nil
		c.command.File, c.command.remoteSettings = cmp.Or(c.command.File, file), settings
		var out bytes.Buffer
		err := c.command.Run(&world{ctx: t.Context(), stdout: &out, stderr: io.Discard})
		failed, refused := errors.AsType[*exitError](err)
		switch {
		case c.sent == nil && (!refused || failed.status != 2 || !strings.Contains(failed.Error(), c.printed) || sent != nil):
			t.Errorf("%s: %v, and sent %q", name, err, sent)
		case c.sent != nil && (err != nil || out.String() != c.printed || strings.Join(sent, "\n") != strings.Join(c.sent, "\n")):
			t.Errorf("%s: %v, printed %q, sent %q", name, err, out.String(), sent)
		}
	}
}
