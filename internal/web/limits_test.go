package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Forms accept only UTF-8. Other text would stay in the audit trail permanently, and the other database engine would refuse it.
func TestFormsTakeTextOnly(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	for name, form := range map[string]posted{
		"job":  {"/jobs", url.Values{"name": {"Bracket \xff"}, "goalQuantity": {"5"}}},
		"user": {"/users", url.Values{"name": {"A\xed\xa0\x80"}}}, // half of a surrogate pair
		"name": {"/users", url.Values{"name\xff": {"Ann"}}},
	} {
		v.post(form)
		if v.page.status != http.StatusBadRequest || name != "name" && !strings.Contains(v.page.html, "UTF-8") {
			t.Errorf("%s: %d %s", name, v.page.status, v.page.html)
		}
	}
	if strings.Contains(v.visit("/jobs").page.html, "Bracket") {
		t.Error("the job was made")
	}
}

// A download refuses invalid filters before it sends its first line.
func TestDownloadsCheckTheirFiltersFirst(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	for _, address := range []string{
		"/audit/entries.csv?before=x", "/audit/entries.json?before=x", "/audit/entries.csv?q=" + strings.Repeat("x", 501),
		"/audit/entries.csv?user=%ff",
	} {
		answer := s.visitor().answer(address)
		if answer.Code != http.StatusBadRequest || strings.Contains(answer.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d %v", address, answer.Code, answer.Header())
		}
	}
}
