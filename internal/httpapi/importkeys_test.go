package httpapi

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
)

// caseFile reads a file like those of real users.
func caseFile(t *testing.T, name string) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("..", "importcsv", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

// made creates a record, and returns its id.
func (s *servedShop) made(t *testing.T, target, body string) string {
	t.Helper()
	return field(t, s.must(t, http.StatusCreated, http.MethodPost, target, body).body, "id")
}

// keyedKinds returns the kinds with keys: the columns of a row that creates a record, a row without a name, and its columns before the
// name.
func (s *servedShop) keyedKinds(t *testing.T) map[string]string {
	t.Helper()
	job := s.made(t, "/api/jobs", `{"name": "Shaft", "goalQuantity": 5}`)
	path := s.made(t, "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 5, "steps": [{"name": "Saw"}]}`)
	return map[string]string{
		"jobs": "goalQuantity,name\n%s,5,%s\n", "users": "department,name\n%s,QA,%s\n", "certs": "type,name\n%s,material,%s\n",
		"serials": "jobId,pathId,serialNumber\n%s," + job + "," + path + ",%s\n",
		"lots":    "category,material,userId\n%s,standard,%s,ann\n",
	}
}

// TestKeyTwice imports files of every kind in which two rows have the same key: the second is refused with the number of the first, unless
// the two are equal.
func TestKeyTwice(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	kinds := workshop.keyedKinds(t)
	for _, kind := range importing.Kinds() {
		if kind.Name == "shipments" {
			continue // its rows share keys: see TestImportOfShipments
		}
		columns, row, keyed := strings.Cut(kinds[kind.Name], "\n")
		if keyed != slices.ContainsFunc(kind.Fields, func(field input.Field) bool { return field.Name == "externalId" }) {
			t.Errorf("%s is not tried", kind.Name)
		}
		if !keyed {
			continue
		}
		rows := func(key string, of ...[2]string) string {
			file := key + "," + columns + "\n"
			for _, row := range of {
				file += row[0] + "," + row[1] + "\n"
			}
			return file
		}
		say := func(key, name string) [2]string {
			return [2]string{key, strings.TrimSuffix(strings.SplitN(fmt.Sprintf(row, "", name), ",", 2)[1], "\n")}
		}
		for _, policy := range []string{"none", "each"} {
			key := policy + kind.Name
			got := workshop.bring(t, kind.Name+"?onRefusal="+policy, "text/csv", rows("externalId", say(key, "A"+key), say("other"+key, "C"+key), say(key, "B"+key)))
			if len(got.Refused) != 1 || got.Refused[0].Row != 4 || got.Refused[0].Column != "externalId" || got.Refused[0].Code != "key_twice" ||
				!strings.HasPrefix(got.Refused[0].Message, "externalId names the record of row 2,") {
				t.Errorf("%s %s: %+v", kind.Name, policy, got)
			}
			got = workshop.bring(t, kind.Name+"?onRefusal="+policy, "text/csv", rows("externalId", say(key, "A"+key), say(key, "A"+key)))
			if want := map[string]int{"none": 1, "each": 0}[policy]; got.Created != want || got.Unchanged != 2-want || len(got.Refused) > 0 {
				t.Errorf("%s %s, equal rows: %+v", kind.Name, policy, got)
			}
			body := workshop.must(t, http.StatusOK, http.MethodGet, "/api/"+kind.Name+"/ext:"+key, "").body
			if !strings.Contains(body, "A"+key) {
				t.Errorf("%s %s: %s", kind.Name, policy, body)
			}
			id := field(t, body, "id")
			// Two keys identify the same record.
			file := "id,externalId," + columns + "\n" + id + ",," + say("", "X"+key)[1] + "\n," + key + "," + say("", "Y"+key)[1] + "\n"
			file = strings.ReplaceAll(file, ",,", ","+key+",")
			if got = workshop.bring(t, kind.Name, "text/csv", file); len(got.Refused) == 0 || got.Refused[len(got.Refused)-1].Code != "key_twice" {
				t.Errorf("%s by id: %+v", kind.Name, got)
			}
			file = "id," + columns + "\n" + id + "," + say("", "X"+key)[1] + "\next:" + key + "," + say("", "Y"+key)[1] + "\n"
			if got = workshop.bring(t, kind.Name, "text/csv", file); len(got.Refused) == 0 || got.Refused[len(got.Refused)-1].Code != "key_twice" {
				t.Errorf("%s by external id: %+v", kind.Name, got)
			}
		}
	}
	if got := workshop.bring(t, "users", "text/csv", caseFile(t, "dupusers.csv")); len(got.Refused) != 1 || got.Refused[0].Row != 3 || got.Created > 0 {
		t.Errorf("%+v", got)
	}
	// A refused row still counts as one of the two, because its key may be right.
	got := workshop.bring(t, "users?onRefusal=each", "text/csv", "externalId,name\nE-7,\nE-7,Ann\n")
	if len(got.Refused) != 2 || got.Created > 0 {
		t.Errorf("%+v", got)
	}
}

// TestUnitTwice imports one unit in two rows, by number and by key.
func TestUnitTwice(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	columns, row, _ := strings.Cut(workshop.keyedKinds(t)["serials"], "\n")
	unit := func(key, number string) string { return fmt.Sprintf(row, key, number) }
	head := "externalId," + columns + "\n"
	for file, refused := range map[string]int{
		unit("E-1", "N-1") + unit("E-2", "N-1"): 3,
		unit("", "N-1") + unit("E-1", "N-1"):    3,
		unit("E-1", "N-1") + unit("E-1", "N-1"): 0,
		unit("", "N-1") + unit("", "N-1"):       0,
	} {
		got := workshop.bring(t, "serials?dryRun=true", "text/csv", head+file)
		if refused == 0 && (got.Created != 1 || got.Unchanged != 1) || refused > 0 && (len(got.Refused) != 1 || got.Refused[0].Row != refused) {
			t.Errorf("%s: %+v", file, got)
		}
	}
	// The number of an existing unit, and then its key.
	if got := workshop.bring(t, "serials", "text/csv", head+unit("E-1", "N-1")); got.Created != 1 {
		t.Errorf("%+v", got)
	}
	file := "reason," + head + "misread," + unit("E-1", "N-2") + "misread," + unit("", "N-2")
	got := workshop.bring(t, "serials?dryRun=true&changedBy=ann", "text/csv", file)
	if len(got.Refused) != 1 || got.Refused[0].Row != 3 || got.Refused[0].Code != "key_twice" {
		t.Errorf("%+v", got)
	}
}

// TestUsersWithoutKeys imports operators by name and department, and the same file again.
func TestUsersWithoutKeys(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	file := caseFile(t, "users.csv")
	if got := workshop.bring(t, "users", "text/csv", file); got.Created != 3 {
		t.Errorf("%+v", got)
	}
	for _, again := range []string{file, file + "Eva Maier,Milling\n", "name\nEva Maier\n", " name , department \n Eva Maier ,QA\n"} {
		got := workshop.bring(t, "users?onRefusal=each", "text/csv", again)
		if want := strings.Count(again, "\n") - 1; strings.Contains(again, "Maier ,QA") != (got.Created == 1) || got.Created+got.Unchanged != want {
			t.Errorf("%q: %+v", again, got)
		}
	}
	// A row with another value of active may be the same person or another one: it is refused, because it has no key.
	got := workshop.bring(t, "users", "text/csv", "name,department,active\nEva Maier,Milling,false\n")
	if len(got.Refused) != 1 || got.Refused[0].Code != "user_unclear" || got.Refused[0].Column != "active" {
		t.Errorf("%+v", got)
	}
	if got := workshop.bring(t, "users", "text/csv", "name,department,active\nBob,Milling,false\nBob,Milling,false\n"); got.Created != 1 || got.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	if got := workshop.bring(t, "users", "text/csv", "name,department,externalId\nEva Maier,Milling,P-7\n"); got.Created != 1 {
		t.Errorf("%+v", got)
	}
}
