//go:build libreoffice

// The gate does not install LibreOffice, which takes minutes. With it (apt-get install libreoffice-calc-nogui):
//
//	go test -tags libreoffice ./internal/sheet

package sheet

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A real spreadsheet program reads the workbook as intended, and saves it as text with the same contents, in any language.
func TestSpreadsheetProgramReadsWorkbook(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	texts := awkward()
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i] = Text(text)
	}
	if err := os.WriteFile(filepath.Join(folder, "units.xlsx"), workbookOf(t, sheetRows, make([]string, len(texts)), [][]Cell{
		row, {Number(int64(123456789012345)), Flag(true)},
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	// The options mean: comma, quotes, UTF-8, cells as shown on the screen.
	convert := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+filepath.Join(folder, "profile"), "--headless",
		"--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true", "--outdir", folder, filepath.Join(folder, "units.xlsx"))
	if output, err := convert.CombinedOutput(); err != nil {
		t.Fatal(err, string(output))
	}
	saved, err := os.Open(filepath.Join(folder, "units.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	read, err := csv.NewReader(saved).ReadAll()
	if err != nil || len(read) != 3 {
		t.Fatal(read, err)
	}
	for i, text := range texts {
		if got := Original(read[1][i]); got != text {
			t.Errorf("%q came back as %q", text, got)
		}
	}
	if read[2][0] != "123456789012345" || read[2][1] != "true" {
		t.Errorf("%q", read[2][:2])
	}
}
