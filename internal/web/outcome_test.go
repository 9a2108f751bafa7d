package web_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop/card"
)

// became has the server's statement about a form that a page sent.
type became struct{ State, Text, Unit, Again string }

// became asks for the result of a form that was sent the given time ago.
func (v *visitor) became(form posted, ago time.Duration) (told became) {
	v.t.Helper()
	query := url.Values{"of": {form.action}, "ago": {fmt.Sprint(ago.Milliseconds())}}
	request := httptest.NewRequest(http.MethodPost, "/acts?"+query.Encode(), strings.NewReader(form.values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer := v.ask(request)
	if answer.Code != http.StatusOK {
		v.t.Fatalf("asked about %s: %d %s", form.action, answer.Code, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &told); err != nil {
		v.t.Fatal(err)
	}
	return told
}

// lost sends a form whose response does not reach the page.
func (v *visitor) lost(form posted) {
	v.t.Helper()
	kept := maps.Clone(v.cookies)
	request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(form.values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	v.ask(request)
	v.cookies = kept
}

// copied returns a copy of the form with its own map of values.
func (f posted) copied() posted { return posted{f.action, maps.Clone(f.values)} }

// under returns the form with another key.
func (f posted) under(key string) posted {
	f = f.copied()
	f.values.Set("once", key)
	return f
}

// stepDone returns the station's form that completes a unit's step.
func (v *visitor) stepDone(unit string) posted {
	v.t.Helper()
	v.visit("/scan?unit=" + unit)
	return v.page.form(v.t, `value="RC-DONE"`).with("do", "RC-DONE")
}

// A page that lost the response to a form can find out whether the form was carried out, however often it asks. If a form is reported as
// not carried out, it is not carried out later, except once when it is sent again.
func TestPageAsksWhatBecameOfAForm(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Saw", "Turn", "Grind", "Wash")
	v := s.works("Dana")
	for what, form := range map[string]func(string) posted{
		"station": v.stepDone,
		"card": func(unit string) posted {
			return v.visit("/serials/"+unit).page.form(t, `value="advance"`).with("do", "advance")
		},
	} {
		unit, at := unit, 0
		if what == "card" {
			unit = "SN-00002"
		}
		done := form(unit)
		v.lost(done)
		s.pass(time.Minute)
		for range 2 {
			if told := v.became(done, time.Minute); told.State != "done" || !strings.HasPrefix(told.Text, "done at 0") || told.Again != "" {
				t.Errorf("%s: a form that was carried out is %+v", what, told)
			}
		}
		if told := v.became(done, time.Minute); what == "station" && told.Unit != unit {
			t.Errorf("it was done to %q", told.Unit)
		}
		at++
		s.stands(unit, at, card.InProgress)

		late := form(unit)
		told := v.became(late, time.Minute)
		if told.State != "not" || told.Text != "not done." || told.Again == "" || told.Again == late.values.Get("once") {
			t.Errorf("%s: a form that was not carried out is %+v", what, told)
		}
		v.lost(late)
		s.stands(unit, at, card.InProgress)
		again := late.under(told.Again)
		v.lost(again)
		v.lost(again)
		at++
		s.stands(unit, at, card.InProgress)
		if told := v.became(again, time.Minute); told.State != "done" {
			t.Errorf("%s: sent again it is %+v", what, told)
		}
		if told := v.became(late, time.Minute); told.State != "not" {
			t.Errorf("%s: the late form is %+v", what, told)
		}
	}
}

// Only the sender of a form can find out its result, and only while the sender has the permission to send it.
func TestPageAsksForItsPerson(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.units(2, "Saw", "Turn", "Grind")
	s.person("anna", "operator")
	s.person("bert", "operator")
	s.person("vera", "viewer")
	anna, bert, vera := s.signedIn("anna"), s.signedIn("bert"), s.signedIn("vera")
	for what, form := range map[string]posted{
		"station": anna.stepDone("SN-00001"),
		"card":    anna.visit("/serials/SN-00002").page.form(t, `value="advance"`).with("do", "advance"),
	} {
		anna.lost(form)
		asks := map[string]*visitor{"other": bert, "sign-in": s.visitor(), "done": anna}
		for want, who := range asks {
			if told := who.became(form, time.Second); told.State != want || want != "done" && (strings.Contains(told.Text, "done at") || told.Unit != "") {
				t.Errorf("%s: told %+v, want %s", what, told, want)
			}
		}
		if told := vera.became(form, time.Second); told.State == "done" || told.State == "not" {
			t.Errorf("%s: a viewer is told %+v", what, told)
		}
	}
	s.stands("SN-00001", 1, card.InProgress)
	s.stands("SN-00002", 1, card.InProgress)
}

// If a form is older than the server's memory, or if the clock of its sender is wrong, it is not reported as not carried out.
func TestPageAsksTooLate(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	const week = 7 * 24 * time.Hour
	s.pages = web.New(site.Config{Service: s.service, Views: s.views, Logger: slog.New(slog.DiscardHandler), Clock: s.clock, KeyRetention: week})
	_, unit := s.units(1, "Saw", "Turn")
	v := s.works("Dana")
	form := v.stepDone(unit)
	for _, ago := range []time.Duration{week, 50 * 365 * 24 * time.Hour, -time.Hour} {
		if told := v.became(form.under(fmt.Sprint("forgotten", ago)), ago); told.State != "unknown" {
			t.Errorf("%v ago: %+v", ago, told)
		}
	}
	v.lost(form)
	s.pass(48 * time.Hour)
	if told := v.became(form, 2*week); told.State != "done" || told.Text != "done at 2 Mar 08:00." {
		t.Errorf("what the service still knows is %+v", told)
	}
	for _, of := range []string{"/acts", "/acts?of=/scan", "/nowhere", "https://elsewhere.example/scan", "/assets/app.js", ""} {
		if told := v.became(posted{of, url.Values{"once": {"x"}}}, 0); told.State != "unknown" {
			t.Errorf("what became of a form of %s: %+v", of, told)
		}
	}
}

// Asking for a result does not carry anything out, even for a form without a key or with a secret.
func TestAskingCarriesNothingOut(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "operator")
	anna := s.signedIn("anna")
	end := s.last()
	for _, form := range []posted{
		{"/sign-out", url.Values{}},
		{"/sign-out", url.Values{"once": {"x-" + "123456"}}},
		{"/me", url.Values{"once": {"x"}, "oldPassword": {browsertest.GoodPassword}, "password": {"another four birds"}}},
		{"/scan", url.Values{"once": {"x"}, "code": {"RC-OUT"}}},
	} {
		anna.became(form, time.Second)
	}
	anna.visit("/me").says("anna")
	if now := s.last(); now != end {
		t.Errorf("the trail goes on to %d, it ended at %d", now, end)
	}
}

// However often requests and responses are lost, pages are reloaded, buttons are pressed twice and lost forms are delivered late, no unit
// moves twice for one confirmation. The page finds out the result of each confirmation.
func TestLostAnswersMoveNoUnitTwice(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	const units, steps = 3, 30
	var names []string
	for i := range steps {
		names = append(names, fmt.Sprint("Step ", i))
	}
	runs := int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		_, first := s.units(units, names...)
		runs++
		number, _ := s.service.SerialPrefix().ParseSerialID(first)
		v := s.works(fmt.Sprint("Dana ", runs))
		type act struct {
			unit string
			form posted
			told string // done or not; "" while the page does not know
		}
		var acts []*act
		var late []posted
		// confirm sends a form. The request or the response may be lost, or the button may be pressed twice.
		confirm := func(rt *rapid.T, unit string, formOf func(string) posted) {
			if at, _ := s.at(unit); at == steps-1 {
				rt.Skip("it is at its last step")
			}
			form := formOf(unit)
			one := &act{unit: unit, form: form}
			acts = append(acts, one)
			switch rapid.SampledFrom([]string{"answered", "lost before the server", "delayed", "lost after the commit"}).Draw(rt, "the line") {
			case "answered":
				v.lost(form)
				one.told = "done"
			case "delayed":
				late = append(late, form)
			case "lost after the commit":
				for range rapid.IntRange(1, 2).Draw(rt, "presses") {
					v.lost(form)
				}
			}
		}
		ask := func(one *act) {
			if one.told != "" {
				return
			}
			if one.told = v.became(one.form, time.Second).State; one.told != "done" && one.told != "not" {
				rt.Fatalf("%s: %s", one.unit, one.told)
			}
		}
		pick := func(rt *rapid.T) string {
			return s.service.SerialPrefix().SerialID(number + rapid.Int64Range(0, units-1).Draw(rt, "unit"))
		}
		rt.Repeat(map[string]func(*rapid.T){
			"station": func(rt *rapid.T) { confirm(rt, pick(rt), v.stepDone) },
			"card": func(rt *rapid.T) {
				confirm(rt, pick(rt), func(unit string) posted {
					return v.visit("/serials/"+unit).page.form(t, `value="advance"`).with("do", "advance")
				})
			},
			"ask": func(*rapid.T) {
				for _, one := range acts {
					ask(one)
				}
			},
			"send again": func(rt *rapid.T) {
				for _, one := range acts {
					if one.told == "not" {
						again := one.form.under(v.became(one.form, time.Second).Again)
						one.told, one.form = "", again
						v.lost(again)
						if rapid.Bool().Draw(rt, "in another tab, too") {
							v.lost(again)
						}
						return
					}
				}
			},
			"arrive late": func(*rapid.T) {
				if len(late) > 0 {
					v.lost(late[0])
					late = late[1:]
				}
			},
		})
		moved := map[string]int{}
		for _, one := range acts {
			if ask(one); one.told == "done" {
				moved[one.unit]++
			}
		}
		for _, form := range late {
			v.lost(form)
		}
		for i := range int64(units) {
			unit := s.service.SerialPrefix().SerialID(number + i)
			if at, _ := s.at(unit); at != moved[unit] {
				rt.Fatalf("%s stands at step %d, and the page was told of %d moves", unit, at, moved[unit])
			}
		}
	})
}
