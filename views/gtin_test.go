package views_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

// ofGTIN creates a unit with an own number, in a separate job with a GTIN.
func ofGTIN(t *testing.T, s *shoptest.Shop, gtin, number string) (unit, job string) {
	t.Helper()
	unit = numbered(t, s, "", number)
	job = shoptest.Must(s.Serial(t.Context(), unit)).Serial.JobID
	shoptest.Must(s.UpdateJob(t.Context(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{GTIN: shoptest.Given(gtin)}}))
	return unit, job
}

// spellings returns the ways to write a GTIN that has this number of digits without its leading zeros.
func spellings(gtin string) (all []string) {
	digits := strings.TrimLeft(gtin, "0")
	for _, length := range []int{8, 12, 13, 14} {
		if length >= len(digits) {
			all = append(all, strings.Repeat("0", length-len(digits))+digits)
		}
	}
	return all
}

// However the job and the code write the GTIN, the code finds the unit of this job and no other.
func TestEverySpellingOfAGTINFindsItsUnit(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	parts := [][]string{spellings("96385074"), spellings("036000291452"), spellings("4006381333931"), spellings("10012345678902")}
	units, jobs := make([]string, len(parts)), make([]string, len(parts))
	for i, part := range parts {
		units[i], jobs[i] = ofGTIN(t, s, part[0], "7")
	}
	numbered(t, s, "", "7")
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(0, len(parts)-1).Draw(rt, "part")
		stored, scanned := rapid.SampledFrom(parts[i]).Draw(rt, "stored"), rapid.SampledFrom(parts[i]).Draw(rt, "scanned")
		shoptest.Must(s.UpdateJob(t.Context(), jobs[i], shop.UpdateJobInput{OrderInput: workorder.OrderInput{GTIN: shoptest.Given(stored)}}))
		long := parts[i][len(parts[i])-1]
		code := rapid.SampledFrom([]string{
			"]C101" + long + "217", "\x1d01" + long + "217", "]d201" + long + "10L-4\x1d217", "(01)" + long + "(21)7", "01" + long + "217",
			"<FNC1>01" + long + "217", "https://id.gs1.org/01/" + scanned + "/21/7", "https://shop.example/a/gtin/" + scanned + "/ser/7?240=X",
		}).Draw(rt, "code")
		serial := rapid.SampledFrom([]string{"7", units[i], strings.ToLower(units[i])}).Draw(rt, "serial")
		if strings.HasSuffix(code, "7") {
			code = strings.TrimSuffix(code, "7") + serial
		}
		found := shoptest.Must(s.Resolve(t.Context(), views.ResolveQuery{Code: code}))
		if diff := cmp.Diff([]views.FoundRecord{{Kind: "serial", ID: units[i], Name: "7"}}, found.Found); diff != "" || found.Several {
			rt.Errorf("%q: several %v, -want +got:\n%s", code, found.Several, diff)
		}
		alone := rapid.SampledFrom([]string{"(01)" + long, "]E0" + scanned, "https://id.gs1.org/01/" + scanned, scanned, "]C101" + long}).Draw(rt, "alone")
		found = shoptest.Must(s.Resolve(t.Context(), views.ResolveQuery{Code: alone}))
		if diff := cmp.Diff([]views.FoundRecord{{Kind: "job", ID: jobs[i], Name: "Valve"}}, found.Found); diff != "" {
			rt.Errorf("%q: -want +got:\n%s", alone, diff)
		}
	})
}

// A unit whose job has another GTIN is never found. When no job has the GTIN, a person must decide whether the unit is meant.
func TestUnitsOfAnUnknownPartAreAskedAbout(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	one, job := ofGTIN(t, s, "4006381333931", "7")
	other := numbered(t, s, "VB-210", "7")
	article := numbered(t, s, "00036000291452", "7")
	for code, want := range map[string][]views.FoundRecord{
		"(01)04006381333931(21)7":         {{Kind: "serial", ID: one, Name: "7"}},
		"(01)00036000291452(21)7":         {{Kind: "serial", ID: article, Name: "7"}},
		"(01)00036000291452(21)" + one:    {},
		"(01)04006381333931(21)8":         {},
		"(01)04006381333931(21)" + other:  {},
		"(01)09506000134352(21)7":         {{Kind: "serial", ID: other, Name: "7", PartUnknown: true}},
		"(01)09506000134352(21)" + other:  {{Kind: "serial", ID: other, Name: "7", PartUnknown: true}},
		"(01)09506000134352(21)" + one:    {},
		"(01)09506000134352(21)7(240)X-1": {},
		"(01)09506000134352(21)8":         {},
		"(01)09506000134352":              {},
		"(01)04006381333931(21)7(240)X-1": {{Kind: "serial", ID: one, Name: "7"}},
		"(01)04006381333931(10)L-4":       {{Kind: "job", ID: job, Name: "Valve"}},
	} {
		found := shoptest.Must(s.Resolve(t.Context(), views.ResolveQuery{Code: code}))
		if diff := cmp.Diff(want, found.Found); diff != "" {
			t.Errorf("%q: -want +got:\n%s", code, diff)
		}
		asks := len(want) > 0 && want[0].PartUnknown
		if found.Several != asks {
			t.Errorf("%q: several is %v", code, found.Several)
		}
		units := shoptest.Must(s.UnitsCalled(t.Context(), code))
		if _, _, only := views.MeantUnit(units); only == asks && len(units) > 0 {
			t.Errorf("%q: one is meant: %v", code, only)
		}
	}
}
