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
	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// View returns the template of a page. The first call parses the template and copies the shared parts, so that a page that is never shown
// takes no memory. It panics if the template is invalid; tests parse all templates. It is safe for concurrent use.
type View = func() *template.Template

// LoadViews reads the templates for a language: layout.html and the partial templates are shared; every other file is a page.
func LoadViews(files fs.FS, a *Assets, menu []MenuEntry, l *lang.Language) map[string]View {
	entries, err := fs.ReadDir(files, "templates")
	if err != nil {
		panic(err) // the files are part of the program
	}
	isShared := func(name string) bool { return name == "layout" || strings.HasSuffix(name, "parts") }
	parse := func(into *template.Template, entry fs.DirEntry) {
		source, err := fs.ReadFile(files, "templates/"+entry.Name())
		if err != nil {
			panic(err)
		}
		// Pages are sent without the indentation of their templates, which would be a fifth of their size.
		template.Must(into.New(entry.Name()).Parse(unindented(string(source))))
	}
	shared := sync.OnceValue(func() *template.Template {
		shared := template.New("").Option("missingkey=error").Funcs(functions(a, menu, l)).Funcs(partOf(nil))
		for _, entry := range entries {
			if isShared(strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))) {
				parse(shared, entry)
			}
		}
		return shared
	})
	loaded := map[string]View{}
	for _, entry := range entries {
		if name := strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())); !isShared(name) {
			loaded[name] = sync.OnceValue(func() *template.Template {
				page := template.Must(shared().Clone())
				page.Funcs(partOf(page))
				parse(page, entry)
				return page
			})
		}
	}
	return loaded
}

// partOf returns the function part, which renders a template of the page as an argument of a text:
// {{t "Undone by {who}" "who" (part "signer" .)}}.
func partOf(page *template.Template) template.FuncMap {
	return template.FuncMap{"part": func(name string, data any) (template.HTML, error) {
		var rendered strings.Builder
		err := page.ExecuteTemplate(&rendered, name, data)
		return template.HTML(strings.TrimSpace(rendered.String())), err //nolint:gosec // the template escapes its data
	}}
}

