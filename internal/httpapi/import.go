package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/routecard/routecard/internal/importcsv"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// importRoutes lists the operations that import the rows of a file.
func importRoutes() (all []route) {
	for _, kind := range importing.Kinds() {
		answer := asking(importQuery{}, func(s *Server, c *call, query importQuery) error {
			return s.importFile(c, &kind, machineQuery{importQuery: query})
		})
		if kind.Machine {
			answer = asking(machineQuery{}, func(s *Server, c *call, query machineQuery) error { return s.importFile(c, &kind, query) })
		}
		all = append(all, route{"POST /api/import/" + kind.Name, kind.Operation, rowsBody, unmatched, answer})
	}
	return all
}

// importQuery are the parameters of an import.
type importQuery struct {
	DryRun    bool   `query:"dryRun"`
	OnRefusal string `query:"onRefusal"`
	Columns   string `query:"columns"` // a JSON object that maps columns of the file to fields
	Days      string `query:"days"`    // the format of dates with slashes in a CSV file
	ChangedBy string `query:"changedBy"`
}

// machineQuery are the parameters of an import that also accepts the output of a measuring machine.
type machineQuery struct {
	importQuery

	Features  string `query:"features"`  // a JSON object that maps the machine's names of features to their numbers
	Units     string `query:"units"`     // a JSON object that maps the machine's names of features to the unit each was measured in
	Constants string `query:"constants"` // a JSON object with the values of columns that the file does not have
}

// importFile imports the rows of a file of one kind.
func (s *Server) importFile(c *call, kind *importing.Kind, query machineQuery) error {
	in := importing.Input{DryRun: input.Given(query.DryRun), Told: importPatience(c)}
	if query.OnRefusal != "" {
		in.OnRefusal = input.Given(query.OnRefusal)
	}
	if query.ChangedBy != "" {
		in.ChangedBy = input.Given(query.ChangedBy)
	}
	file, err := s.openImport(c, kind, query)
	if err != nil {
		return err
	}
	in.Rows = func() iter.Seq2[importing.Row, error] { return linesOf(c.file, kind) }
	if file != nil {
		in.Rows = file.Rows
	}
	patience.More(c.w)
	result, err := importing.Import(c.r.Context(), s.service, kind, in)
	switch {
	case err != nil:
		return err
	case file != nil && !file.AQDEF() && (accepts(c.r, "text/csv") || kind.Machine && accepts(c.r, machineType)):
		return answerFile(c, kind, file, result)
	}
	return c.write(http.StatusOK, importAnswer(result))
}

const (
	machineType = "text/plain"          // the text output of a measuring machine
	aqdefType   = "application/x-aqdef" // the Q-DAS transfer format
)

// importPatience extends the deadlines of the connection after every thousand rows.
func importPatience(c *call) func(done, rows int) {
	return func(int, int) { patience.More(c.w) }
}

// openImport detects the format of a body. It returns nil for lines of JSON.
func (s *Server) openImport(c *call, kind *importing.Kind, query machineQuery) (*importcsv.File, error) {
	media, parameters, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	options := importcsv.Options{Prefix: s.service.SerialPrefix(),
		Windows1252: charset == "windows-1252" || charset == "cp1252", Machine: kind.Machine && media == machineType,
		AQDEF: kind.Machine && media == aqdefType, Zone: s.service.Zone(), Memory: shop.MemoryBudgetOf(c.r.Context()),
		Days: importcsv.DayOrder(query.Days),
	}
	text := media == "text/csv" || options.Machine || options.AQDEF
	readable := charset == "" || charset == "utf-8" || charset == "utf8" || text && options.Windows1252
	if err != nil || !text && media != linesType || !readable {
		if kind.Machine {
			return nil, refuse(measuredType)
		}
		return nil, refuse(importType)
	}
	if !options.Days.Valid() {
		return nil, refusal.RefuseField(importDays, "days")
	}
	for _, said := range []struct {
		field, text string
		to          *map[string]string
		otherwise   *refusal.Reason
	}{
		{"columns", query.Columns, &options.Columns, importColumns}, {"features", query.Features, &options.Features, importTexts},
		{"units", query.Units, &options.Units, importTexts}, {"constants", query.Constants, &options.Constants, importTexts},
	} {
		if said.text != "" && (!text || json.Unmarshal([]byte(said.text), said.to) != nil) {
			return nil, refusal.RefuseField(said.otherwise, said.field)
		}
	}
	if !text {
		return nil, nil //nolint:nilnil // see above
	}
	file, err := importcsv.Open(c.file, c.file.Size, kind, options)
	if err != nil {
		return nil, err
	}
	err = file.Check()
	return file, err
}

