package web_test

import (
	"strings"
	"testing"
)

// The page of operators lists them. Each form is folded until the user opens it or it is refused.
func TestOperatorsAreListed(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	kim := s.operator("Kim")
	v.visit("/users").says("Kim Yes Queue Change Name")
	if open := strings.Count(v.page.html, `data-key="edit`) - strings.Count(v.page.html, `<details class="do" data-key="edit`); open != 0 {
		t.Errorf("%d forms are not folded", open)
	}
	if strings.Contains(v.page.html, `data-key="edit`+kim+`" open`) {
		t.Error("a form is open that nobody asked for")
	}
	v.press(`name="id" value="`+kim+`"`, "name", "", "active", "yes").says("Please fill in Name.")
	if !strings.Contains(v.page.html, `data-key="edit`+kim+`" open`) {
		t.Error("the form that was refused is folded")
	}
}

// The forms on the page of operators are folded until the user opens one.
func TestFormsOfOperatorsAreFolded(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	for _, name := range []string{"Dana", "Quinn", "Yusuf"} {
		s.operator(name)
	}
	page := s.visitor().visit("/users").page.html
	if forms := strings.Count(page, `<details class="do"`); forms < 3 || strings.Contains(page, `" open>`) {
		t.Errorf("%d forms are folded:\n%s", forms, page)
	}
}
