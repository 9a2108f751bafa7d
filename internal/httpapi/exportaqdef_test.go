package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/shop/ident"
)

// exportAQDEF returns the file of the readings of a job.
func (s *servedShop) exportAQDEF(t *testing.T, job string) (string, *aqdef.File) {
	t.Helper()
	got := s.must(t, http.StatusOK, http.MethodGet, "/api/export/measurements.dfq?jobId="+job, "")
	file, err := aqdef.Parse([]byte(got.body), func(int) error { return nil })
	if err != nil {
		t.Fatalf("%q: %v", got.body, err)
	}
	return got.body, file
}

// jobOf returns the job of a unit.
func (s *servedShop) jobOf(t *testing.T, serial string) string {
	t.Helper()
	return field(t, s.must(t, http.StatusOK, http.MethodGet, "/api/serials/"+serial, "").body, "jobId")
}

// An export in the Q-DAS transfer format has the order, the units by their own serial numbers, instruments, pass and fail, and several
// revisions of the plan. It has neither texts nor voided readings.
func TestExportAQDEF(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 3)
	job := m.jobOf(t, "SN-00001")
	m.must(t, http.StatusOK, http.MethodPut, "/api/jobs/"+job, `{"partNumber": "G-16", "partRevision": "C", "orderNumber": "PO 7", "changedBy": "ann"}`)
	m.bring(t, importOf("measurements"), "text/csv", "serialId,number,place,value,instrumentId,note,measuredBy,measuredAt\n"+
		"SN-00001,7,,12.5030,ext:M-1,Gehäuse,bob,2025-07-01T08:00:00.250Z\nSN-00002,7,,12.6,,,ann,2025-12-01T08:00:00Z\nSN-00003,7,,12.5,,,ann,\n"+
		"SN-00001,8,,fail,,,ann,\nSN-00002,8,,pass,,,ann,\nSN-00001,9,,12.5,,,ann,\nSN-00001,10,A,0.01,,,ann,\n")
	readings := m.must(t, http.StatusOK, http.MethodGet, "/api/measurements?serialId=SN-00003", "").body
	m.must(t, http.StatusOK, http.MethodPost, "/api/measurements/"+field(t, readings, "id")+"/void", `{"reason": "warm", "userId": "ann"}`)
	m.plan("12.505")
	m.bring(t, importOf("measurements"), "text/csv", "serialId,number,value\nSN-00001,7,12.504\n")
	text, file := m.exportAQDEF(t, job)
	var got strings.Builder
	fmt.Fprintf(&got, "%s %s %s\n", file.Number, file.Name, file.Revision)
	for _, c := range file.Characteristics {
		fmt.Fprintf(&got, "%s %s %t %s %s %s %s %s\n", c.Number, c.Name, c.Counted, c.Nominal, c.Lower, c.Upper, c.Unit, c.Step)
	}
	for _, v := range file.Values {
		fmt.Fprintf(&got, "%d: %s%s/%s %s %s %s %s %s\n", v.Characteristic+1, v.Text, v.Defects, v.Size, v.Serial, v.Note, v.Other("K0008"), v.Other("K0012"), v.Other("K0053"))
	}
	const want = `G-16 Housing C
7 Bore false 12.500 12.490 12.510 mm Hone
8 Edge true     Hone
10 (A) Roundness false 0  0.02 mm Hone
7 Bore false 12.505 12.490 12.510 mm Hone
1: 12.5030/ A-1 Gehäuse 1 1 PO 7
1: 12.6/ A-2  2  PO 7
2: 1/1 A-1  2  PO 7
2: 0/1 A-2  2  PO 7
3: 0.01/ A-1  2  PO 7
4: 12.504/ A-1  2  PO 7
`
	if got.String() != want {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
	at := time.Date(2025, 7, 1, 8, 0, 0, 0, time.UTC).In(m.face.service.Zone())
	if len(file.Values) > 0 && file.Values[0].Time != aqdef.FormatTime(at) {
		t.Errorf("it was measured %s", file.Values[0].Time)
	}
	if len(file.Operators) != 2 || file.Operators[0].Name != "bob" || len(file.Gages) != 1 || file.Gages[0] != (aqdef.Entry{Number: "M-1", Name: "Gauge"}) {
		t.Errorf("%+v, %+v", file.Operators, file.Gages)
	}
	before := contents(t, m.backDoor(t))
	if got := m.bring(t, importOf("measurements"), aqdefType, text).told(); got != "0, 6, 0" {
		t.Errorf("it is imported: %s", got)
	}
	for _, c := range []struct{ from, to, want string }{
		{"12.5030", "12.5031", "0, 5, 0; 1 value: value is not what @ has, and a reading is never changed"},
		{"K0014/3 A-1", "K0014/3 A-2", "0, 5, 0; 5 serialNumber: serialNumber is not what @ has, and a reading is never changed"},
		{"01.12.2025", "02.12.2025", "0, 5, 0; 2 measuredAt: measuredAt is not what @ has, and a reading is never changed"},
		{"Gehäuse", "Gehause", "0, 5, 0; 1 note: note is not what @ has, and a reading is never changed"},
		{"K0021/2 1", "K0021/2 0", "0, 5, 0; 3 value: value is not what @ has, and a reading is never changed"},
		{"12.505", "12.506", "0, 5, 0; 6 nominal: nominal is not what @ has, and a reading is never changed"},
		{"10 (A)", "10 (B)", "0, 5, 0; 5 number: number is not what @ has, and a reading is never changed"},
	} {
		got := m.bring(t, importOf("measurements", "onRefusal", "each"), aqdefType, strings.Replace(text, c.from, c.to, 1)).told()
		for _, word := range strings.Fields(got) {
			if strings.HasPrefix(word, "meas_") {
				got = strings.Replace(got, word, "@", 1)
			}
		}
		if got != c.want {
			t.Errorf("%q for %q: %s, want %s", c.to, c.from, got, c.want)
		}
	}
	if after := contents(t, m.backDoor(t)); after != before {
		t.Errorf("something was written: %s, before %s", after, before)
	}
}

