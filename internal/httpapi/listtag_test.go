package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// taggedList is a list with its tag and its rows as of the last read. The rows are by identifier.
type taggedList struct {
	target, tag, body string
	rows              map[string]map[string]json.RawMessage
	columns, changed  map[string]bool
}

// taggedLists returns every list of the document, whole and by page, if the list has a tag and, with the records of taggedShop, rows.
func taggedLists(t *testing.T, workshop *servedShop, names *strings.Replacer, steps string) (lists []*taggedList) {
	t.Helper()
	document := loadDocument(t)
	owners := strings.NewReplacer("serials/{id}", "serials/$serial", "serial/{id}", "serial/$serial", "jobs/{id}", "jobs/$job", "job/{id}",
		"job/$job", "certs/{id}", "certs/$cert", "bom/{id}", "bom/$bom", "steps/{id}", "steps/"+steps, "step/{id}", "step/"+steps)
	for address, item := range document.Paths.Map() {
		if item.Get == nil || item.Get.Responses.Status(http.StatusOK) == nil {
			continue
		}
		media := item.Get.Responses.Status(http.StatusOK).Value.Content.Get("application/json")
		target := names.Replace(owners.Replace(address))
		if media == nil || media.Schema.Value.Items == nil || strings.Contains(target, "{") {
			continue
		}
		for _, query := range []string{"", "?limit=500"} {
			list := &taggedList{target: target + query, columns: map[string]bool{}, changed: map[string]bool{}}
			got, err := workshop.send(t.Context(), http.MethodGet, list.target, "")
			if err != nil {
				t.Fatal(err)
			}
			if got.status != http.StatusOK || got.header.Get("ETag") == "" {
				continue
			}
			for name, column := range columnsOf(media.Schema.Value.Items.Value) {
				list.columns[name] = query != "" || !strings.Contains(column.Value.Description, "Only in pages of the list")
			}
			lists = append(lists, list)
		}
	}
	return lists
}

// columnsOf returns the members of a schema and of those that it is composed of.
func columnsOf(schema *openapi3.Schema) openapi3.Schemas {
	columns := maps.Clone(schema.Properties)
	if columns == nil {
		columns = openapi3.Schemas{}
	}
	for _, part := range schema.AllOf {
		maps.Copy(columns, columnsOf(part.Value))
	}
	return columns
}

// read reads a list with If-None-Match. It notes which columns changed in rows that existed before.
func (l *taggedList) read(t *testing.T, workshop *servedShop, after string) {
	t.Helper()
	fresh := workshop.must(t, http.StatusOK, http.MethodGet, l.target, "")
	tag := fresh.header.Get("ETag")
	if fresh.body != l.body && tag == l.tag {
		t.Errorf("after %s %s is\n%s\nwith the tag %s of\n%s", after, l.target, fresh.body, tag, l.body)
	}
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(fresh.body), &rows); err != nil {
		t.Fatalf("%s: %v", l.target, err)
	}
	before := l.rows
	l.tag, l.body, l.rows = tag, fresh.body, map[string]map[string]json.RawMessage{}
	for i, row := range rows {
		id := string(row["id"])
		if id == "" {
			id = fmt.Sprint(i)
		}
		l.rows[id] = row
		if old, there := before[id]; there {
			for column := range l.columns {
				l.changed[column] = l.changed[column] || string(old[column]) != string(row[column])
			}
		}
	}
}

