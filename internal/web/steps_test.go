package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/card"
)

// Wherever a step of a long route is chosen, the user types its number or its name, because a list would be too long. If the text matches
// no step or several steps, nothing is done, and the page says why.
func TestStepOfALongRouteIsTyped(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("Pass %03d", i+1)
	}
	names[40], names[50] = "Inspect", "Inspect"
	_, unit := s.units(1, names...)
	v := s.works("Dana")
	routeCard := func() *visitor { return v.visit("/serials/" + unit) }
	if offered := strings.Count(routeCard().page.html, `<option value="30 Pass 030"`); offered != 1 {
		t.Errorf("step 30 is offered %d times", offered)
	}
	jump := func(typed string) *visitor {
		return routeCard().press(`value="advance-to"`, "do", "advance-to", "targetTyped", typed)
	}
	jump("Hone").says("No step is called “Hone”.")
	jump("inspect").says("“inspect” can be more than one step: 41 Inspect; 51 Inspect. Type more of the name.")
	jump("").says("Choose where to.")
	s.stands(unit, 0, card.InProgress)
	jump("41 Inspect")
	s.stands(unit, 40, card.InProgress)
	jump("44")
	s.stands(unit, 43, card.InProgress)
	jump("pass 046")
	s.stands(unit, 45, card.InProgress)
	jump("45").says("The unit has passed that step.")

	routeCard().press(`value="note"`, "do", "note", "text", "chatter", "stepTyped", "12 Pass 012").says("Pass 012 · Dana")
	routeCard().press(`value="note"`, "do", "note", "text", "burr", "stepTyped", "nowhere").says("No step is called “nowhere”.")
	if !strings.Contains(v.page.html, ">burr</textarea>") || !strings.Contains(v.page.html, `value="nowhere"`) {
		t.Error("what was typed is lost")
	}
	routeCard().press(`value="rework"`, "do", "rework", "targetTyped", "7", "reason", "porous")
	s.stands(unit, 6, card.InProgress)
	jump("Completed")
	s.stands(unit, 60, card.Completed)
}
