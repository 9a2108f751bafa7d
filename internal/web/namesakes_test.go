package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestNamesakes has operators with the same name. The station shows how they differ. It adds nothing to unique names.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ids := map[string]string{}
	for _, of := range [][2]string{{"Eva Maier", "Turning"}, {"Eva Maier", "Milling"}, {"José Núñez", "QA"}, {"Al Orr", ""}, {"Al Orr", ""}} {
		user, err := s.service.CreateUser(t.Context(), shop.CreateUserInput{Name: input.Given(of[0]), Department: input.Given(of[1])})
		s.must(err)
		ids[of[0]] = user.ID
	}
	v := s.visitor()
	v.visit("/scan")
	for _, text := range []string{"Eva Maier Milling", "Eva Maier Turning", "Al Orr " + ids["Al Orr"], "José Núñez"} {
		v.says(text)
	}
	if strings.Contains(v.text(), "José Núñez QA") {
		t.Error("a unique name has a department")
	}
}
