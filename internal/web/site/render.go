package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// View returns the template of a page. The first call parses it and copies the shared parts, so that a page that is never shown takes no
// memory. It panics if the template is wrong; tests parse all of them. It is safe for concurrent use.
type View = func() *template.Template

// LoadViews reads the templates: layout.html and the partial templates are shared; every other file is a page.
func LoadViews(files fs.FS, a *Assets, menu []MenuEntry) map[string]View {
	entries, err := fs.ReadDir(files, "templates")
	if err != nil {
		panic(err) // the files are part of the program
	}
	shared := template.New("").Option("missingkey=error").Funcs(functions(a, menu))
	isShared := func(name string) bool { return name == "layout" || strings.HasSuffix(name, "parts") }
	parse := func(into *template.Template, entry fs.DirEntry) {
		source, err := fs.ReadFile(files, "templates/"+entry.Name())
		if err != nil {
			panic(err)
		}
		// Pages are sent without the indentation of their templates, which is a fifth of their size.
		template.Must(into.New(entry.Name()).Parse(unindented(string(source))))
	}
	for _, entry := range entries {
		if isShared(strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))) {
			parse(shared, entry)
		}
	}
	loaded := map[string]View{}
	for _, entry := range entries {
		if name := strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())); !isShared(name) {
			loaded[name] = sync.OnceValue(func() *template.Template {
				page := template.Must(shared.Clone())
				parse(page, entry)
				return page
			})
		}
	}
	return loaded
}

