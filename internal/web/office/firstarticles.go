package office

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/as9102"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// firstArticlePages declares the page of first articles, which shows one first article instead of the list if the address asks for it.
func firstArticlePages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/first-articles", site.Always(shop.OpRead), showFirstArticles),
			site.Post("/first-articles", site.Always(shop.OpCreateFirstArticle), createFirstArticle),
			site.Get("/first-articles/{id}", site.Always(shop.OpRead), site.LeadTo(firstArticleAddress)),
			site.GetReading("/first-articles/{id}/print", site.Always(shop.OpRead), printFirstArticle),
			site.Post("/first-articles/{id}", site.ByForm(shop.OpApproveFirstArticle, map[string]shop.Operation{
				articleTyped: shop.OpUpdateFirstArticle, articleVerified: shop.OpVerifyFirstArticle,
				articleReopened: shop.OpReopenFirstArticle,
				articleCustomer: shop.OpRecordCustomerApproval, articleVoided: shop.OpVoidFirstArticle,
			}), changeFirstArticle),
		},
		Views: map[string]any{"firstarticles": &firstArticlesPage{}, "firstarticleprint": &firstArticlesPage{}},
		menu:  []site.MenuEntry{{Section: "first-articles", To: "/first-articles", Label: "First articles"}},
		findable: []findable{{
			kind: shop.RecordFirstArticle, heading: "First articles", needs: shop.OpRead, find: findFirstArticles,
			all: "/first-articles?q=",
		}},
	}
}

// The forms of a first article, by their field "do", other than the one that approves it.
const (
	articleTyped    = "type"
	articleVerified = "verify"
	articleReopened = "reopen"
	articleCustomer = "customer"
	articleVoided   = "void"
)

// findFirstArticles finds the first articles that a text names: by number, or by a part of the identifier or the part number.
func findFirstArticles(v *site.Visit, text string, limit int) (hits []Hit, err error) {
	hit := func(f shop.FirstArticle, exact bool) Hit {
		return Hit{Name: f.ID, Hint: wording.Listed(f.PartNumber, f.PartRevision), To: firstArticleAddress(f.ID), Exact: exact}
	}
	if id := scanned(v.SerialPrefix(), text, shop.RecordFirstArticle); id != "" {
		return hitOf(v, id, v.Service.FirstArticle, hit)
	}
	found, err := v.Service.FirstArticles(v.R.Context(), shop.FirstArticleQuery{Text: text, Limit: limit})
	for i := range found.Items {
		f := found.Items[i]
		hits = append(hits, hit(f, strings.EqualFold(f.PartNumber, text) || strings.EqualFold(f.Identifier, text)))
	}
	return hits, err
}

// formBox is a field of a form as the page shows it.
type formBox struct {
	as9102.Field
	Name    string // in requests, such as 2.3.9
	Text    string
	Typed   bool
	Missing bool
}

// formShown is one of the three forms as the page shows it.
type formShown struct {
	as9102.Form
	Boxes, Below [][]formBox // lines
	Rows         [][]formBox
	Typed        bool // whether it has a typed text
}

// typedField is a field that can be typed.
type typedField struct {
	Name  string
	Label lang.Text
	Of    string // the first field of its row; "" for a field that is in none
	Text  string
}

type firstArticlesPage struct {
	site.Frame
	site.Past
	Sheet    *views.FirstArticleSheet // instead of the list; nil for none
	One      *shop.FirstArticle       // that of the sheet
	Read     string                   // the digest of the first article in its forms
	Forms    []formShown
	Lacking  []typedField // the fields that must be typed
	Optional []typedField // other fields that can be typed
	Query    string
	Status   string
	Path     string // the route of the form for a new first article; "" for none
	PathName string
	Articles []shop.FirstArticle
	Next     string
}

// Statuses are the statuses of first articles.
func (*firstArticlesPage) Statuses() []shop.FirstArticleStatus { return shop.FirstArticleStatuses() }

// Draft reports whether the first article can be changed.
func (p *firstArticlesPage) Draft() bool { return p.in(shop.FirstArticleDraft) }

// Verified reports whether the first article can be approved or reopened.
func (p *firstArticlesPage) Verified() bool { return p.in(shop.FirstArticleVerified) }

// Approved reports whether the first article is approved.
func (p *firstArticlesPage) Approved() bool { return p.in(shop.FirstArticleApproved) }

func (p *firstArticlesPage) in(status shop.FirstArticleStatus) bool {
	return p.One != nil && !p.One.Voided() && p.One.Status == status
}

// UnitsShown lists the units of the page.
func (p *firstArticlesPage) UnitsShown() []string {
	if p.One == nil {
		return nil
	}
	return p.One.SerialIDs
}

