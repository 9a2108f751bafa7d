package httpapi

import (
	"bytes"
	"io"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/internal/as9102"
	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

const (
	csvType      = "text/csv; charset=utf-8"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// exportRoutes lists the operations that export the rows of a list that a query selects, one for each form of file.
func exportRoutes() (all []route) {
	for _, of := range views.Lists() {
		if of.Export == nil {
			continue
		}
		for _, form := range exportForms(of.Export.Columns) {
			all = append(all, exportRoute(of.Export.Name+form.file, form, listing{
				query: of.Export.Query,
				page: func(s *Server, c *call, query any) (views.Found, error) {
					return of.Export.Read(c.r.Context(), s.views, &of, "", query)
				},
			}))
		}
	}
	return append(all, exportAQDEF())
}

// exportRoute returns the route of an export. It has the filter parameters of the search; CSV and the Q-DAS transfer format also have the
// parameter bom.
func exportRoute(file string, form form, l listing) route {
	l.form, l.without = form, []string{"sort", "limit", "after", "before"}
	l.form.file = file
	if form.mediaType == linesType || form.mediaType == workbookType {
		l.without = append(l.without, "bom")
	}
	return route{"GET /api/export/" + file, shop.OpRead, asked, unmatched, listHandler(l)}
}

// exportAQDEF exports the readings of a job in the Q-DAS transfer format. The head of the file describes the part of the job.
func exportAQDEF() route {
	type query = views.ExportQuery[shop.MeasurementQuery]
	texts := form{mediaType: aqdefType + "; charset=utf-8", begin: func(to *listStream, _ *views.Found) (rowWriter, error) {
		return textRows{to}, nil
	}}
	return exportRoute("measurements.dfq", texts, listing{
		query: func() any { return &query{} },
		page: func(s *Server, c *call, asked any) (found views.Found, err error) {
			query := asked.(*query) //nolint:errcheck,forcetypeassert // made above
			export, err := s.views.ExportAQDEF(c.r.Context(), query.Search)
			if err != nil {
				return found, err
			}
			found.Head = query.Head() + string(aqdef.AppendPart(nil, &export.Part))
			found.Rows = func(yield func(any, error) bool) {
				var text []byte
				for value, err := range export.Values {
					text = aqdef.AppendValue(text[:0], &export.Part, &value)
					if !yield(&text, err) {
						return
					}
				}
			}
			return found, nil
		},
	})
}

// textRows writes rows that are encoded already.
type textRows struct{ stream *listStream }

func (t textRows) Row(row any) error { return encode(&t.stream.buffer, row) }
func (t textRows) Close() error      { return nil }

// exportForms returns the forms of files. Each has the extension of the file name.
func exportForms(columns []string) []form {
	table := func(begin func(to io.Writer) (sheet.Table, error)) func(*listStream, *views.Found) (rowWriter, error) {
		return func(to *listStream, _ *views.Found) (rowWriter, error) {
			table, err := begin(&to.buffer)
			return tableRows{table}, err
		}
	}
	return []form{
		{mediaType: csvType, file: ".csv", begin: table(func(to io.Writer) (sheet.Table, error) { return sheet.NewCSV(to, columns) })},
		{mediaType: linesType, file: ".ndjson", begin: table(func(to io.Writer) (sheet.Table, error) {
			return &lines{to: to, columns: columns}, nil
		})},
		{mediaType: workbookType, file: ".xlsx", begin: table(func(to io.Writer) (sheet.Table, error) {
			return sheet.NewWorkbook(to, columns)
		})},
	}
}

// tableRows writes rows of table cells.
type tableRows struct{ sheet.Table }

func (t tableRows) Row(row any) error { return t.Table.Row(*row.(*[]sheet.Cell)) } //nolint:errcheck,forcetypeassert // of a views.Export

// lines writes each row of a table as a JSON object followed by a line feed. It omits columns without a value.
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

// getFirstArticleWorkbook responds with the forms of a first article inspection.
func getFirstArticleWorkbook(s *Server, c *call) error {
	found, err := s.views.FirstArticleSheet(c.r.Context(), c.id())
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := as9102.Workbook(&file, &found.FirstArticle, found.Signed()); err != nil {
		return err
	}
	header := c.w.Header()
	header.Set("Content-Type", workbookType)
	header.Set("Content-Disposition", `attachment; filename="`+found.FirstArticle.ID+`.xlsx"`)
	header.Set("Cache-Control", "no-cache")
	_, err = c.w.Write(file.Bytes())
	return err
}