// unindented removes the indentation of a template. In no template is the indentation visible on the page.
func unindented(template string) string {
	lines := strings.Split(template, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// Frame is the part of every page around its content.
type Frame struct {
	*lang.Language
	Prefix    ident.Prefix // of the identifiers of units
	Title     string
	Section   string            // the menu entry of the page
	Shop      shop.Organization // for the head of pages and papers; without a name if it is not set or the visitor may not read
	Operator  string            // the operator of this device, by identifier; by login if people sign in
	Guarded   bool              // whether people sign in
	Me        *access.Identity  // the signed-in user
	Idle      int               // at a station, the number of seconds without input after which the user is signed out
	Gone      string            // the name of this device's operator who became inactive
	People    []shop.User       // the active operators
	Recent    []shop.User       // those of them who recently worked on this device, the most recent first
	Names     map[string]string // names of operators, by identifier
	Last      string            // the newest audit entry that the page can contain
	Done      string
	Before    bool // an earlier request did what Done says, so this one did nothing
	Then      Step // a link to a possible next step
	Path      string
	Now       time.Time
	Sealed    bool           // whether the trail is sealed, so that proofs exist
	Searches  bool           // whether the visitor may search
	Camera    bool           // whether the page may open the device's camera
	FileMost  int64          // maximum size of an attached file, in bytes
	Zone      *time.Location // of the viewer
	ShopZone  *time.Location // time zone of the shop, for papers; nil for that of the viewer
	Rejected  *Problem
	Allows    func(shop.Permission) bool // whether the visitor has a permission; nil for all permissions
	missing   map[shop.Permission]bool   // permissions that templates asked for and that the visitor lacks; see May
	everyone  people                     // active and inactive operators
	languages []*lang.Language           // offered to users
	own       OwnNumbers                 // the own numbers of the units on the page
}

// Problem is a refused form of the page, with the refusal and the typed values.
type Problem struct {
	Form   string
	Advice wording.Advice
	Values url.Values
	shown  bool // whether the page has displayed it in the form
}

// String returns the message of the refusal.
func (p *Problem) String() string { return p.Advice.Text }

// Field returns the name of the field that the refusal concerns, "" for none.
func (p *Problem) Field() string { return p.Advice.Field }

// Index returns the index of that field among those with the same name.
func (p *Problem) Index() int { return p.Advice.Index }

// Frame creates the frame of a page with a title and a menu entry. The pairs are the arguments of the title.
func (v *Visit) Frame(title lang.Text, section string, pairs ...any) Frame {
	return v.FrameOf(v.T(title, pairs...), section)
}

// FrameOf creates the frame of a page whose title is already composed, such as the name of a record.
func (v *Visit) FrameOf(title, section string) Frame {
	return Frame{
		Language: v.Language, Prefix: v.SerialPrefix(), Title: title, Section: section, Shop: v.shop, Operator: v.Operator,
		Guarded: v.Access != nil, Me: v.Identity, Idle: v.idle(), Gone: v.gone, Last: v.Last,
		Done: v.did.done, Before: v.did.before, Then: cmp.Or(v.Next, v.did.next),
		Path: v.R.URL.RequestURI(), Now: v.Clock(), Zone: v.Zone, ShopZone: v.Service.Zone(),
		People: v.People.active(), Recent: v.recently(), Names: v.People.Names(),
		Sealed: v.Config.Ledger != nil, Searches: v.May(shop.Read), Camera: hasCamera(v.R.Pattern), Allows: v.May,
		FileMost: v.Config.MaxFileSize, everyone: v.People, languages: v.languages,
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

// Show renders the whole page before it sends any part of it.
func (v *Visit) Show(status int, name string, page any) error {
	owed := v.R.Method != http.MethodGet || status >= http.StatusInternalServerError
	if err := callUnits(v, page); err != nil && !owed {
		return err
	}
	rendered := make(map[string]*rendering)
	for _, part := range PartsOf(page) {
		rendered[part] = &rendering{memory: shop.MemoryBudgetOf(v.R.Context()), owed: owed}
		if err := v.views[v.Tag()][name]().ExecuteTemplate(rendered[part], part, DataOf(page, part)); err != nil {
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

// PartsOf returns the templates of a page in the order of rendering. The content comes first, because the parts above and below it depend
// on what the content has reported and offered. A page without a frame has only content.
func PartsOf(page any) []string {
	if _, framed := page.(interface{ Around() *Frame }); !framed {
		return []string{"main"}
	}
	return []string{"main", "above", "below"}
}

// DataOf returns the data for a part of a page: the frame for the parts above and below the content, and otherwise the page. So a page may
// have a field with the same name as a field of the frame.
func DataOf(page any, part string) any {
	if framed, ok := page.(interface{ Around() *Frame }); ok && part != "main" {
		return framed.Around()
	}
	return page
}

// Around returns the frame of a page.
func (f *Frame) Around() *Frame { return f }

// rendering is the buffer into which a page is rendered. Its size counts towards the memory budget of the request.
type rendering struct {
	bytes.Buffer
	memory  shop.MemoryBudget
	owed    bool // must be rendered even without memory, because it reports a change or a failure
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

// Untold returns the refusal of a form that the page no longer shows, or nil if there is none. Call it after the content is rendered.
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

// Ticked reports whether a checkbox of a refused form was ticked.
func (f *Frame) Ticked(form, field, value string) bool {
	if f.Rejected != nil && f.Rejected.Form == form {
		return slices.Contains(f.Rejected.Values[field], value)
	}
	return false
}

// Refused reports whether a form of the page was refused. Such a form is shown open.
func (f *Frame) Refused(form string) bool { return f.Rejected != nil && f.Rejected.Form == form }

// At formats an instant in the viewer's time zone. A tooltip shows the exact UTC time.
func (f *Frame) At(at ident.Timestamp) template.HTML {
	if at == 0 {
		return ""
	}
	// Only digits and names of months: nothing here can come from outside.
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s UTC">%s</time>`, at, //nolint:gocritic // HTML, not Go
		at.Time().Format("2006-01-02 15:04:05.000"), f.Moment(at)))
}

// Moment is At as plain text, for places that cannot contain elements.
func (f *Frame) Moment(at ident.Timestamp) string {
	local := at.Time().In(f.Zone)
	if local.Year() != f.Now.In(f.Zone).Year() {
		return f.Time(local, lang.YearMinute)
	}
	return f.Time(local, lang.DayMinute)
}

// Exact formats an instant to the second, in the viewer's time zone.
func (f *Frame) Exact(at ident.Timestamp) template.HTML {
	if at == 0 {
		return ""
	}
	local := at.Time().In(f.Zone)
	layout := lang.DaySecond
	if local.Year() != f.Now.In(f.Zone).Year() {
		layout = lang.YearSecond
	}
	// Only digits and names of months: nothing here can come from outside.
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s UTC" data-exact>%s</time>`, at, //nolint:gocritic // HTML, not Go
		at.Time().Format("2006-01-02 15:04:05.000"), f.Time(local, layout)))
}

// Paper formats an instant for print, with year and time zone. It uses the time zone of the shop, so that a paper states the same time
// wherever it is printed.
func (f *Frame) Paper(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return f.Time(at.Time().In(cmp.Or(f.ShopZone, f.Zone)), lang.PaperMinute)
}

// PaperNow formats the time at which the page was rendered, for print.
func (f *Frame) PaperNow() string { return f.Paper(ident.TimestampOf(f.Now)) }

// Since formats the time since an instant, in one unit of time.
func (f *Frame) Since(at ident.Timestamp) string {
	took := f.Now.Sub(at.Time())
	switch {
	case took < time.Minute:
		return f.T("just now")
	case took < time.Hour:
		return f.T("{n} min", "n", int(took.Minutes()))
	case took < 48*time.Hour:
		return f.T("{n} h", "n", int(took.Hours()))
	}
	days := int(took.Hours() / 24)
	return f.TN(days, "{n} day", "{n} days")
}

// Name returns an operator's name. If the list of operators does not contain the operator, it returns the identifier.
func (f *Frame) Name(id string) string {
	if name, ok := f.Names[id]; ok {
		return name
	}
	return id
}

// Assignee returns the name of an assigned operator, with a remark if the operator is inactive.
func (f *Frame) Assignee(id string) string { return f.everyone.Assignee(id) }

// OperatorName returns the name of this device's operator.
func (f *Frame) OperatorName() string { return f.Name(f.Operator) }

func functions(a *Assets, menu []MenuEntry, l *lang.Language) template.FuncMap {
	return template.FuncMap{
		// These functions use the catalogue: see docs/translating.md.
		"t":       l.HTML,
		"tn":      l.HTMLN,
		"ts":      l.T, // plain text, for arguments of methods and for comparisons
		"link":    link,
		"element": element,
		"asset": func(name string) (string, error) {
			address, ok := a.urls[name]
			if !ok {
				return "", fmt.Errorf("no asset %s", name)
			}
			return address, nil
		},
		"texts":      func() string { return a.urls[textsName(l)] },
		"words":      func(value any) string { return lang.Words(l, value) },
		"limits":     func(limits card.Limits, unit string) string { return wording.LimitsInWords(l, limits, unit) },
		"ruleSet":    func(set spc.RuleSet) string { return l.Lookup(wording.RuleSetWords(set)) },
		"size":       func(bytes int64) string { return wording.SizeInWords(l, bytes) },
		"bytesAt":    BytesAt,
		"action":     func(action trail.Action) string { return wording.ActionWords(l, action) },
		"actionTold": shop.ActionTold,
		"meansWords": func(means string) string { return wording.MeansWords(l, means) },
		"permission": func(permission shop.Permission) string { return wording.PermissionWords(l, permission) },
		"operation":  func(operation shop.SignedOperation) string { return l.Lookup(OperationWords[operation]) },
		"told":       func(err error) template.HTML { return lang.Apart(wording.Told(l, err)) },
		"apart":      lang.Apart,
		"unit":       nameOfUnit,
		"once":       onceInput,
		"number":     l.Number,
		"percent":    func(value float64) string { return strconv.FormatFloat(value, 'f', 0, 64) + " %" },
		"len64":      func(list []string) int64 { return int64(len(list)) },
		"lastOf":     func(list []shop.SerialListItem) int { return len(list) - 1 },
		"qr":         func(text string) (template.HTML, error) { return qrCode(l, text) },
		"ordinal":    wording.Ordinal, "bars": code128Bars, "details": Details,
		"listed": func(texts []string) string { return strings.Join(texts, ", ") },
		"plus":   func(a, b int) int { return a + b },
		// Templates get limits from the package that checks the field.
		"nameLimit": func() int { return input.NameLimit },
		"textLimit": func() int { return input.TextLimit },
		// These are limits for the fields of an order.
		"orderTextLimit":   func() int { return workorder.OrderTextLimit },
		"gtinLimit":        func() int { return workorder.GTINLimit },
		"paperLanguages":   workorder.Languages,
		"languageName":     func(tag string) string { return l.Lookup(wording.PaperLanguages[tag]) },
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
		"columns":          func(names ...lang.Text) []Column { return columns(l, names) },
		"pick":             pick,
		"record":           record,
	}
}

// Column is the heading of a table column.
type Column struct {
	Name   string
	Number bool // whether it contains numbers
	Wide   bool // whether it is hidden on narrow screens that still show the table with rows
}

// columns returns the headings of a table in a language. The suffix ":num" marks a column of numbers.
func columns(l *lang.Language, names []lang.Text) []Column {
	heads := make([]Column, len(names))
	for i, name := range names {
		plain, number := strings.CutSuffix(string(name), ":num")
		heads[i] = Column{Name: l.Lookup(lang.Text(plain)), Number: number}
	}
	return heads
}

// link returns a link to an address, as an argument of a text: {{t "See the {link}trail{/link}." "link" (link "/audit")}}.
func link(to string) lang.Around { return element("a", "href", to) }

// element returns an element with attributes, as an argument of a text: {{t "Press {key}Enter{/key}." "key" (element "kbd")}}. The
// attributes are pairs of names and values.
func element(name string, attributes ...string) lang.Around {
	var open strings.Builder
	open.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		value := attributes[i+1]
		if attributes[i] == "href" && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "#") {
			value = "#" // texts contain only links to this site
		}
		open.WriteString(" " + attributes[i] + `="` + template.HTMLEscapeString(value) + `"`)
	}
	//nolint:gosec // values are escaped
	return lang.Around{Open: template.HTML(open.String() + ">"), Close: template.HTML("</" + name + ">")}
}

// pick marks the chosen option of a select.
func pick(chosen, value any) template.HTMLAttr {
	if fmt.Sprint(chosen) == fmt.Sprint(value) {
		return "selected"
	}
	return ""
}

// record combines names and values into a map, as the argument of a shared part.
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

// Again shows the page again, with the refusal in the refused form.
func (v *Visit) Again(form string, err error, show func(v *Visit, status int, refused *Problem) error) error {
	refused, status, err := v.refused(form, err)
	if err != nil {
		return err
	}
	v.Remember() // the operator that was chosen stays chosen although the form was refused
	return show(v, status, refused)
}

var _ http.Handler = (*Pages)(nil)

// Bar returns the widths and numbers of a job's progress bar: first the share of the goal that is completed, then the share that is
// scrapped. The numbers next to the bar are the same. The API's percentage is not shown, because it does not count scrapped units.
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
		"Width": fmt.Sprintf("%.1f", full),                                       // not a text: names of values
		"Lost":  fmt.Sprintf("%.1f", lost), "Scrapped": progress.ScrappedSerials, // not a text: names of values
		"Finished": progress.CompletedSerials, "Wanted": progress.GoalQuantity, "Short": short, // not a text: names of values
	}
}