// A job without readings exports a file without characteristics, a HEAD has no content, and the job must exist.
func TestExportAQDEFOfNothing(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 1)
	job := m.jobOf(t, "SN-00001")
	if text, file := m.exportAQDEF(t, job); len(file.Characteristics)+len(file.Values) != 0 || !strings.HasPrefix(text, "K0100 0\r\nK1002/1 Housing\r\n") {
		t.Errorf("%q", text)
	}
	m.must(t, http.StatusOK, http.MethodHead, "/api/export/measurements.dfq?jobId="+job, "")
	for query, want := range map[string]int{"": http.StatusBadRequest, "?jobId=job_x": http.StatusNotFound, "?jobId=" + job + "&verdict=x": http.StatusBadRequest} {
		m.must(t, want, http.MethodGet, "/api/export/measurements.dfq"+query, "")
	}
	if got := m.must(t, http.StatusOK, http.MethodGet, "/api/export/measurements.dfq?bom=true&jobId="+job, "").body; !strings.HasPrefix(got, "\ufeffK0100") {
		t.Errorf("%q", got)
	}
}

// Importing exported readings changes nothing, and another shop with the same plan records the same readings.
func TestExportedAQDEFIsImported(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		const units = 3
		text := rapid.StringMatching(`[A-Za-zäöüß .,;/#"µ°-]{1,12}`)
		type planned struct {
			Number   string `json:"number"`
			Place    string `json:"place,omitempty"`
			Name     string `json:"name"`
			Type     string `json:"type"`
			Unit     string `json:"unit,omitempty"`
			Nominal  string `json:"nominal,omitempty"`
			Lower    string `json:"lower,omitempty"`
			Upper    string `json:"upper,omitempty"`
			Required bool   `json:"required"`
		}
		plan := make([]planned, rapid.IntRange(1, 12).Draw(r, "count"))
		for i := range plan {
			c := planned{Number: fmt.Sprint(i/2 + 1), Place: []string{"", "A"}[i%2], Name: "n" + text.Draw(r, "name"), Type: "pass_fail"}
			if rapid.Bool().Draw(r, "measured") {
				c.Type, c.Unit = "number", rapid.SampledFrom([]string{"", "mm", "µm", "°"}).Draw(r, "unit")
				at := rapid.IntRange(-9000, 9000).Draw(r, "nominal")
				c.Nominal, c.Lower = fmt.Sprintf("%.3f", float64(at)/1000), rapid.SampledFrom([]string{"", "-9.5"}).Draw(r, "lower")
				c.Upper = rapid.SampledFrom([]string{"", "9.50", "1e1"}).Draw(r, "upper")
			}
			plan[i] = c
		}
		planText, err := json.Marshal(plan)
		if err != nil {
			r.Fatal(err)
		}
		first, second := openMeasuring(t, units), openMeasuring(t, units)
		for _, m := range []*measuring{first, second} {
			m.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+m.step+"/characteristics", `{"userId": "ann", "characteristics": `+string(planText)+`}`)
		}
		values := 0
		for unit := range units {
			for i := range plan {
				if rapid.IntRange(0, 3).Draw(r, "left out") == 0 {
					continue
				}
				value := rapid.SampledFrom([]string{"pass", "fail"}).Draw(r, "verdict")
				if plan[i].Type == "number" {
					value = rapid.SampledFrom([]string{"1.50", "-0.001", "12", "+3", "1e-3", "0"}).Draw(r, "value")
				}
				reading, err := json.Marshal(map[string]string{
					"characteristic": plan[i].Number, "place": plan[i].Place, "value": value,
					"note":         strings.TrimSpace(rapid.SampledFrom([]string{"", "0", "#", "K0001/1 5"}).Draw(r, "odd") + text.Draw(r, "note") + rapid.SampledFrom([]string{"", "\nzwei"}).Draw(r, "line")),
					"instrumentId": rapid.SampledFrom([]string{"", "ext:M-1"}).Draw(r, "instrument"),
				})
				if err != nil {
					r.Fatal(err)
				}
				user := rapid.SampledFrom([]string{"ann", "Jörg", "3"}).Draw(r, "user")
				first.must(t, http.StatusCreated, http.MethodPost, "/api/serials/"+ident.DefaultPrefix.SerialID(int64(unit+1))+"/measurements",
					`{"values": [`+string(reading)+`], "userId": "`+user+`"}`)
				values++
			}
		}
		file, _ := first.exportAQDEF(t, first.jobOf(t, "SN-00001"))
		if got := first.bring(t, importOf("measurements"), aqdefType, file).told(); got != fmt.Sprintf("0, %d, 0", values) {
			r.Fatalf("%q is imported: %s", file, got)
		}
		columns := url.Values{}
		columns.Set("columns", `{"K0004":"","K0008":"measuredBy","K0053":""}`)
		got := second.bring(t, importOf("measurements")+"&"+columns.Encode(), aqdefType, file)
		if got.Created != values || len(got.Refused) > 0 {
			r.Fatalf("%q is imported in another shop: %s", file, got.told())
		}
		for unit := range units {
			serial := ident.DefaultPrefix.SerialID(int64(unit + 1))
			if a, b := fmt.Sprintf("%q", first.values(serial)), fmt.Sprintf("%q", second.values(serial)); a != b {
				r.Fatalf("%s: %s, in another shop %s", serial, a, b)
			}
		}
	})
}