// accepts reports whether the Accept header of a request lists a media type.
func accepts(r *http.Request, media string) bool {
	for _, field := range r.Header["Accept"] {
		for accepted := range strings.SplitSeq(field, ",") {
			if kind, parameters, err := mime.ParseMediaType(accepted); err == nil && kind == media && parameters["q"] != "0" {
				return true
			}
		}
	}
	return false
}

// linesOf yields the lines of a file of JSON objects. It skips empty lines.
func linesOf(file *spool.File, kind *importing.Kind) iter.Seq2[importing.Row, error] {
	return func(yield func(importing.Row, error) bool) {
		lines := bufio.NewScanner(io.NewSectionReader(file, 0, file.Size))
		lines.Buffer(make([]byte, 0, 64<<10), lineLimit)
		number := 0
		for lines.Scan() {
			number++
			line := bytes.Trim(lines.Bytes(), jsonSpace)
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			if len(line) > 0 && !yield(lineOf(number, line, kind), nil) {
				return
			}
		}
		if errors.Is(lines.Err(), bufio.ErrTooLong) {
			yield(importing.Row{}, refusal.Refuse(importcsv.RowTooLong, lineLimit))
		} else if lines.Err() != nil {
			yield(importing.Row{}, lines.Err())
		}
	}
}

// lineLimit is the largest length of a line in bytes.
const lineLimit = 1 << 20

func lineOf(number int, line []byte, kind *importing.Kind) importing.Row {
	row := importing.Row{Row: number}
	text, err := readObject(bytes.NewReader(line), int64(len(line)))
	if err != nil {
		row.Err = errLineNotObject
		return row
	}
	for name := range body(text).members() {
		var member string
		if json.Unmarshal(name, &member) == nil {
			if err := importcsv.Known(member, kind); err != nil {
				row.Err = err
				return row
			}
		}
	}
	row.In = kind.New()
	decodeFields(bytes.Clone(text), kind.Fields, reflect.ValueOf(row.In).Elem())
	return row
}

var errLineNotObject = refusal.Refuse(lineNoObject)

// answerFile responds with the file and an additional column with the reason why each refused row was refused.
func answerFile(c *call, kind *importing.Kind, file *importcsv.File, result importing.Result) error {
	refused := make([]importing.RefusedRow, len(result.Refused))
	for i, row := range result.Refused {
		_, told := statusOf(row.Err)
		refused[i] = importing.RefusedRow{Row: row.Row, Err: told}
	}
	header := c.w.Header()
	media, ending := "text/csv", ".csv"
	if file.Machine() {
		media, ending = machineType, ".txt"
	}
	header.Set("Content-Type", mime.FormatMediaType(media, map[string]string{"charset": file.Charset()}))
	header.Set("Content-Disposition", `attachment; filename="`+kind.Name+ending+`"`)
	writer := bufio.NewWriterSize(patience.Limited(c.w), streamBuffer)
	if err := file.WriteErrors(writer, refused); err != nil {
		return &cutOffError{err: err}
	}
	return ignoreGone(writer.Flush())
}

// importAnswer is the contract's ImportResult.
type importAnswer importing.Result

type refusedRow struct {
	Row        int    `json:"row"`
	Column     string `json:"column,omitempty"`
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Code       string `json:"code"`
}

// MarshalJSON writes the result, with the status, message and code of each refusal.
func (a importAnswer) MarshalJSON() ([]byte, error) {
	refused := make([]refusedRow, len(a.Refused))
	for i, row := range a.Refused {
		status, told := statusOf(row.Err)
		refused[i] = refusedRow{row.Row, row.Column, status, told.Error(), told.Reason.Code()}
	}
	return json.Marshal(struct {
		Rows      int          `json:"rows"`
		Created   int          `json:"created"`
		Updated   int          `json:"updated"`
		Unchanged int          `json:"unchanged"`
		Failing   int          `json:"outOfLimits,omitempty"`
		Refused   []refusedRow `json:"refused"`
	}{a.Rows, a.Created, a.Updated, a.Unchanged, a.OutOfLimits, refused})
}