// unindented removes the indentation of a template. No template contains text with visible indentation.
func unindented(template string) string {
	lines := strings.Split(template, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// Frame is the part of every page around its content.
type Frame struct {
	Title    string
	Section  string            // the menu entry of the page
	Operator string            // the operator of this device, by identifier; by login if people sign in
	Guarded  bool              // whether people sign in
	Me       *access.Identity  // the signed-in user
	Idle     int               // at a station, the number of seconds without input after which the user is signed out
	Gone     string            // the name of this device's operator who became inactive
	People   []shop.User       // the active operators
	Recent   []shop.User       // those of them who recently worked on this device, the most recent first
	Names    map[string]string // names of operators, by identifier
	Last     string            // the newest audit entry that the page can contain
	Done     string
	Before   bool // whether an earlier request did it, so that this one did nothing
	Then     Step // a link to a possible next step
	Path     string
	Now      time.Time
	Sealed   bool  // whether the trail is sealed, so that proofs exist
	Searches bool  // whether the visitor may search
	Camera   bool  // whether the page may open the device's camera
	FileMost int64 // maximum size of an attached file, in bytes
	Zone     *time.Location
	Rejected *Problem
	Allows   func(shop.Permission) bool // whether the visitor has a permission; nil for all permissions
	missing  map[shop.Permission]bool   // the permissions that templates asked for and the visitor lacks; see May
	everyone people                     // active and inactive operators
	own      OwnNumbers                 // the own numbers of the units on the page
}

// Problem is a refused form of the page: the refusal, and the values that were typed.
type Problem struct {
	Form   string
	Advice wording.Advice
	Values url.Values
	shown  bool // whether the page displayed it in the form
}

// String returns the message of the refusal.
func (p *Problem) String() string { return p.Advice.Text }

// Field returns the name of the field that the refusal concerns, "" for none.
func (p *Problem) Field() string { return p.Advice.Field }

// Index returns the index of that field among those with the same name.
func (p *Problem) Index() int { return p.Advice.Index }

// Frame creates the frame of a page: its title, and its menu entry.
func (v *Visit) Frame(title, section string) Frame {
	return Frame{
		Title: title, Section: section, Operator: v.Operator,
		Guarded: v.Access != nil, Me: v.Identity, Idle: v.idle(), Gone: v.gone, Last: v.Last,
		Done: v.did.done, Before: v.did.before, Then: cmp.Or(v.Next, v.did.next),
		Path: v.R.URL.RequestURI(), Now: v.Clock(), Zone: v.Zone, People: v.People.active(), Recent: v.recently(), Names: v.People.Names(),
		Sealed: v.Config.Ledger != nil, Searches: v.May(shop.Read), Camera: hasCamera(v.R.Pattern), Allows: v.May,
		FileMost: v.Config.MaxFileSize, everyone: v.People,
	}
}

// AddressQuery returns the query of the page's address.
func (f *Frame) AddressQuery() url.Values {
	address, err := url.Parse(f.Path)
	if err != nil {
		return nil
	}
	return address.Query()
}

// Show renders the whole page before it sends any of it.
func (v *Visit) Show(status int, name string, page any) error {
	owed := v.R.Method != http.MethodGet || status >= http.StatusInternalServerError
	if err := callUnits(v, page); err != nil && !owed {
		return err
	}
	rendered := make(map[string]*rendering)
	for _, part := range PartsOf(page) {
		rendered[part] = &rendering{memory: shop.MemoryBudgetOf(v.R.Context()), owed: owed}
		if err := v.parsed[name]().ExecuteTemplate(rendered[part], part, DataOf(page, part)); err != nil {
			return fmt.Errorf("render %s: %w", name, err)
		}
	}
	length := 0
	for _, part := range rendered {
		length += part.Len()
	}
	header := v.W.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(length))
	v.W.WriteHeader(status)
	for _, part := range []string{"above", "main", "below"} {
		if rendered[part] != nil {
			_, _ = v.W.Write(rendered[part].Bytes())
		}
	}
	return nil
}

// PartsOf returns the templates of a page in the order of rendering: the content first, since the parts above and below it depend on what
// it reported and offered. A page without a frame has only content.
func PartsOf(page any) []string {
	if _, framed := page.(interface{ Around() *Frame }); !framed {
		return []string{"main"}
	}
	return []string{"main", "above", "below"}
}

// DataOf returns the data of a page's part: the frame for the parts above and below the content, otherwise the page. So a page may have a
// field with the same name as a field of the frame.
func DataOf(page any, part string) any {
	if framed, ok := page.(interface{ Around() *Frame }); ok && part != "main" {
		return framed.Around()
	}
	return page
}

// Around returns the frame of a page.
func (f *Frame) Around() *Frame { return f }

// rendering is the buffer of a page that is being rendered. It counts towards the memory budget of the request.
type rendering struct {
	bytes.Buffer
	memory  shop.MemoryBudget
	owed    bool // must be rendered even without memory, since it reports a change or a failure
	counted int
}

func (r *rendering) Write(piece []byte) (int, error) {
	n, err := r.Buffer.Write(piece)
	if more := 2*r.Cap() - r.counted; more > renderedAtOnce {
		r.counted += more
		if r.owed {
			r.memory.TakeNow(more)
			return n, err
		}
		return n, errors.Join(err, r.memory.Take(more))
	}
	return n, err
}

// renderedAtOnce is the number of bytes that are rendered before they are counted.
const renderedAtOnce = 32 << 10

// Problem returns the refusal of a form, nil if it was not refused.
func (f *Frame) Problem(form string) *Problem {
	if f.Rejected == nil || f.Rejected.Form != form {
		return nil
	}
	f.Rejected.shown = true
	return f.Rejected
}

// Untold returns the refusal of a form that the page no longer shows, nil if there is none. Call it after the content is rendered.
func (f *Frame) Untold() *Problem {
	if f.Rejected == nil || f.Rejected.shown {
		return nil
	}
	return f.Rejected
}

// Typed returns the typed value of a field if its form was refused, and otherwise the initial value.
func (f *Frame) Typed(form, field string, otherwise any) string {
	if f.Rejected != nil && f.Rejected.Form == form {
		return f.Rejected.Values.Get(field)
	}
	return fmt.Sprint(otherwise)
}

// Ticked reports whether a box of a refused form was ticked.
func (f *Frame) Ticked(form, field, value string) bool {
	if f.Rejected != nil && f.Rejected.Form == form {
		return slices.Contains(f.Rejected.Values[field], value)
	}
	return false
}

// Refused reports whether a form of the page was refused; then it is shown open.
func (f *Frame) Refused(form string) bool { return f.Rejected != nil && f.Rejected.Form == form }

// At writes an instant in the viewer's time zone, with the exact UTC time in a tooltip.
func (f *Frame) At(at ident.Timestamp) template.HTML {
	if at == 0 {
		return ""
	}
	// Only digits and names of months: nothing here can come from outside.
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s UTC">%s</time>`, at, //nolint:gocritic // HTML, not Go
		at.Time().Format("2006-01-02 15:04:05.000"), f.Moment(at)))
}

