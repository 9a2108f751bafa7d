package httpapi

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// cellsOf reads the texts of a sheet of a workbook, and reports formulas.
func cellsOf(t *testing.T, file []byte, name string) (texts []string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Cells []struct {
			Kind    string  `xml:"t,attr"`
			Formula *string `xml:"f"`
			Text    *string `xml:"is>t"`
		} `xml:"sheetData>row>c"`
	}
	if err := xml.NewDecoder(part).Decode(&read); err != nil {
		t.Fatal(err)
	}
	for _, cell := range read.Cells {
		if cell.Formula != nil || cell.Text != nil && cell.Kind != "inlineStr" {
			t.Errorf("%s has a cell that is no text: %+v", name, cell)
		}
		if cell.Text != nil {
			texts = append(texts, *cell.Text)
		}
	}
	return texts
}

// The workbook of a first article has its fields with their numbers on three sheets, the same bytes each time, and no formula.
func TestFirstArticleWorkbook(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	post := func(method, target, body string) (made map[string]any) {
		t.Helper()
		answer, err := s.send(t.Context(), method, target, body)
		if err != nil || answer.status >= http.StatusBadRequest {
			t.Fatal(err, answer)
		}
		_ = json.Unmarshal([]byte(answer.body), &made)
		return made
	}
	id := func(made map[string]any) string { text, _ := made["id"].(string); return text }
	job := id(post(http.MethodPost, "/api/jobs", `{"name": "Bracket", "goalQuantity": 9, "partNumber": "=1+1", "description": "-2"}`))
	path := id(post(http.MethodPost, "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 9, "steps": [{"name": "Mill"}]}`))
	post(http.MethodPost, "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 1, "userId": "ann"}`)
	article := id(post(http.MethodPost, "/api/paths/"+path+"/first-articles", `{"serialIds": ["SN-00001"], "kind": "full", "reason": "New <part> & more", "userId": "ann"}`))
	post(http.MethodPut, "/api/first-articles/"+article, `{"fields": {"1.6": "@SUM(A1)", "1.8": "two\nlines"}, "userId": "ann"}`)
	get := func() []byte {
		answer, err := s.send(t.Context(), http.MethodGet, "/api/first-articles/"+article+".xlsx", "")
		if err != nil || answer.status != http.StatusOK || answer.header.Get("Content-Type") != workbookType ||
			answer.header.Get("Content-Disposition") != `attachment; filename="FAI-00001.xlsx"` {
			t.Fatal(err, answer.status, answer.header)
		}
		return []byte(answer.body)
	}
	file := get()
	if !bytes.Equal(file, get()) {
		t.Error("the same first article gives other bytes")
	}
	for sheet, want := range map[string][]string{
		"1": {"=1+1", "-2", "@SUM(A1) *", "two\nlines *", "8. Additional changes", "26. Comments", "FAI-00001, draft", "Full first article. Reason: New <part> & more"},
		"2": {"=1+1", "5. Material or process name", "N/A"},
		"3": {"=1+1", "9. Results", "12. Additional data and comments"},
	} {
		texts := cellsOf(t, file, "xl/worksheets/sheet"+sheet+".xml")
		for _, text := range want {
			if !slices.Contains(texts, text) {
				t.Errorf("form %s lacks %q: %s", sheet, text, strings.Join(texts, "|"))
			}
		}
	}
	answer, err := s.send(t.Context(), http.MethodGet, "/api/first-articles/FAI-09999.xlsx", "")
	if err != nil || answer.status != http.StatusNotFound || !strings.Contains(answer.body, "FirstArticle not found: FAI-09999") {
		t.Error(err, answer)
	}
}
