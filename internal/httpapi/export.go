package httpapi

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

const (
	csvType      = "text/csv; charset=utf-8"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// exportRoutes lists the operations that answer all that a search finds as a file, in each form.
func exportRoutes() (all []route) {
	for _, form := range exportForms() {
		all = append(all,
			exportRoute(form, "jobs", (*views.Views).ExportJobs),
			exportRoute(form, "serials", (*views.Views).ExportSerials),
			exportRoute(form, "steps", (*views.Views).ExportVisits),
			exportRoute(form, "audit", (*views.Views).ExportAudit),
			exportRoute(form, "certs", (*views.Views).ExportCertificates),
			exportRoute(form, "users", (*views.Views).ExportUsers),
			exportRoute(form, "measurements", (*views.Views).ExportMeasurements),
		)
	}
	return append(all, exportAQDEF())
}

// exportAQDEF answers the readings of a job in the Q-DAS transfer format, which names the job in its part.
func exportAQDEF() route {
	parameters := slices.DeleteFunc(newParameters[exportQuery[shop.MeasurementQuery]](), func(p parameter) bool {
		return slices.Contains([]string{"limit", "before"}, p.name)
	})
	return route{"GET /api/export/measurements.dfq", shop.OpRead, asked, unmatched, func(s *Server, c *call) error {
		var query exportQuery[shop.MeasurementQuery]
		if err := parameters.read(c.r, &query); err != nil {
			return err
		}
		export, err := s.views.ExportAQDEF(c.r.Context(), query.Search)
		if err != nil {
			return err
		}
		stream := newStream(c, http.StatusOK)
		stream.kind, stream.file = aqdefType+"; charset=utf-8", "measurements.dfq"
		if query.ByteOrderMark {
			stream.text(sheet.ByteOrderMark)
		}
		stream.add(func(text []byte) []byte { return aqdef.AppendPart(text, &export.Part) })
		for value, err := range export.Values {
			if err != nil {
				return stream.fail(err)
			}
			if c.r.Method == http.MethodHead {
				return stream.flush()
			}
			stream.add(func(text []byte) []byte { return aqdef.AppendValue(text, &export.Part, &value) })
			if err := stream.flushFull(); err != nil {
				return err
			}
		}
		return stream.finish()
	}}
}

// exportForm is a form of files: how their names end, and what writes one.
type exportForm struct {
	suffix, mediaType string
	begin             func(to io.Writer, columns []string) (sheet.Table, error)
}

func exportForms() []exportForm {
	return []exportForm{
		{".csv", csvType, func(to io.Writer, columns []string) (sheet.Table, error) { return sheet.NewCSV(to, columns) }},
		{".ndjson", linesType, func(to io.Writer, columns []string) (sheet.Table, error) {
			return &lines{to: to, columns: columns}, nil
		}},
		{".xlsx", workbookType, func(to io.Writer, columns []string) (sheet.Table, error) { return sheet.NewWorkbook(to, columns) }},
	}
}

// exportQuery is the query of an export: the search, and whether CSV begins with a byte order mark, which Excel needs to read UTF-8.
type exportQuery[Query any] struct {
	Search        Query
	ByteOrderMark bool `query:"bom"`
}

// exportRoute answers what a search of the kind finds. It has the parameters of the search that narrow, and CSV has bom.
func exportRoute[Query any](form exportForm, kind string, export func(*views.Views, context.Context, Query) views.Export) route {
	parameters := slices.DeleteFunc(newParameters[exportQuery[Query]](), func(p parameter) bool {
		return slices.Contains([]string{"sort", "limit", "after", "before"}, p.name) || p.name == "bom" && form.mediaType != csvType
	})
	file := kind + form.suffix
	return route{"GET /api/export/" + file, shop.OpRead, asked, unmatched, func(s *Server, c *call) error {
		var query exportQuery[Query]
		if err := parameters.read(c.r, &query); err != nil {
			return err
		}
		start := ""
		if query.ByteOrderMark {
			start = sheet.ByteOrderMark
		}
		return writeTable(c, form, file, start, export(s.views, c.r.Context(), query.Search))
	}}
}

// writeTable answers a table of any length, after the text start, without keeping it in memory. When it fails on the way, the connection
// is cut. For a HEAD it reads no more than the first row.
func writeTable(c *call, form exportForm, file, start string, export views.Export) error {
	stream := newStream(c, http.StatusOK)
	stream.kind, stream.file = form.mediaType, file
	stream.buffer.WriteString(start)
	table, err := form.begin(&stream.buffer, export.Columns)
	if err != nil {
		return err
	}
	for row, err := range export.Rows {
		if err != nil {
			return stream.fail(err)
		}
		if c.r.Method == http.MethodHead {
			return stream.flush()
		}
		if err := table.Row(row); err != nil {
			return stream.fail(err)
		}
		if err := stream.flushFull(); err != nil {
			return err
		}
	}
	if err := table.Close(); err != nil {
		return stream.fail(err)
	}
	return stream.finish()
}

// lines writes each row of a table as a JSON object with a line feed behind it, without the columns in which it has nothing.
type lines struct {
	to      io.Writer
	columns []string
	line    []byte
}

func (l *lines) Row(cells []sheet.Cell) error {
	l.line = append(l.line[:0], '{')
	for i := range cells {
		if cells[i].Kind == sheet.Nothing {
			continue
		}
		if len(l.line) > 1 {
			l.line = append(l.line, ',')
		}
		l.line = append(appendText(l.line, l.columns[i]), ':')
		if text := cells[i].String(); cells[i].Kind == sheet.TextKind {
			l.line = appendText(l.line, text)
		} else {
			l.line = append(l.line, text...)
		}
	}
	l.line = append(l.line, '}', '\n')
	_, err := l.to.Write(l.line)
	return err
}

func (l *lines) Close() error { return nil }