// Moment is At as plain text, for places that allow no element.
func (f *Frame) Moment(at ident.Timestamp) string {
	local := at.Time().In(f.Zone)
	if local.Year() != f.Now.In(f.Zone).Year() {
		return local.Format("2 Jan 2006 15:04")
	}
	return local.Format("2 Jan 15:04")
}

// Exact writes an instant to the second, in the viewer's time zone.
func (f *Frame) Exact(at ident.Timestamp) template.HTML {
	if at == 0 {
		return ""
	}
	local := at.Time().In(f.Zone)
	layout := "2 Jan 15:04:05"
	if local.Year() != f.Now.In(f.Zone).Year() {
		layout = "2 Jan 2006 15:04:05"
	}
	// Only digits and names of months: nothing here can come from outside.
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s UTC" data-exact>%s</time>`, at, //nolint:gocritic // HTML, not Go
		at.Time().Format("2006-01-02 15:04:05.000"), local.Format(layout)))
}

// Paper writes an instant for print, with year and time zone.
func (f *Frame) Paper(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return at.Time().In(f.Zone).Format("2 Jan 2006 15:04 MST")
}

// Since writes the time since an instant, in one unit.
func (f *Frame) Since(at ident.Timestamp) string {
	took := f.Now.Sub(at.Time())
	switch {
	case took < time.Minute:
		return "just now"
	case took < time.Hour:
		return fmt.Sprintf("%d min", int(took.Minutes()))
	case took < 48*time.Hour:
		return fmt.Sprintf("%d h", int(took.Hours()))
	}
	return fmt.Sprintf("%d days", int(took.Hours()/24))
}

// Name returns an operator's name, or the identifier if the list of operators does not have it.
func (f *Frame) Name(id string) string {
	if name, ok := f.Names[id]; ok {
		return name
	}
	return id
}

// Assignee returns the name of an assigned operator, and marks one who became inactive.
func (f *Frame) Assignee(id string) string { return f.everyone.Assignee(id) }

// OperatorName returns the name of this device's operator.
func (f *Frame) OperatorName() string { return f.Name(f.Operator) }