func showFirstArticles(v *site.Visit) error {
	asked := v.R.URL.Query()
	return renderFirstArticles(v, asked.Get("id"), asked.Get("path"), http.StatusOK, nil)
}

// renderFirstArticles shows the first article with the identifier, or the list if that is empty.
func renderFirstArticles(v *site.Visit, id, path string, status int, refused *site.Problem) error {
	ctx, asked := v.R.Context(), v.R.URL.Query()
	page := &firstArticlesPage{
		Frame: v.Frame("First articles", "first-articles"), Query: asked.Get("q"), Status: asked.Get("status"), Path: path,
	}
	var err error
	if id != "" {
		err = page.read(v, id)
	} else {
		var list shop.FirstArticlePage
		list, err = v.Service.FirstArticles(ctx, shop.FirstArticleQuery{
			Text: page.Query, Status: shop.FirstArticleStatus(page.Status), PathID: path, Before: asked.Get("before"),
		})
		page.Articles, page.Next = list.Items, list.Next
		if err == nil && path != "" {
			found, wrong := v.Service.Path(ctx, path)
			page.PathName, err = found.Name, wrong
		}
	}
	if err != nil {
		return err
	}
	page.Rejected = refused
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "firstarticles", page)
}

// read reads a first article with its forms.
func (p *firstArticlesPage) read(v *site.Visit, id string) error {
	sheet, err := v.Views.FirstArticleSheet(v.R.Context(), id)
	if err != nil {
		return err
	}
	p.Sheet, p.One = &sheet, &sheet.FirstArticle
	p.Frame, p.Read = v.FrameOf(p.One.ID, "first-articles"), digestFirstArticle(*p.One)
	p.layOut()
	return nil
}

// layOut lays out the forms, and lists the fields to type.
func (p *firstArticlesPage) layOut() {
	found, rows, missing := map[string]firstarticle.Field{}, map[int]int{}, map[string]bool{}
	for _, field := range p.One.Fields {
		found[field.Name()] = field
		rows[field.Form] = max(rows[field.Form], field.Row)
	}
	for _, at := range p.One.Missing {
		missing[at.Name()] = true
		rows[at.Form] = max(rows[at.Form], at.Row)
	}
	box := func(form, row int, field as9102.Field) formBox {
		name := firstarticle.Missing{Form: form, Row: row, Field: field.Number}.Name()
		return formBox{field, name, as9102.Shown(p.Language, p.One, found[name]), found[name].Typed, missing[name]}
	}
	boxes := func(form, row int, fields []as9102.Field) (all []formBox) {
		for _, field := range fields {
			all = append(all, box(form, row, field))
		}
		return all
	}
	lines := func(form int, of [][]as9102.Field) (all [][]formBox) {
		for _, fields := range of {
			all = append(all, boxes(form, 0, fields))
		}
		return all
	}
	labels := map[[2]int]lang.Text{}
	for _, form := range as9102.Forms() {
		shown := formShown{Form: form, Boxes: append([][]formBox{boxes(1, 0, as9102.Common())}, lines(form.Number, form.Head)...)}
		shown.Below = lines(form.Number, form.Foot)
		for row := 1; row <= rows[form.Number]; row++ {
			shown.Rows = append(shown.Rows, boxes(form.Number, row, form.Columns))
		}
		if len(shown.Rows) == 0 {
			empty := boxes(form.Number, 1, form.Columns)
			for i := range empty {
				empty[i].Text = firstarticle.NotApplicable
			}
			shown.Rows = append(shown.Rows, empty)
		}
		shown.Typed = slices.ContainsFunc(p.One.Fields, func(f firstarticle.Field) bool { return f.Typed && f.Form == form.Number })
		p.Forms = append(p.Forms, shown)
		for _, field := range slices.Concat(as9102.Common(), slices.Concat(form.Head...), form.Columns, slices.Concat(form.Foot...)) {
			labels[[2]int{form.Number, field.Number}] = field.Label
		}
	}
	first := map[int]int{1: 15, 2: 5, 3: 5} // the field that names a row, by form
	for _, at := range p.One.Typable {
		typed := typedField{Name: at.Name(), Label: labels[[2]int{at.Form, at.Field}]}
		if at.Row > 0 {
			typed.Of = found[firstarticle.Missing{Form: at.Form, Row: at.Row, Field: first[at.Form]}.Name()].Text
		}
		if field := found[at.Name()]; field.Typed {
			typed.Text = field.Text
		}
		if missing[at.Name()] {
			p.Lacking = append(p.Lacking, typed)
		} else {
			p.Optional = append(p.Optional, typed)
		}
	}
}

// printFirstArticle shows the forms of a first article for paper.
func printFirstArticle(v *site.Visit) error {
	page := &firstArticlesPage{}
	err := page.read(v, v.R.PathValue("id"))
	if err == nil {
		page.NamesThen, err = v.Views.PastNames(v.R.Context(), nil)
	}
	return v.Shown(err, http.StatusOK, "firstarticleprint", page)
}

