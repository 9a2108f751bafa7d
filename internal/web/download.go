package web

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// downloadBuffer is how much of a file is gathered before it is sent. While nothing was sent, a failure has a page.
const downloadBuffer = 32 << 10

// downloadAudit sends all entries that match the filters, as they are read.
func downloadAudit(v *visit) error {
	search, err := auditQuery(v)
	if err != nil {
		return err
	}
	search.Limit = shop.NoLimit
	entries := v.views.SearchAudit(v.r.Context(), search)
	if strings.HasSuffix(v.r.URL.Path, ".json") {
		return sendDownload(v, "audit.json", "application/json", func(w io.Writer) error { return writeJSONLines(w, entries) })
	}
	return sendDownload(v, "audit.csv", csvType, func(w io.Writer) error { return writeCSV(v, w, entries) })
}

const (
	csvType      = "text/csv; charset=utf-8"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// sendDownload sends a file as it is written, to a visitor who may read for as long as that takes.
func sendDownload(v *visit, name, kind string, write func(io.Writer) error) error {
	to := v.w
	if v.access != nil {
		to = v.access.Watched(v.w, v.r, shop.Read)
	}
	file := &download{w: to, name: name, kind: kind}
	buffer := bufio.NewWriterSize(file, downloadBuffer)
	err := write(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil || file.patient == nil {
		return err
	}
	v.logger.Info("download cut off", "error", err)
	panic(http.ErrAbortHandler) // so that half a file is not taken for a whole one
}

// download is a file on its way to a client. It begins with the first piece.
type download struct {
	w          http.ResponseWriter
	name, kind string
	patient    *patience.Writer // nil while nothing was sent
}

func (d *download) Write(piece []byte) (int, error) {
	if d.patient == nil {
		header := d.w.Header()
		header.Set("Content-Type", d.kind)
		header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", d.name))
		header.Set("Cache-Control", "no-store")
		d.patient = patience.Limited(d.w)
		if d.kind == csvType && !bytes.HasPrefix(piece, []byte(sheet.ByteOrderMark)) {
			if _, err := d.patient.Write([]byte(sheet.ByteOrderMark)); err != nil {
				return 0, err
			}
		}
	}
	return d.patient.Write(piece)
}

// csvChunk is how many entries are named together, when their texts have less than csvWeight bytes.
const (
	csvChunk  = 500
	csvWeight = 256 << 10
)

// writeCSV writes the entries as the interface has them, and behind them the names of what they speak of, as it was
// called then.
func writeCSV(v *visit, w io.Writer, entries iter.Seq2[trail.Entry, error]) error {
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

func writeRows(v *visit, table *csv.Writer, entries []trail.Entry) error {
	ctx, done := shop.Passing(v.r.Context())
	defer done()
	names, err := v.views.PastNames(ctx, entries)
	if err != nil {
		return err
	}
	takenBack, err := v.views.TakenBack(ctx, entries)
	if err != nil {
		return err
	}
	told := past{names: names}
	for _, entry := range entries {
		step := func(id string) string {
			if id == "" {
				return ""
			}
			return told.stepIn(entry, id)
		}
		quantity := ""
		if entry.BatchQuantity > 0 {
			quantity = strconv.FormatInt(entry.BatchQuantity, 10)
		}
		row := []string{entry.ID, entry.Timestamp.String(), string(entry.Action), entry.UserID, entry.SerialID, entry.JobID,
			entry.PathID, entry.StepID, entry.FromStepID, entry.ToStepID, entry.CertID, quantity, string(entry.Metadata),
			told.who(entry), told.JobThen(entry), step(entry.StepID), step(entry.FromStepID), step(entry.ToStepID),
			told.CertificateThen(entry), entry.Actor, entry.Means}
		if undo, ok := takenBack[entry.ID]; ok {
			row = append(row, undo.Timestamp.String(), told.who(undo))
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