func functions(a *Assets, menu []MenuEntry) template.FuncMap {
	return template.FuncMap{
		"asset": func(name string) (string, error) {
			address, ok := a.urls[name]
			if !ok {
				return "", fmt.Errorf("no asset %s", name)
			}
			return address, nil
		},
		"words":      wording.Words,
		"limits":     wording.LimitsInWords,
		"ruleSet":    wording.RuleSetWords,
		"size":       wording.SizeInWords,
		"bytesAt":    BytesAt,
		"action":     wording.ActionWords,
		"actionTold": shop.ActionTold,
		"meansWords": wording.MeansWords,
		"permission": wording.PermissionWords,
		"operation":  func(operation shop.SignedOperation) string { return OperationWords[operation] },
		"told":       func(err error) template.HTML { return wording.Apart(wording.Told(err)) },
		"apart":      wording.Apart,
		"unit":       nameOfUnit,
		"once":       onceInput,
		"number":     wording.Number,
		"plural":     wording.Plural,
		"percent":    func(value float64) string { return strconv.FormatFloat(value, 'f', 0, 64) + " %" },
		"len64":      func(list []string) int64 { return int64(len(list)) },
		"lastOf":     func(list []shop.SerialListItem) int { return len(list) - 1 },
		"ordinal":    wording.Ordinal, "qr": qrCode, "bars": code128Bars, "details": Details,
		"plus": func(a, b int) int { return a + b },
		// Templates take the limits from the package that checks the field.
		"nameLimit": func() int { return input.NameLimit },
		"textLimit": func() int { return input.TextLimit },
		// Limits for the fields of an order.
		"orderTextLimit":   func() int { return workorder.OrderTextLimit },
		"gtinLimit":        func() int { return workorder.GTINLimit },
		"descriptionLimit": func() int { return workorder.DescriptionLimit },
		"ownNumberLimit":   func() int { return shop.OwnNumberLimit },
		"pickLimit":        func() int { return 2*input.NameLimit + 100 }, // a name followed by its identifier
		"loginLeast":       func() int { return access.LoginLeast },
		"loginLimit":       func() int { return access.LoginMost },
		"passwordLeast":    func() int { return access.PasswordLeast },
		"passwordLimit":    func() int { return access.PasswordMost },
		"pinLeast":         func() int { return access.PINLeast },
		"pinLimit":         func() int { return access.PINMost },
		"menu":             func() []MenuEntry { return menu },
		"columns":          columns,
		"pick":             pick,
		"record":           record,
	}
}

// Column is the heading of a table column.
type Column struct {
	Name   string
	Number bool // whether it contains numbers
	Wide   bool // whether it is hidden on narrow screens that still show the table as rows
}

// columns returns the headings of a table. The suffix ":num" marks a column of numbers.
func columns(names ...string) []Column {
	heads := make([]Column, len(names))
	for i, name := range names {
		heads[i].Name, heads[i].Number = strings.CutSuffix(name, ":num")
	}
	return heads
}

// pick marks the chosen option of a select.
func pick(chosen, value any) template.HTMLAttr {
	if fmt.Sprint(chosen) == fmt.Sprint(value) {
		return "selected"
	}
	return ""
}

// record combines names and values to the argument of a shared part.
func record(pairs ...any) (map[string]any, error) {
	made := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("%v is no name", pairs[i])
		}
		made[name] = pairs[i+1]
	}
	return made, nil
}

// Again shows the page again, with the refusal in the form that was refused.
func (v *Visit) Again(form string, err error, show func(v *Visit, status int, refused *Problem) error) error {
	refused, status, err := v.refused(form, err)
	if err != nil {
		return err
	}
	v.Remember() // the chosen operator stays chosen although the form was refused
	return show(v, status, refused)
}

var _ http.Handler = (*Pages)(nil)

// Bar returns the widths and numbers of a job's progress bar: the completed units as a share of the goal, followed by the scrapped ones.
// The numbers next to the bar are the same. The API's percentage is not shown, since it does not count scrapped units towards the goal.
func (f *Frame) Bar(progress shop.JobProgress) map[string]any {
	full, lost := 0.0, 0.0
	if progress.GoalQuantity > 0 {
		full = min(100, 100*float64(progress.CompletedSerials)/float64(progress.GoalQuantity))
		lost = min(100-full, 100*float64(progress.ScrappedSerials)/float64(progress.GoalQuantity))
	}
	short := progress.Short()
	if progress.TotalSerials == 0 {
		short = 0 // no units exist yet
	}
	return map[string]any{
		"Width": fmt.Sprintf("%.1f", full), "Lost": fmt.Sprintf("%.1f", lost), "Scrapped": progress.ScrappedSerials,
		"Finished": progress.CompletedSerials, "Wanted": progress.GoalQuantity, "Short": short,
	}
}