// firstArticleAddress is the address of a first article's page.
func firstArticleAddress(id string) string { return "/first-articles?id=" + url.QueryEscape(id) }

// digestFirstArticle is the digest of what forms of a first article depend on.
func digestFirstArticle(f shop.FirstArticle) string {
	return site.AsRead(f.UpdatedAt, f.Fields, f.Missing)
}

var createFirstArticleForm = site.FormOf[shop.CreateFirstArticleInput]()

func createFirstArticle(v *site.Visit) error {
	path := v.Form.Get("pathId")
	err := v.Named()
	var made shop.FirstArticle
	if err == nil {
		in := createFirstArticleForm.Read(v.Form)
		if in.SerialIDs, err = inspectedTyped(v); err == nil {
			in.UserID = v.User()
			in.Characteristics = input.TextsInput{}
			between := func(c rune) bool { return c == ',' || c == ' ' }
			if numbers := strings.FieldsFunc(v.Form.Get("characteristics"), between); len(numbers) > 0 {
				in.Characteristics = input.GivenTexts(numbers...)
			}
			made, err = v.Service.CreateFirstArticle(v.R.Context(), path, in)
		}
	}
	if err != nil {
		return v.Again("create", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderFirstArticles(v, "", path, status, refused)
		})
	}
	v.Remember()
	return v.Back(firstArticleAddress(made.ID), v.T("First article {id} created.", "id", made.ID))
}

// inspectedTyped returns the units of the posted form, at most one more than a first article may have.
func inspectedTyped(v *site.Visit) (in input.TextsInput, err error) {
	typed, err := site.TypedUnits(v, v.Form.Get("units"))
	units := []string{}
	for unit := range site.UnitsWithin(v.SerialPrefix(), typed) {
		if len(units) > shop.FirstArticleUnits {
			break
		}
		units = append(units, unit)
	}
	return input.GivenTexts(units...), err
}

func changeFirstArticle(v *site.Visit) error {
	id, form := v.R.PathValue("id"), v.Form.Get("do")
	err, done := v.Named(), ""
	if err == nil {
		done, err = carryOutOnFirstArticle(v, id, form)
	}
	if site.WasChanged(err) {
		err = site.ErrChanged(v, v.T("Somebody changed this first article or a record behind it meanwhile."), nil)
	}
	if err != nil {
		return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderFirstArticles(v, id, "", status, refused)
		})
	}
	v.Remember()
	return v.Back(firstArticleAddress(id), done)
}

// carryOutOnFirstArticle carries out the posted form, and returns its message.
func carryOutOnFirstArticle(v *site.Visit, id, form string) (done string, err error) {
	ctx := site.IfRead(v, v.Form.Get(site.ReadField), digestFirstArticle)
	switch form {
	case articleTyped:
		in, err := fieldsTyped(v)
		if err == nil {
			_, err = v.Service.UpdateFirstArticle(ctx, id, in)
		}
		return v.T("Saved."), err
	case articleVerified:
		_, err = v.Service.VerifyFirstArticle(ctx, id, shop.ActOnFirstArticleInput{UserID: v.User()})
		return v.T("First article verified."), err
	case articleReopened:
		_, err = v.Service.ReopenFirstArticle(ctx, id, shop.VoidInput{Reason: v.Text("reason"), UserID: v.User()})
		return v.T("First article reopened."), err
	case articleCustomer:
		_, err = v.Service.RecordCustomerApproval(ctx, id, shop.CustomerApprovalInput{
			Name: v.Text("name"), ApprovedOn: v.Text("approvedOn"), SHA256: v.Text("sha256"), UserID: v.User(),
		})
		return v.T("Approval by the customer recorded."), err
	case articleVoided:
		_, err = v.Service.VoidFirstArticle(ctx, id, shop.VoidInput{Reason: v.Text("reason"), UserID: v.User()})
		return v.T("First article voided."), err
	}
	_, err = v.Service.ApproveFirstArticle(ctx, id, shop.ActOnFirstArticleInput{UserID: v.User()})
	return v.T("First article approved."), err
}

// fieldPrefix begins the names of the fields of the form that types fields.
const fieldPrefix = "field "

// fieldsTyped returns the fields of the posted form.
func fieldsTyped(v *site.Visit) (in shop.UpdateFirstArticleInput, err error) {
	texts := map[string]string{}
	for name := range v.Form {
		if field, ok := strings.CutPrefix(name, fieldPrefix); ok {
			texts[field] = v.Form.Get(name)
		}
	}
	object, err := json.Marshal(texts)
	return shop.UpdateFirstArticleInput{Fields: input.Given(json.RawMessage(object)), UserID: v.User()}, err
}
