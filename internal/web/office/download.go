package office

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// csvChunk is the maximum number of entries whose names are loaded together. A chunk ends early if its metadata exceeds csvWeight bytes.
const (
	csvChunk  = 500
	csvWeight = 256 << 10
)

// downloadAudit reads all entries that match the filters and sends them at the same time.
func downloadAudit(v *site.Visit) error {
	search, err := auditQuery(v)
	if err != nil {
		return err
	}
	search.Limit = shop.NoLimit
	entries := v.Views.SearchAudit(v.R.Context(), search)
	if strings.HasSuffix(v.R.URL.Path, ".json") {
		return site.SendDownload(v, "audit.json", "application/json", func(w io.Writer) error { return writeJSONLines(w, entries) })
	}
	return site.SendDownload(v, "audit.csv", site.CSVType, func(w io.Writer) error { return writeCSV(v, w, entries) })
}

// writeCSV writes the entries with the columns of the API, followed by the names of the records that they refer to, as they were at the
// time of the entry.
func writeCSV(v *site.Visit, w io.Writer, entries iter.Seq2[trail.Entry, error]) error {
	table := csv.NewWriter(w)
	columns := []string{"id", "timestamp", "action", "userId", "serialId", "jobId", "pathId", "stepId", "fromStepId",
		"toStepId", "certId", "batchQuantity", "metadata", "user", "job", "step", "fromStep", "toStep", "certificate", "actor",
		"means", "takenBackAt", "takenBackBy"}
	if err := table.Write(columns); err != nil {
		return err
	}
	chunk, weight := make([]trail.Entry, 0, csvChunk), 0
	flush := func() error {
		err := writeRows(v, table, chunk)
		clear(chunk)
		chunk, weight = chunk[:0], 0
		return err
	}
	for entry, err := range entries {
		if err != nil {
			return err
		}
		weight += len(entry.Metadata)
		if chunk = append(chunk, entry); len(chunk) == csvChunk || weight > csvWeight {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	table.Flush()
	return table.Error()
}

func writeRows(v *site.Visit, table *csv.Writer, entries []trail.Entry) error {
	ctx, done := shop.Passing(v.R.Context())
	defer done()
	names, err := v.Views.PastNames(ctx, entries)
	if err != nil {
		return err
	}
	takenBack, err := v.Views.TakenBack(ctx, entries)
	if err != nil {
		return err
	}
	told := site.Past{NamesThen: names}
	for _, entry := range entries {
		step := func(id string) string {
			if id == "" {
				return ""
			}
			return told.StepNameIn(entry, id)
		}
		quantity := ""
		if entry.BatchQuantity > 0 {
			quantity = strconv.FormatInt(entry.BatchQuantity, 10)
		}
		row := []string{entry.ID, entry.Timestamp.String(), string(entry.Action), entry.UserID, entry.SerialID, entry.JobID,
			entry.PathID, entry.StepID, entry.FromStepID, entry.ToStepID, entry.CertID, quantity, string(entry.Metadata),
			told.WhoThen(entry), told.JobThen(entry), step(entry.StepID), step(entry.FromStepID), step(entry.ToStepID),
			told.CertificateThen(entry), entry.Actor, entry.Means}
		if undo, ok := takenBack[entry.ID]; ok {
			row = append(row, undo.Timestamp.String(), told.WhoThen(undo))
		} else {
			row = append(row, "", "")
		}
		for i := range row {
			row[i] = sheet.Harmless(row[i])
		}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// writeJSONLines writes entries as a JSON array, one entry per line.
func writeJSONLines(w io.Writer, entries iter.Seq2[trail.Entry, error]) error {
	separator, end := "[", "[]\n"
	for entry, err := range entries {
		if err != nil {
			return err
		}
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		if _, err := w.Write(append([]byte(separator+"\n"), text...)); err != nil {
			return err
		}
		separator, end = ",", "\n]\n"
	}
	_, err := io.WriteString(w, end)
	return err
}
