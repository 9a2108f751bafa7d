package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
)

// measuring is a shop with a path that has characteristics to measure, and with units on it: SN-00001 and on.
type measuring struct {
	*servedShop
	t    *testing.T
	step string
}

// openMeasuring opens a shop with characteristics 7 (mm, 12.490 to 12.510), 8 (pass or fail), 9 (text), 10 at A (at most 0.02 mm), and 12
// (with an instrument). Units have the numbers and so on, and the external identifiers U-1 and U-2.
func openMeasuring(t *testing.T, units int) *measuring {
	t.Helper()
	s := openShop(t, nil)
	job := field(t, s.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "Housing", "goalQuantity": 9}`).body, "id")
	made := s.must(t, http.StatusCreated, http.MethodPost, "/api/paths", `{"jobId": "`+job+`", "name": "Usual", "goalQuantity": 9, "steps": [{"name": "Hone"}, {"name": "Pack"}]}`)
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(made.body), &path); err != nil {
		t.Fatal(err)
	}
	m := &measuring{s, t, path.Steps[0].ID}
	s.must(t, http.StatusCreated, http.MethodPost, "/api/serials", fmt.Sprintf(
		`{"jobId": %q, "pathId": %q, "quantity": %d, "numbering": {"prefix": "A-", "first": 1, "digits": %d}, "userId": "ann"}`,
		job, path.ID, units, len(fmt.Sprint(units))))
	for i := range min(units, 2) {
		s.must(t, http.StatusOK, http.MethodPut, fmt.Sprintf("/api/serials/SN-%05d", i+1), fmt.Sprintf(`{"externalId": "U-%d", "userId": "ann"}`, i+1))
	}
	m.plan("12.500")
	s.must(t, http.StatusCreated, http.MethodPost, "/api/instruments", `{"number": "M-1", "name": "Gauge", "externalId": "M-1"}`)
	s.must(t, http.StatusCreated, http.MethodPost, "/api/instruments", `{"number": "M-2", "name": "Old gauge", "dueDate": "2001-01-31", "externalId": "M-2"}`)
	return m
}

func (m *measuring) plan(nominal string) {
	m.t.Helper()
	m.must(m.t, http.StatusOK, http.MethodPut, "/api/steps/"+m.step+"/characteristics", `{"userId": "ann", "characteristics": [
		{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "nominal": "`+nominal+`", "lower": "12.490", "upper": "12.510"},
		{"number": "8", "name": "Edge", "type": "pass_fail"}, {"number": "9", "name": "Heat", "type": "text"},
		{"number": "10", "place": "A", "name": "Roundness", "type": "number", "unit": "mm", "nominal": "0", "upper": "0.02"},
		{"number": "12", "name": "Run-out", "type": "number", "instrumentRequired": true},
		{"number": "20", "name": "Position", "type": "number", "unit": "mm", "nominal": "0", "lower": "-0.005", "upper": "0.005", "required": false},
		{"number": "21", "name": "Angle", "type": "number", "unit": "°", "nominal": "30", "lower": "29.5", "upper": "30.5", "required": false},
		{"number": "22", "name": "Offset", "type": "number", "unit": "mm", "nominal": "0", "required": false},
		{"number": "23", "name": "Roughness", "type": "number", "unit": "\u00b5m", "required": false},
		{"number": "24", "name": "Diameter", "type": "number", "unit": "mm", "nominal": "16.000", "lower": "16.000", "upper": "16.010", "required": false}]}`)
}

// readAQDEF reads a file in the Q-DAS transfer format.
func readAQDEF(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../aqdef/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readCase reads a report of a measuring machine.
func readCase(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/measured/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// values returns the readings of a unit, oldest first: number, value, verdict and operator.
func (m *measuring) values(serial string) (all []string) {
	m.t.Helper()
	var readings []struct{ Number, Value, Verdict, MeasuredBy string }
	if err := json.Unmarshal([]byte(m.must(m.t, http.StatusOK, http.MethodGet, "/api/serials/"+serial+"/measurements", "").body), &readings); err != nil {
		m.t.Fatal(err)
	}
	for _, r := range readings {
		all = append(all, r.Number+" "+r.Value+" "+r.Verdict)
	}
	return all
}

// told describes the result of an import: the numbers of rows recorded, unchanged and out of limits, and the reasons of refusals.
func (r imported) told() string {
	text := fmt.Sprintf("%d, %d, %d", r.Created, r.Unchanged, r.OutOfLimits)
	for _, row := range r.Refused {
		text += fmt.Sprintf("; %d %s: %s", row.Row, row.Column, row.Message)
	}
	return text
}

func importOf(kind string, parameters ...string) string {
	query := url.Values{"changedBy": {"ann"}}
	for i := 0; i < len(parameters); i += 2 {
		query.Set(parameters[i], parameters[i+1])
	}
	return kind + "?" + query.Encode()
}

// docs/measuring.md, "From a file": TestImportReadings imports files as people write them, each into a shop of its own.
func TestImportReadings(t *testing.T) {
	t.Parallel()
	const revision = ": another revision was measured"
	machine := func(rows string) string { return "FEATURE AX NOMINAL +TOL -TOL MEAS\n" + rows }
	for name, c := range map[string]struct {
		media, file, want string
		parameters        []string
		values            []string // of SN-00001 afterwards
	}{
		"ids, own numbers and external ids": {
			file: "serialId,serialNumber,number,value\nSN-00001,,7,12.5030\next:U-2,,7,12.503\n,A-3,7,12.503\n",
			want: "3, 0, 0", values: []string{"7 12.5030 pass"},
		},
		"values to the letter": {
			file:   "serialId,number,place,value\nSN-00001,7,,1.2500E+01\nSN-00001,8,,pass\nSN-00001,9,,\"12,5\"\nSN-00001,10,A,1.234E-01\n",
			want:   "4, 0, 1",
			values: []string{"7 1.2500E+01 pass", "8 pass pass", "9 12,5 recorded", "10 1.234E-01 fail"},
		},
		"decimal commas": {
			file: "serialId;number;value;upper\r\nSN-00001;7;12,5030;12,51\r\nSN-00002;9;12,5;\r\nSN-00003;7;12.503;\r\n",
			want: "2, 0, 0; 4 value: value is 12.503: in a file with semicolons the point may stand between thousands. Write the decimals behind a comma",
		},
		"a comma where there is none": {
			file: "serialId,number,value\nSN-00001,7,\"12,503\"\n", want: "0, 0, 0; 2 value: value must be a decimal number of at most 18 digits",
		},
		"nothing that exists": {
			file: "serialId,serialNumber,number,value,instrumentId\nSN-00099,,7,1,\n,B-1,7,1,\nSN-00001,,77,1,\nSN-00001,,10,1,\nSN-00001,,12,1,\nSN-00001,,12,1,ext:M-9\n" +
				"SN-00002,,12,1,ext:M-2\n,,7,1,\nSN-00003,,7,,\nSN-00003,,,1,\n",
			want: "0, 0, 0; 2 : Serial not found: SN-00099; 3 serialNumber: Serial not found: B-1; 4 number: Characteristic not found: 77; " +
				"5 number: Characteristic not found: 10; 6 instrumentId: instrumentId is required; 7 number: number measures 12 of the unit a second time, after row 6; " +
				"8 : Instrument M-2 is due for calibration since 2001-01-31; 9 serialId: serialId is required; 10 value: value is required; 11 number: number is required",
		},
		"twice in a file": {
			file: "serialId,number,value\nSN-00001,7,12.5\nSN-00001,7,12.6\n", want: "1, 0, 0; 3 number: number measures 7 of the unit a second time, after row 2",
		},
		"another unit, nominal, limit, revision": {
			file: "serialId,number,value,unit,nominal,lower,upper,revision\nSN-00001,7,1,in,,,,\nSN-00001,7,1,mm,12.6,,,\nSN-00001,7,1,,,12.4,,\nSN-00001,7,1,,,,12.6,\n" +
				"SN-00001,7,1,,,,,2\nSN-00001,7,12.5,mm,12.5,12.49,12.51,1\nSN-00001,10 (A),0.01,,,0,,\n",
			want: "1, 0, 0; 2 unit: unit is in, and the unit of 7 is mm; 3 nominal: nominal is 12.6, and for 7 it is 12.500" + revision +
				"; 4 lower: lower is 12.4, and for 7 it is 12.490" + revision + "; 5 upper: upper is 12.6, and for 7 it is 12.510" + revision +
				"; 6 revision: revision is 2, and for 7 it is 1" + revision + "; 8 lower: lower is 0, and for 10 (A) it is none" + revision,
			values: []string{"7 12.5 pass"},
		},
		"what the service says": {
			file: "serialId,number,value,verdict,pass,voidedAt\nSN-00001,7,13,pass,5,\nSN-00002,7,13,,,2026-01-01T00:00:00.000Z\n",
			want: "1, 0, 1; 3 voidedAt: voidedAt is only for rows with the id of a reading: the service sets it", values: []string{"7 13 fail"},
		},
		"a step that the unit is not at": {
			file: "serialId,stepId,number,value\nSN-00001,step_x,7,1\n", want: "0, 0, 0; 2 : ProcessStep not found: step_x",
		},
		"identifiers that a spreadsheet changed": {
			file: "serialId,number,value\nSN-00001,1E+01,1\n", want: "0, 0, 0; 2 number: Characteristic not found: 1E+01",
		},
		"a machine": {
			media: machineType, parameters: []string{"features", `{"CIR1 D":"7","CIR1 X":"","CIR2 R":"10 (A)"}`, "constants", `{"serialId":"SN-00001","unit":"mm"}`},
			file: "PART: HOUSING\n" + machine("CIR1 X 25.0 0.1 0.1 25.01\nCIR1 D 12.5000 0.0100 0.0100 12.5030\nCIR2 R 0.0000 0.0200 0.0000 0.0210\n"),
			want: "2, 0, 1", values: []string{"7 12.5030 pass", "10 0.0210 fail"},
		},
		"a machine with commas and signs": {
			media: machineType, parameters: []string{"features", `{"B1":"7"}`, "constants", `{"serialNumber":"A-1","unit":"mm"}`},
			file: "id;actual;nominal;uppertol;lowertol\nB1;12,503;12,5;0,01;-0,01\n", want: "1, 0, 0", values: []string{"7 12.503 pass"},
		},
		"a machine that measured another revision": {
			media: machineType, parameters: []string{"constants", `{"serialId":"SN-00001","unit":"mm"}`},
			file: "FEATURE NOMINAL +TOL -TOL MEAS\n7 12.6 0.01 0.01 12.6\n7 12.5 0.02 0.01 12.5\n7 12.5 0.01 0.02 12.5\n10 0 0 0 0\n7 12.5 x 0 1\n",
			want: "0, 0, 0; 2 nominal: nominal is 12.6, and for 7 it is 12.500" + revision +
				"; 3 upperTolerance: upperTolerance is 0.02 from 12.5, and the limit of 7 is 12.510" + revision +
				"; 4 lowerTolerance: lowerTolerance is 0.02 from 12.5, and the limit of 7 is 12.490" + revision +
				"; 5 number: Characteristic not found: 10; 6 upperTolerance: upperTolerance must be a decimal number of at most 18 digits",
		},
		"a machine without a unit": {
			media: machineType, parameters: []string{"constants", `{"serialId":"SN-00001"}`},
			file: "FEATURE MEAS\n7 12.5\n12 1\n", want: "1, 0, 0; 3 instrumentId: instrumentId is required", values: []string{"7 12.5 pass"},
		},
		"a report with several units and no column for them": {
			media: machineType, parameters: []string{"features", `{"CIR1 X":"20","ANG1 A":"21"}`, "constants", `{"serialId":"SN-00001"}`},
			file: readCase(t, "mixed_units.txt"), want: "2, 0, 0", values: []string{"20 0.0010 pass", "21 30.1200 pass"},
		},
		"a report with a unit for each feature": {
			media: machineType, parameters: []string{"features", `{"CIR1 X":"20","ANG1 A":"21"}`, "units", `{"ANG1 A":"deg"}`, "constants", `{"serialId":"SN-00001","unit":"MM"}`},
			file: readCase(t, "mixed_units.txt"), want: "2, 0, 0", values: []string{"20 0.0010 pass", "21 30.1200 pass"},
		},
		"a report with one unit too many": {
			media: machineType, parameters: []string{"features", `{"CIR1 X":"20","ANG1 A":"21"}`, "constants", `{"serialId":"SN-00001","unit":"mm"}`},
			file: readCase(t, "mixed_units.txt"), want: "1, 0, 0; 3 unit: unit is mm, and the unit of 21 is °",
		},
		"tolerances in columns of limits": {
			media: machineType, parameters: []string{"features", `{"Seal_X":"20","Seal_D":"24"}`, "constants", `{"serialId":"SN-00001"}`},
			file: readCase(t, "calypso_compact.txt"), want: "1, 0, 0; 3 lower: lower is 0.0000, which looks like a tolerance: from 16.0000 it leads to 16.000, the limit of 24. " +
				"Say with columns that it is lowerTolerance",
		},
		"tolerances that are said to be some": {
			media: machineType, parameters: []string{"features", `{"Seal_X":"20","Seal_D":"24"}`, "constants", `{"serialId":"SN-00001"}`,
				"columns", `{"Upper":"upperTolerance","Lower":"lowerTolerance"}`},
			file: readCase(t, "calypso_compact.txt"), want: "2, 0, 0", values: []string{"20 0.0010 pass", "24 16.0020 pass"},
		},
		"Q-DAS, values by key": {
			media: aqdefType, parameters: []string{"features", `{"1":"20","3":"24","7":"8"}`},
			file:   strings.NewReplacer("SN-00038", "SN-00001", "SN-00039", "SN-00002", "26.11.2026", "26.11.2025").Replace(readAQDEF(t, "qdas-keys.dfq")),
			want:   "4, 0, 1",
			values: []string{"20 0.001 pass", "24 16.004 pass"},
		},
		"Q-DAS, values in lines": {
			media: aqdefType, parameters: []string{"features", `{"1":"20","3":"24","7":"8"}`, "constants", `{"serialId":"SN-00001"}`, "columns", `{"K0012":"note"}`},
			file:   strings.ReplaceAll(readAQDEF(t, "qdas.dfq"), "26.11.2026", "26.11.2025"),
			want:   "3, 3, 0", // the lines are the same
			values: []string{"20 0.001 pass", "24 16.004 pass", "8 pass pass"},
		},
		"Q-DAS, gages": {
			media: aqdefType,
			file: "K0100 1\r\nK2001/1 20\r\nK4072/3 M-1\r\nK0001/1 0.001\r\nK0014/1 A-1\r\nK0012/1 3\r\nK0001/1 0.002\r\nK0014/1 A-2\r\nK0012/1 #M-1\r\n" +
				"K0001/1 0.003\r\nK0014/1 A-3\r\nK0012/1 M-9\r\n",
			want:   "2, 0, 0; 3 instrumentNumber: Instrument not found: M-9",
			values: []string{"20 0.001 pass"},
		},
		"Q-DAS, keys that say something else": {
			media: aqdefType, parameters: []string{"columns", `{"K0012":"","K0008":"measuredBy","K0054":"serialNumber"}`, "constants", `{"number":"7","instrumentId":"ext:M-1"}`},
			file: "K0100 1\nK2004/1 0\nK4093/2 Dana\nK0001/1 12,503\nK0054/1 A-1\nK0012/1 77\nK0008/1 2\n",
			want: "1, 0, 0", values: []string{"7 12.503 pass"},
		},
		"Q-DAS, a gage and a time of no sense": {
			media: aqdefType, parameters: []string{"columns", `{"K0004":""}`},
			file: "K0100 1\nK2001/1 20\nK0001/1 1\nK0014/1 A-1\nK0004/1 99.99.2025\nK0097/1 0199a5d8-0000-7000-8000-00000000000a\nK0001/1 0\nK0014/1 A-2\nK0097/1 x\n",
			want: "2, 0, 1",
		},
		"CSV with the number of the instrument": {
			file: "serialId,number,value,instrumentNumber\nSN-00001,12,1,M-1\nSN-00002,12,1,M-3\n", want: "1, 0, 0; 3 instrumentNumber: Instrument not found: M-3",
		},
		"Q-DAS, values that do not count": {
			media: aqdefType, parameters: []string{"features", `{"4":""}`},
			file: "K0100 3\nK2001/1 20\nK2002/1 X\nK2001/2 8\nK2004/2 1\nK2001/3 4\nK0001/1 0,004\nK0014/1 A-1\nK0001/1 9\nK0002/1 256\nK0014/1 A-2\n" +
				"K0020/2 5\nK0021/2 1\nK0014/2 A-1\nK0020/2 1\nK0021/2 1\nK0014/2 A-2\nK0001/3 5\nK0001/1 0\nK0014/1 A-3\nK0004/1 now\n",
			want: "2, 0, 1; 2 value: value does not count: K0002 is 256 in line 9; " +
				"3 value: value is 1 of 5 in line 12: a reading is of one unit, so K0020 has to be 1 and K0021 0 or 1; 6 measuredAt: measuredAt must be a time (ISO 8601)",
			values: []string{"20 0.004 pass"},
		},
		"a machine whose blocks name the feature": {
			media: machineType, parameters: []string{"features", `{"LOC1.X":"20","LOC1.D":"24"}`, "constants", `{"serialId":"SN-00001"}`},
			file: readCase(t, "pcdmis_dim.txt"), want: "2, 0, 0", values: []string{"20 0.002 pass", "24 16.004 pass"},
		},
		"blocks in degrees, in inches, and a line outside of them": {
			media: machineType, parameters: []string{"features", `{"ANG.A":"21","LOC.D":"24"}`, "constants", `{"serialId":"SN-00001"}`},
			file:   "DIM ANG= 2D ANGLE\nAX MEAS\nA 30.1\nDIM LOC= UNITS=IN\nMEAS AX\n0.63 D\nEND OF DIMENSION LOC\nD 16.004\n",
			want:   "1, 0, 0; 6 unit: unit is IN, and the unit of 24 is mm; 8 : The line belongs to no table of a DIM block: correct the block, or remove the line",
			values: []string{"21 30.1 pass"},
		},
		"units in other spellings": {
			media: machineType, parameters: []string{"features", `{"A":"20","B":"22","C":"21","D":"23"}`, "constants", `{"serialId":"SN-00001"}`},
			file: readCase(t, "units_case.txt"), want: "4, 0, 0", values: []string{"20 0.001 pass", "22 0.001 recorded", "21 30.1 pass", "23 0.5 recorded"},
		},
		"units and verdicts in other spellings": {
			file: "serialId,number,value,unit\nSN-00001,7,12.5,MM\nSN-00001,8,OK,\nSN-00002,8,n.i.O.,\nSN-00003,8,NOK,\nSN-00003,7,12.5,mm \nSN-00002,7,12.5,nm\n",
			want: "5, 0, 2; 7 unit: unit is nm, and the unit of 7 is mm", values: []string{"7 12.5 pass", "8 pass pass"},
		},
		"lines of JSON": {
			media: linesType, file: `{"serialId":"ext:U-1","number":7,"value":12.500}` + "\n" + `{"serialId":"SN-00002","characteristicId":"char_x","value":1}`,
			want: "1, 0, 0; 2 characteristicId: Characteristic not found: char_x", values: []string{"7 12.500 pass"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := openMeasuring(t, 3)
			media := c.media
			if media == "" {
				media = "text/csv"
			}
			target := importOf("measurements", append([]string{"onRefusal", "each"}, c.parameters...)...)
			before := contents(t, m.backDoor(t))
			if got := m.bring(t, target+"&dryRun=true", media, c.file); got.told() != c.want {
				t.Errorf("a dry run says\n%s, want\n%s", got.told(), c.want)
			}
			if after := contents(t, m.backDoor(t)); after != before {
				t.Errorf("a dry run wrote %s, before %s", after, before)
			}
			if got := m.bring(t, target, media, c.file); got.told() != c.want {
				t.Errorf("it says\n%s, want\n%s", got.told(), c.want)
			}
			if got := m.values("SN-00001"); c.values != nil && !slices.Equal(got, c.values) {
				t.Errorf("there are %q, want %q", got, c.values)
			}
			again, _, _ := strings.Cut(c.want, ";")
			var created, unchanged, failing int
			if _, err := fmt.Sscanf(again, "%d, %d, %d", &created, &unchanged, &failing); err != nil {
				t.Fatal(err)
			}
			if got := m.bring(t, target, media, c.file); got.Created != 0 || got.Unchanged != created+unchanged {
				t.Errorf("the same file again: %s", got.told())
			}
		})
	}
}

// The time in a row is the time of the measurement. The time of the entry is stored separately, and the trail has both.
func TestImportKeepsMeasuredTimes(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 3)
	bring := func(rows, want string) {
		t.Helper()
		if got := m.bring(t, importOf("measurements", "onRefusal", "each"), "text/csv", "serialId,number,value,measuredAt\n"+rows).told(); got != want {
			t.Errorf("%q: %s, want %s", rows, got, want)
		}
	}
	bring("SN-00001,7,12.501,2025-03-01T10:00:00+01:00\nSN-00002,7,12.502,2025-02-01T10:00:00Z\nSN-00003,7,12.503,\n", "3, 0, 0")
	bring("SN-00001,7,12.501,2025-03-01T10:00:00+01:00\nSN-00001,7,12.509,2025-02-28T10:00:00Z\n", "0, 1, 0; 3 number: number measures 7 of the unit a second time, after row 2")
	bring("SN-00001,7,12.509,2025-02-28T10:00:00Z\nSN-00002,8,pass,2999-01-01T00:00:00Z\nSN-00002,9,x,yesterday\nSN-00003,8,pass,1960-01-01T00:00:00Z\n",
		"0, 0, 0; 2 measuredAt: measuredAt is before 2025-03-01T09:00:00.000Z, when the reading of 7 that counts was taken; "+
			"3 measuredAt: measuredAt must not be later than now; 4 measuredAt: measuredAt must be a time (ISO 8601); "+
			"5 measuredAt: measuredAt must be a time (ISO 8601)")
	bring("SN-00001,7,12.501,2025-04-01T10:00:00Z\n", "1, 0, 0") // measured again, with the same result
	var readings []card.Measurement
	if err := json.Unmarshal([]byte(m.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001/measurements", "").body), &readings); err != nil {
		t.Fatal(err)
	}
	first := readings[0]
	if first.MeasuredAt.String() != "2025-03-01T09:00:00.000Z" || first.EnteredAt <= first.MeasuredAt {
		t.Errorf("it was measured %s and entered %s", first.MeasuredAt, first.EnteredAt)
	}
	told := m.must(t, http.StatusOK, http.MethodGet, "/api/audit/serial/SN-00001", "").body
	if !strings.Contains(told, `"measuredAt":"2025-03-01T09:00:00.000Z"`) {
		t.Errorf("the trail does not tell when it was measured: %s", told)
	}
	var chart struct {
		Points []struct{ Readings []struct{ Value string } }
	}
	body := m.must(t, http.StatusOK, http.MethodGet, "/api/characteristics/"+first.CharacteristicID+"/chart", "").body
	if err := json.Unmarshal([]byte(body), &chart); err != nil || len(chart.Points) != 3 {
		t.Fatal(body, err)
	}
	if got := chart.Points[0].Readings[0].Value; got != "12.502" {
		t.Errorf("the chart begins with %s, not with the reading that was taken first", got)
	}
	file := m.must(t, http.StatusOK, http.MethodGet, "/api/export/measurements.csv", "").body
	if got := m.bring(t, "measurements", "text/csv", file).told(); got != "0, 4, 0" {
		t.Errorf("the export is imported: %s", got)
	}
	m.verified(t)
}

// verified fails if the records do not follow from the trail.
func (m *measuring) verified(t *testing.T) {
	t.Helper()
	if found := m.differingRecords(t); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

// docs/measuring.md, "Readings": an exported row is unchanged on import or refused, even if a spreadsheet removes zeros from its limits.
func TestExportedReadings(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 2)
	m.bring(t, importOf("measurements"), "text/csv", "serialId,number,value,note\nSN-00001,7,12.500,warm\nSN-00002,7,12.6,\nSN-00002,9,007,\n")
	file := m.must(t, http.StatusOK, http.MethodGet, "/api/export/measurements.csv", "").body
	before := contents(t, m.backDoor(t))
	for _, c := range []struct{ from, to, want string }{
		{"", "", "0, 3, 0"},
		{"12.500", "12.5", "0, 3, 0"}, // the nominals, and the value
		{",mm,pass,", ",mm,fail,", "0, 2, 0; 4 verdict: verdict is not what @ has, and a reading is never changed"},
		{"12.6,", "12.7,", "0, 2, 0; 3 value: value is not what @ has, and a reading is never changed"},
		{",007,", ",7,", "0, 2, 0; 2 value: value is not what @ has, and a reading is never changed"},
		{",warm,", ",,", "0, 2, 0; 4 note: note is not what @ has, and a reading is never changed"},
		{"SN-00001", "SN-00002", "0, 2, 0; 4 serialId: serialId is not what @ has, and a reading is never changed"},
		{"meas_", "meas_X", "0, 0, 0; 2 : Measurement not found: @; 3 : Measurement not found: @; 4 : Measurement not found: @"},
	} {
		got := m.bring(t, "measurements?onRefusal=each", "text/csv", strings.ReplaceAll(file, c.from, c.to)).told()
		if c.from == "" {
			got = m.bring(t, "measurements", "text/csv", file).told()
		}
		for _, word := range strings.FieldsFunc(got, func(r rune) bool { return r == ' ' || r == ';' }) {
			if strings.HasPrefix(word, "meas_") {
				got = strings.Replace(got, word, "@", 1)
			}
		}
		if got != c.want {
			t.Errorf("%q for %q: %s, want %s", c.to, c.from, got, c.want)
		}
	}
	semicolons := strings.NewReplacer(",", ";", "12.500", "12,5", "12.490", "12,49", "12.510", "12,51").Replace(file)
	if got := m.bring(t, "measurements", "text/csv", semicolons).told(); got != "0, 3, 0" {
		t.Errorf("saved in German: %s", got)
	}
	if after := contents(t, m.backDoor(t)); after != before {
		t.Errorf("something was written: %s, before %s", after, before)
	}
}

// A row is recorded again if the plan has changed since, or if its reading was voided.
func TestReadingsAgain(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 1)
	const file = "serialId,number,value\nSN-00001,7,12.500\n"
	bring := func(want string) {
		t.Helper()
		if got := m.bring(t, importOf("measurements"), "text/csv", file).told(); got != want {
			t.Errorf("it says %s, want %s", got, want)
		}
	}
	bring("1, 0, 0")
	bring("0, 1, 0")
	m.plan("12.505")
	bring("1, 0, 0")
	bring("0, 1, 0")
	readings := m.must(t, http.StatusOK, http.MethodGet, "/api/measurements", "").body
	m.must(t, http.StatusOK, http.MethodPost, "/api/measurements/"+field(t, readings, "id")+"/void", `{"reason": "warm", "userId": "ann"}`)
	bring("1, 0, 0")
	if got := len(m.values("SN-00001")); got != 3 {
		t.Errorf("there are %d readings", got)
	}
}

// Several clients import the same file at once: each value is recorded once.
func TestReadingsByTwo(t *testing.T) {
	t.Parallel()
	const units = 30
	m := openMeasuring(t, units)
	file := new(strings.Builder)
	file.WriteString("serialId,number,value\n")
	for i := range units {
		fmt.Fprintf(file, "SN-%05d,7,12.5\n", i+1)
	}
	var together sync.WaitGroup
	results := make([]answered, 3)
	for i := range results {
		together.Go(func() {
			for {
				got, err := m.send(t.Context(), http.MethodPost, "/api/import/"+importOf("measurements", "onRefusal", "each"), file.String(), [2]string{"Content-Type", "text/csv"})
				if results[i] = got; err != nil || got.status != http.StatusServiceUnavailable {
					return
				}
			}
		})
	}
	together.Wait()
	created := 0
	for _, got := range results {
		var result imported
		if err := json.Unmarshal([]byte(got.body), &result); err != nil || got.status != http.StatusOK || len(result.Refused) > 0 {
			t.Fatal(got, err)
		}
		created += result.Created
	}
	if created != units {
		t.Errorf("%d were recorded", created)
	}
}

// An import that stops after its first thousand rows continues there when it is repeated, with the key of the request and without one.
func TestImportOfReadingsIsCutOff(t *testing.T) {
	t.Parallel()
	const rows = 1200
	kind, file := rowsOf("measurements", rows, func(i int, in *importing.MeasurementInput) {
		in.SerialID, in.Number, in.Value = input.Given(ident.DefaultPrefix.SerialID(int64(i+1))), input.Given[input.Written]("7"), input.Given[input.Written]("13")
	})
	for name, key := range map[string]string{"with a key": "k", "without": ""} {
		service := openMeasuring(t, rows).face.service
		ctx, cancel := context.WithCancel(t.Context())
		in := importing.Input{Rows: file, OnRefusal: input.Given("each"), ChangedBy: input.Given("ann"), Told: func(done, _ int) {
			if done == 1000 {
				cancel()
			}
		}}
		if _, err := importUnder(ctx, service, key, kind, in); err == nil {
			t.Fatalf("%s: it went on", name)
		}
		got, err := importUnder(t.Context(), service, key, kind, in)
		if err != nil || got.Rows != rows || len(got.Refused) != 0 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		if key != "" && (got.Created != rows || got.OutOfLimits != rows) || key == "" && (got.Created != rows-1000 || got.Unchanged != 1000) {
			t.Errorf("%s: %+v", name, got)
		}
		page, err := service.Measurements(t.Context(), shop.MeasurementQuery{SerialID: "SN-00001"})
		if err != nil || len(page.Items) != 1 {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
}

// If a row identifies its unit by the unit's own number, an empty externalId removes nothing. If it identifies the unit by the id, an empty
// externalId removes the unit's external identifier.
func TestImportKeepsExternalID(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 1)
	serial := m.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001", "").body
	place := field(t, serial, "jobId") + "," + field(t, serial, "pathId")
	for _, c := range []struct{ media, file, want string }{
		{"text/csv", "jobId,pathId,serialNumber,externalId\n" + place + ",A-1,\n", "0, 1, 0"},
		{"text/csv", "jobId,pathId,serialNumber,externalId\n" + place + ",A-1,U-1\n", "0, 1, 0"},
		{"text/csv", "jobId,pathId,serialNumber,externalId\n" + place + ",A-1, \n", "0, 1, 0"},
	} {
		if got := m.bring(t, importOf("serials"), c.media, c.file).told(); got != c.want {
			t.Errorf("%q: %s, want %s", c.file, got, c.want)
		}
		if got := field(t, m.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001", "").body, "externalId"); got != "U-1" {
			t.Errorf("%q: the external id is %q", c.file, got)
		}
	}
	m.bring(t, importOf("serials"), "text/csv", "id,externalId\nSN-00001,\n")
	if body := m.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001", "").body; strings.Contains(body, "externalId") {
		t.Errorf("the external id is there: %s", body)
	}
}
