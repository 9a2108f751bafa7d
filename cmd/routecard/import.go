package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/routecard/routecard/client"
	"github.com/routecard/routecard/internal/importcsv"
)

type importCommand struct {
	Kind        string `arg:"" help:"Kind of record in the file: ${enum}." enum:"jobs,serials,users,certs,measurements,lots,components,shipments"`
	File        string `arg:"" help:"File to import: CSV, or lines of JSON if the name ends in .ndjson, or Q-DAS if it ends in .dfq or .dfd. - reads standard input."`
	Values      string `arg:"" optional:"" help:"The .dfx file with the values, after a .dfd file."`
	DryRun      bool   `help:"Check all rows without importing them." env:"-"`
	OnRefusal   string `help:"What to import when rows are refused: ${enum} (none of the rows, or each valid row)." enum:"none,each" default:"none" env:"-"`
	Windows1252 bool   `name:"windows-1252" help:"Read the file as Windows-1252 instead of UTF-8." env:"-"`
	Days        string `help:"Order of day and month in dates with slashes: ${enum}." enum:"day-first,month-first," default:"" env:"-" placeholder:"ORDER"`
	Machine     bool   `help:"Read the file as the report of a measuring machine: a table with one row per dimension, and lines of text above it." env:"-"`
	AQDEF       bool   `name:"aqdef" help:"Read the file as Q-DAS transfer format." env:"-"`
	Mapping     string `help:"JSON file with the column mapping: columns, and for measurements also features, units and constants." env:"-" placeholder:"FILE"`

	Set       []string `help:"Value for a column that the file lacks, such as serialId=SN-00041, for measurements. Repeat it for several columns." env:"-" placeholder:"NAME=VALUE" sep:"none"`
	ChangedBy string   `help:"User to record, for a service without sign-in." env:"-" placeholder:"NAME"`
	remoteSettings
}

// Run sends the file. The exit status is 0 if all rows were imported, 1 if the file or a row was refused, and 2 if the service did not
// respond.
func (c *importCommand) Run(w *world) error {
	content, done, err := c.open()
	if err != nil {
		return wrongSettings(err)
	}
	defer done()
	params, err := c.params()
	if err != nil {
		return wrongSettings(err)
	}
	service, err := c.connect()
	if err != nil {
		return wrongSettings(err)
	}
	if onTerminal(w.stderr) {
		shown := &progress{from: content, to: terminal(w.stderr)}
		defer shown.clear()
		content = &shownFile{content, shown}
	}
	var result client.ImportResult
	if c.Kind == measuredKind {
		result, err = service.ImportReadings(w.ctx, c.form(), content, params)
	} else {
		result, err = service.Import(w.ctx, c.Kind, c.form(), content, client.ImportJobsParams{
			DryRun: c.DryRun, OnRefusal: c.OnRefusal, ChangedBy: c.ChangedBy, Columns: params.Columns, Days: c.Days,
		})
	}
	if err != nil {
		return asked(w.ctx, err)
	}
	for _, row := range result.Refused {
		place := fmt.Sprintf("row %d", row.Row)
		if row.Column != "" {
			place += ", " + row.Column
		}
		fmt.Fprintf(w.stderr, "%s: %s\n", place, row.Message)
	}
	would := ""
	if c.DryRun {
		would = "would be "
	}
	fmt.Fprintf(w.stdout, "%d rows: %s%d created, %d updated, %d unchanged, %d refused\n",
		result.Rows, would, result.Created, result.Updated, result.Unchanged, len(result.Refused))
	if result.OutOfLimits != nil {
		fmt.Fprintf(w.stdout, "%d of the readings: %sout of limits\n", *result.OutOfLimits, would)
	}
	if len(result.Refused) > 0 {
		return &exitError{fmt.Errorf("%d of %d rows were refused", len(result.Refused), result.Rows), 1}
	}
	return nil
}

// measuredKind is the kind of rows in the file of a measuring machine.
const measuredKind = "measurements"

// aqdef reports whether the file is in the Q-DAS transfer format.
func (c *importCommand) aqdef() bool {
	ends := []string{".dfq", importcsv.DescriptionsEnd, importcsv.ValuesEnd}
	return c.AQDEF || c.Values != "" || slices.Contains(ends, strings.ToLower(filepath.Ext(c.File)))
}

