package web

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard"
)

type auditPage struct {
	frame
	Query   url.Values
	Actions []routecard.AuditAction
	Page    routecard.AuditPage
	First   bool
	past
}

// auditPerPage is how many entries one page shows.
const auditPerPage = 60

func showAudit(v *visit) error {
	ctx, query := v.r.Context(), v.r.URL.Query()
	search := v.auditQuery()
	search.Limit = auditPerPage
	page := &auditPage{frame: v.frame("Audit trail", "audit"), Query: query, Actions: routecard.AuditActions(),
		First: search.Before == ""}
	var err error
	if page.Page, err = v.service.AuditPage(ctx, search); err != nil {
		return err
	}
	if page.names, err = v.service.PastNames(ctx, page.Page.Entries); err != nil {
		return err
	}
	return v.show(http.StatusOK, "audit", page)
}

// auditQuery reads the filters. Times are typed without a zone and are in the viewer's.
func (v *visit) auditQuery() routecard.AuditQuery {
	query := v.r.URL.Query()
	at := func(field string) routecard.Timestamp {
		for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
			if at, err := time.ParseInLocation(layout, query.Get(field), v.zone); err == nil {
				return routecard.TimestampOf(at)
			}
		}
		return 0
	}
	return routecard.AuditQuery{
		Action: routecard.AuditAction(query.Get("action")), UserID: strings.TrimSpace(query.Get("user")),
		SerialID: serialTyped(query.Get("serial")), JobID: strings.TrimSpace(query.Get("job")),
		From: at("from"), Until: at("until"), Before: query.Get("before"),
	}
}

// serialTyped completes a serial's identifier of which only the number was typed.
func serialTyped(typed string) string {
	typed = strings.ToUpper(strings.TrimSpace(typed))
	if number, err := strconv.ParseInt(typed, 10, 64); err == nil && number > 0 {
		return routecard.SerialID(number)
	}
	return typed
}

// Get is a filter as it was typed.
func (p *auditPage) Get(field string) string { return p.Query.Get(field) }

// Filters are the filters without the place in the list, as a query.
func (p *auditPage) Filters() string {
	query := url.Values{}
	for field, values := range p.Query {
		if field != "before" && len(values) > 0 && values[0] != "" {
			query.Set(field, values[0])
		}
	}
	return query.Encode()
}

// NextURL is where older entries are.
func (p *auditPage) NextURL() string {
	query, _ := url.ParseQuery(p.Filters())
	query.Set("before", p.Page.Next)
	return "/audit?" + query.Encode()
}

// downloadAudit sends all entries that match the filters, as they are read.
func downloadAudit(v *visit) error {
	search := v.auditQuery()
	search.Limit = routecard.NoLimit
	entries := v.service.SearchAudit(v.r.Context(), search)
	header := v.w.Header()
	write := writeCSV
	name, kind := "audit.csv", "text/csv; charset=utf-8"
	if strings.HasSuffix(v.r.URL.Path, ".json") {
		write, name, kind = writeJSONLines, "audit.json", "application/json"
	}
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	header.Set("Cache-Control", "no-store")
	controller := http.NewResponseController(v.w)
	step := func() { _ = controller.SetWriteDeadline(time.Now().Add(time.Minute)) }
	if err := write(v.w, step, entries); err != nil {
		v.logger.Info("download cut off", "error", err)
		panic(http.ErrAbortHandler) // so that half a file is not taken for a whole one
	}
	return nil
}

type auditSequence = func(yield func(routecard.AuditEntry, error) bool)

func writeCSV(w http.ResponseWriter, step func(), entries auditSequence) error {
	table := csv.NewWriter(w)
	columns := []string{"id", "timestamp", "action", "userId", "serialId", "jobId", "pathId", "stepId", "fromStepId",
		"toStepId", "certId", "batchQuantity", "metadata"}
	if err := table.Write(columns); err != nil {
		return err
	}
	count := 0
	for entry, err := range entries {
		if err != nil {
			return err
		}
		count++
		if count%1000 == 1 {
			step()
		}
		quantity := ""
		if entry.BatchQuantity > 0 {
			quantity = strconv.FormatInt(entry.BatchQuantity, 10)
		}
		row := []string{entry.ID, entry.Timestamp.String(), string(entry.Action), entry.UserID, entry.SerialID, entry.JobID,
			entry.PathID, entry.StepID, entry.FromStepID, entry.ToStepID, entry.CertID, quantity, string(entry.Metadata)}
		for i := range row {
			row[i] = harmless(row[i])
		}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// harmless keeps spreadsheets from taking a text for a formula.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func writeJSONLines(w http.ResponseWriter, step func(), entries auditSequence) error {
	count := 0
	separator := "["
	for entry, err := range entries {
		if err != nil {
			return err
		}
		count++
		if count%1000 == 1 {
			step()
		}
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		if _, err := w.Write(append([]byte(separator+"\n"), text...)); err != nil {
			return err
		}
		separator = ","
	}
	end := "\n]\n"
	if count == 0 {
		end = "[]\n"
	}
	_, err := w.Write([]byte(end))
	return err
}
