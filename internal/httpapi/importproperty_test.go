package httpapi

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/importing"
)

// drawnKind is a kind of import: the columns of its files with their possible cells, and the columns that together identify a record.
type drawnKind struct {
	columns map[string][]string
	key     []string
}

// drawnTexts are cells as people and programs write them.
var drawnTexts = []string{
	"Shaft", " Shaft ", "Müller; Söhne", "a\nb", "tab\there", "'=1+1", "1.000", "1,000", "1E+05", "4500123.0", "007", "\u00a0", "", "", "x\x00y", "M\x81ller",
	"\u202eevil", "=1+1", "\"quoted\"", "Shaft\r\n", strings.Repeat("x", 501),
}

// drawnNumbers are cells for whole numbers.
var drawnNumbers = []string{"1", "2", " 3 ", "10.000", "1,000", "1 000", "1e2", "007", "2.0", "2,5", "-1", "0", "", "five", "9007199254740993"}

// drawnKinds returns every kind of import.
func (s *servedShop) drawnKinds(t *testing.T) map[string]drawnKind {
	t.Helper()
	job := s.made(t, "/api/jobs", `{"name": "Shaft", "goalQuantity": 5}`)
	path := s.made(t, "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 5, "steps": [{"name": "Saw"}]}`)
	s.made(t, "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 5, "userId": "ann"}`)
	parent, done, out, out2 := "SN-00001", "SN-00003", "SN-00004", "SN-00005"
	s.must(t, http.StatusOK, http.MethodPost, "/api/serials/"+done+"/advance", `{"userId": "ann"}`)
	step := field(t, strings.SplitN(s.must(t, http.StatusOK, http.MethodGet, "/api/paths/"+path, "").body, `"steps":`, 2)[1], "id")
	s.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+step+"/requirements", `{"outside": {"process": "Plating"}, "userId": "ann"}`)
	lot := s.made(t, "/api/lots", `{"material": "bar", "quantity": "1000000", "unit": "kg", "userId": "ann"}`)
	keys := []string{"K-1", "K-2", "K-3", " K-1 ", "1.5e+11", "4500123.0", ""}
	key := []string{"externalId"}
	return map[string]drawnKind{
		"jobs": {map[string][]string{
			"externalId": keys, "name": drawnTexts, "goalQuantity": drawnNumbers, "customer": drawnTexts, "partNumber": drawnTexts,
			"dueDate": {"2026-12-01", "1.12.2026", "2026-12-01T00:00:00Z", "12/1/2026", "", "soon"}, "priority": drawnNumbers,
		}, key},
		"users":   {map[string][]string{"externalId": keys, "name": drawnTexts, "department": drawnTexts, "active": {"true", "false", "", "yes"}}, key},
		"certs":   {map[string][]string{"externalId": keys, "type": {"material", "none"}, "name": drawnTexts, "metadata": {"", "{}", "{"}}, key},
		"serials": {map[string][]string{"externalId": keys, "jobId": {job}, "pathId": {path, ""}, "serialNumber": drawnTexts, "reason": {"misread"}, "userId": {"ann"}}, key},
		"measurements": {map[string][]string{
			"serialId": {"SN-00001", "SN-00002"}, "number": {"1", "2", "7.0"}, "value": drawnNumbers, "note": drawnTexts,
		}, []string{"serialId", "number"}},
		"lots": {map[string][]string{
			"externalId": keys, "material": drawnTexts, "lotNumber": {"", "B-1", "B-2", " B-1 "}, "partNumber": drawnTexts,
			"quantity": {"", "1.50", "2,5", "1.000", "0", "-1", "x"}, "unit": {"", "m", "pcs", "x"}, "expiresOn": {"", "2030-01-31", "soon"}, "userId": {"ann"},
		}, key},
		"components": {map[string][]string{
			"serialId": {parent, "SN-00001", ""}, "componentSerialId": {"", done, "SN-00002"}, "lotId": {"", lot}, "quantity": drawnNumbers,
			"place": {"", "left", " left ", "right"}, "partSerialNumber": {"", "7", "007"}, "installedBy": {"ann"},
		}, []string{"serialId", "componentSerialId", "lotId", "place", "partSerialNumber"}},
		"shipments": {map[string][]string{
			"externalId": keys, "supplier": {"Plating", "Plating", " Plating ", "Other", ""}, "serialId": {parent, out, out2, ""},
			"expectedBack": {"", "2030-01-31", "soon"}, "userId": {"ann"},
		}, []string{"externalId", "serialId"}},
	}
}

// TestEveryRowEnds draws files of every kind. Every row is created, updated, unchanged or refused with a reason. Accepted rows that
// identify one record are equal. Stored values equal those of the file, except for documented trimming.
func TestEveryRowEnds(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	kinds := workshop.drawnKinds(t)
	for _, kind := range importing.Kinds() {
		drawn, known := kinds[kind.Name]
		if !known {
			t.Errorf("%s is not drawn", kind.Name)
		}
		rapid.Check(t, func(r *rapid.T) {
			names := rapid.Permutation(slices.Sorted(maps.Keys(drawn.columns))).Draw(r, "columns")
			rows := make([]map[string]string, rapid.IntRange(1, 6).Draw(r, "rows"))
			var file strings.Builder
			writer := csv.NewWriter(&file)
			writer.Comma = rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(r, "separator")
			_ = writer.Write(names)
			for i := range rows {
				rows[i] = map[string]string{}
				cells := make([]string, len(names))
				for at, name := range names {
					cells[at] = rapid.SampledFrom(drawn.columns[name]).Draw(r, name)
					rows[i][name] = cells[at]
				}
				_ = writer.Write(append([]string{}, cells...))
			}
			writer.Flush()
			policy := rapid.SampledFrom([]string{"none", "each"}).Draw(r, "policy")
			got := workshop.bring(t, kind.Name+"?onRefusal="+policy, "text/csv", file.String())
			refused := map[int]bool{}
			for _, row := range got.Refused {
				if row.Message == "" || row.Code == "" || row.StatusCode < 400 || row.StatusCode > 499 {
					r.Fatalf("refused without a reason: %+v", row)
				}
				refused[row.Row] = true
			}
			if policy == "none" && len(refused) > 0 {
				if got.Created+got.Updated > 0 {
					r.Fatalf("rows were taken: %+v", got)
				}
				return
			}
			if got.Created+got.Updated+got.Unchanged+len(refused) != got.Rows {
				r.Fatalf("rows are lost: %+v", got)
			}
			taken, line := map[string]map[string]string{}, 1
			for _, row := range rows {
				line++
				blank := strings.TrimSpace(strings.Join(valuesOf(row, names), "")) == ""
				key := strings.TrimSpace(strings.Join(valuesOf(row, drawn.key), " "))
				if blank || refused[line] || key == "" {
					continue
				}
				if first, twice := taken[key]; twice && !slices.EqualFunc(valuesOf(first, names), valuesOf(row, names), sameTrimmed) {
					if strings.TrimSpace(first["externalId"]) != first["externalId"] || strings.TrimSpace(row["externalId"]) != row["externalId"] {
						continue
					}
					r.Fatalf("two rows changed %s: %q and %q in\n%s", key, first, row, file.String())
				}
				taken[key] = row
				if !slices.Contains([]string{"measurements", "components", "shipments"}, kind.Name) {
					workshop.storedAs(t, r, kind.Name, row, names)
				}
			}
		})
	}
}

// sameTrimmed reports whether two cells have the same value for an import, which trims them.
func sameTrimmed(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// storedAs compares a record with the row that identifies it.
func (s *servedShop) storedAs(t *testing.T, r *rapid.T, kind string, row map[string]string, names []string) {
	t.Helper()
	target := "/api/" + kind + "/ext:" + url.PathEscape(strings.TrimSpace(row["externalId"]))
	var record map[string]any
	if err := json.Unmarshal([]byte(s.must(t, http.StatusOK, http.MethodGet, target, "").body), &record); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		stored, text := strings.TrimSpace(fmt.Sprint(record[name])), row[name]
		switch value := record[name].(type) {
		case nil:
			stored = ""
		case float64:
			stored = fmt.Sprintf("%.0f", value)
		}
		switch want := strings.TrimSpace(trimmedLine.ReplaceAllString(strings.Replace(text, "'=", "=", 1), " ")); name {
		case "name", "customer", "partNumber", "department", "serialNumber", "externalId", "material":
			if stored != want {
				r.Fatalf("%s %s: the file has %q, and stored is %q", kind, name, text, stored)
			}
		case "goalQuantity":
			if stored != strings.TrimSuffix(want, ".0") {
				r.Fatalf("%s %s: the file has %q, and stored is %q", kind, name, text, stored)
			}
		}
	}
}

var trimmedLine = regexp.MustCompile(`\s*[\r\n\t]+\s*`)

func valuesOf(row map[string]string, names []string) (values []string) {
	for _, name := range names {
		values = append(values, row[name])
	}
	return values
}