// form returns the type of the file.
func (c *importCommand) form() string {
	switch {
	case strings.HasSuffix(c.File, ".ndjson"):
		return client.Lines
	case c.aqdef():
		return client.AQDEF
	case c.Machine && c.Windows1252:
		return client.MachineWindows1252
	case c.Machine:
		return client.Machine
	case c.Windows1252:
		return client.Windows1252
	}
	return client.CSV
}

// params returns the parameters of the import, including those in the mapping. It refuses parameters of measurements for other kinds.
func (c *importCommand) params() (params client.ImportMeasurementsParams, err error) {
	params = client.ImportMeasurementsParams{DryRun: c.DryRun, OnRefusal: c.OnRefusal, ChangedBy: c.ChangedBy, Days: c.Days}
	var mapping struct {
		Columns   map[string]string `json:"columns"`
		Features  map[string]string `json:"features"`
		Units     map[string]string `json:"units"`
		Constants map[string]string `json:"constants"`
	}
	if c.Mapping != "" {
		text, err := os.ReadFile(c.Mapping)
		if err != nil {
			return params, err
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&mapping); err != nil {
			return params, fmt.Errorf("%s: %w", c.Mapping, err)
		}
	}
	for _, set := range c.Set {
		name, value, ok := strings.Cut(set, "=")
		if !ok || name == "" {
			return params, fmt.Errorf("--set %q is not of the form NAME=VALUE", set)
		}
		if mapping.Constants == nil {
			mapping.Constants = map[string]string{}
		}
		mapping.Constants[name] = value
	}
	if c.aqdef() && c.Machine {
		return params, errors.New("--machine is not for a file in the Q-DAS transfer format")
	}
	if c.Kind != measuredKind && (c.Machine || c.aqdef() || len(mapping.Features)+len(mapping.Units)+len(mapping.Constants) > 0) {
		return params, errors.New("--machine, --aqdef, files of Q-DAS, --set, features, units and constants are for measurements")
	}
	for _, said := range []struct {
		texts map[string]string
		to    *string
	}{
		{mapping.Columns, &params.Columns}, {mapping.Features, &params.Features}, {mapping.Units, &params.Units},
		{mapping.Constants, &params.Constants},
	} {
		if len(said.texts) > 0 {
			text, err := json.Marshal(said.texts)
			if err != nil {
				return params, err
			}
			*said.to = string(text)
		}
	}
	return params, nil
}

// open opens the file. It reads standard input into memory, because the content may have to be sent again. It also reads two files into
// memory if they are sent as one.
func (c *importCommand) open() (content io.ReadSeeker, done func(), err error) {
	if c.Values != "" {
		text, err := joined(c.File, c.Values)
		return bytes.NewReader(text), func() {}, err
	}
	if c.File == "-" {
		text, err := io.ReadAll(os.Stdin)
		return bytes.NewReader(text), func() {}, err
	}
	file, err := os.Open(c.File)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = file.Close() }
	if info, err := file.Stat(); err != nil || info.IsDir() {
		done()
		return nil, nil, cmp.Or(err, fmt.Errorf("%s is a folder", c.File))
	}
	return file, done, nil
}

// joined returns the text of a .dfd file followed by the text of its .dfx file.
func joined(descriptions, values string) ([]byte, error) {
	if !importcsv.PairAQDEF(filepath.Base(descriptions), filepath.Base(values)) {
		return nil, fmt.Errorf("two files are read only as a .dfd and the .dfx of the same name, and these are %s and %s",
			descriptions, values)
	}
	first, err := os.Open(descriptions)
	if err != nil {
		return nil, err
	}
	defer first.Close()
	second, err := os.Open(values)
	if err != nil {
		return nil, err
	}
	defer second.Close()
	return io.ReadAll(importcsv.JoinAQDEF(first, second))
}

// shownFile is a file whose upload progress is printed.
type shownFile struct {
	io.Seeker

	shown *progress
}

func (f *shownFile) Read(piece []byte) (int, error) { return f.shown.Read(piece) }

// Seek starts the progress again.
func (f *shownFile) Seek(offset int64, whence int) (int64, error) {
	f.shown.bytes = 0
	return f.Seeker.Seek(offset, whence)
}