// The same number at two steps, or at two places of one step, makes separate characteristics.
func TestExportAQDEFOfSeveralSteps(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 1)
	m.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+m.step+"/characteristics", `{"userId": "ann", "characteristics": [
		{"number": "7", "name": "Bore", "type": "number", "required": false}, {"number": "7", "place": "A", "name": "Bore", "type": "number", "required": false}]}`)
	var path struct{ Steps []struct{ ID string } }
	body := m.must(t, http.StatusOK, http.MethodGet, "/api/paths/"+field(t, m.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001", "").body, "pathId"), "").body
	if err := json.Unmarshal([]byte(body), &path); err != nil {
		t.Fatal(err)
	}
	m.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+path.Steps[1].ID+"/characteristics",
		`{"userId": "ann", "characteristics": [{"number": "7", "name": "Bore", "type": "number", "required": false}]}`)
	m.bring(t, importOf("measurements"), "text/csv", "serialId,number,place,value\nSN-00001,7,,1\nSN-00001,7,A,2\n")
	m.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00001/advance", `{"userId": "ann"}`)
	m.bring(t, importOf("measurements"), "text/csv", "serialId,number,value\nSN-00001,7,3\n")
	text, file := m.exportAQDEF(t, m.jobOf(t, "SN-00001"))
	var got []string
	for _, v := range file.Values {
		c := file.Characteristics[v.Characteristic]
		got = append(got, c.Number+" "+c.Step+" "+v.Text)
	}
	if want := "7 Hone 1; 7 (A) Hone 2; 7 Pack 3"; strings.Join(got, "; ") != want || len(file.Characteristics) != 3 {
		t.Errorf("%q, want %s", got, want)
	}
	if got := m.bring(t, importOf("measurements"), aqdefType, text).told(); got != "0, 3, 0" {
		t.Errorf("it is imported: %s", got)
	}
}