// TestTagsOfListsCoverEveryColumn changes each source of each column of the lists of jobs and units: the tag of a list changes whenever any
// of its rows does. Every other list with a tag is compared after the same changes. A new column needs a change here, or an entry in the
// table of fixed columns.
func TestTagsOfListsCoverEveryColumn(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	var path struct{ Steps []struct{ ID string } }
	_ = json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, names.Replace("/api/paths/$path"), "").body), &path)
	lists := taggedLists(t, workshop, names, path.Steps[0].ID)
	look := func(after string) {
		t.Helper()
		for _, list := range lists {
			list.read(t, workshop, after)
		}
	}
	look("the beginning")
	for _, change := range []struct{ method, target, body string }{
		{"PUT", "/api/jobs/$job", `{"name": "Housing"}`},
		{"PUT", "/api/jobs/$job", `{"goalQuantity": 5}`},
		{"PUT", "/api/jobs/$job", `{"partNumber": "VB-210", "partRevision": "B", "customer": "Meier", "orderNumber": "4711"}`},
		{"PUT", "/api/jobs/$job", `{"description": "Hone twice", "dueDate": "2026-12-01", "priority": 2}`},
		{"PUT", "/api/jobs/$job", `{"gtin": "40123455"}`},
		{"PUT", "/api/jobs/$job", `{"drawingNumber": "D-1", "drawingRevision": "C", "orderLine": "10", "customerAddress": "Mill 2", "language": "de"}`},
		{"PUT", "/api/jobs/$job", `{"externalId": "ERP-1"}`},
		{"PUT", "/api/jobs/$job", `{"externalId": ""}`},
		{"PUT", "/api/paths/$path", `{"name": "Milling"}`},
		{"PUT", "/api/paths/$path", `{"steps": [{"name": "Saw"}, {"name": "B"}, {"name": "C"}]}`},
		{"PATCH", "/api/steps/$step/assign", `{"userId": "$user"}`},
		{"PATCH", "/api/steps/$step/config", `{"optional": true}`},
		{"POST", "/api/serials/$serial/advance", `{"userId": "ann"}`},
		{"PUT", "/api/serials/$serial/serial-number", `{"serialNumber": "VB-7", "userId": "ann"}`},
		{"PUT", "/api/serials/$serial", `{"externalId": "ERP-7", "userId": "ann"}`},
		{"POST", "/api/serials/SN-00002/hold", `{"reason": "Crack", "userId": "ann"}`},
		{"POST", "/api/serials/SN-00002/scrap", `{"reason": "damaged", "userId": "ann"}`},
		{"PUT", "/api/users/$user", `{"name": "Anna", "department": "Milling"}`},
		{"POST", "/api/serials/$serial/attach-cert", `{"certId": "$cert", "userId": "ann"}`},
		{"POST", "/api/notes", `{"jobId": "$job", "pathId": "$path", "serialIds": ["$serial"], "stepId": "$step", "text": "Dry", "userId": "ann"}`},
		{"POST", "/api/serials/$serial/force-complete", `{"reason": "Prototype", "userId": "ann"}`},
		{"POST", "/api/jobs/$job/close", `{"reason": "canceled", "userId": "ann"}`},
	} {
		replace := func(text string) string { return names.Replace(strings.ReplaceAll(text, "$step", path.Steps[0].ID)) }
		got, err := workshop.send(t.Context(), change.method, replace(change.target), replace(change.body))
		if err != nil || got.status >= http.StatusBadRequest {
			t.Errorf("%s %s: %d %s %v", change.method, change.target, got.status, got.body, err)
		}
		look(change.method + " " + change.target + " " + change.body)
	}
	fixed := map[string][]string{ // columns that the service never changes
		"/api/jobs": {"id", "createdAt", "trackerTicketKey", "trackerTicketSummary", "trackerPartNumber", "trackerPriority",
			"trackerEpicLink", "trackerLabels"},
		"/api/serials": {"id", "jobId", "pathId", "createdAt"},
	}
	found := 0
	for _, list := range lists {
		address, _, _ := strings.Cut(list.target, "?")
		if _, whole := fixed[address]; !whole {
			continue
		}
		for column, shown := range list.columns {
			if never := slices.Contains(fixed[address], column); shown && list.changed[column] == never {
				t.Errorf("%s: the column %s changed: %t", list.target, column, !never)
			}
		}
		found++
	}
	if found != 2*len(fixed) {
		t.Errorf("%d lists of %v have a tag, whole or by page", found, slices.Collect(maps.Keys(fixed)))
	}
}
