package office

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// BOMRow is one line of the entry editor as the user typed it.
type BOMRow struct {
	PartType, Quantity string
	Jobs               []BOMJob // the chosen jobs
	Typed              string   // a job that was typed but is not added yet
}

// BOMJob is a job that makes a part type.
type BOMJob struct{ ID, Name string }

// BOMsPage lists the bills of materials.
type BOMsPage struct {
	site.Frame
	BOMs []shop.BOM
	More bool
	BOMEditor
}

// BOMEditor is the editor of a BOM's entries.
type BOMEditor struct {
	Rows    []BOMRow
	Choices []site.Choice // the newest jobs
}

// newBOMEditor creates an editor, with the names of the jobs in rows.
func newBOMEditor(v *site.Visit, rows []BOMRow) (e BOMEditor, err error) {
	names, err := jobsNamed(v, rows)
	if err != nil {
		return e, err
	}
	for _, row := range rows {
		for i := range row.Jobs {
			if row.Jobs[i].Name = names[row.Jobs[i].ID]; row.Jobs[i].Name == "" {
				row.Jobs[i].Name = row.Jobs[i].ID
			}
		}
	}
	e.Rows = rows
	e.Choices, err = site.Newest(v, "job")
	return e, err
}

// jobsNamed returns the names of all jobs in rows.
func jobsNamed(v *site.Visit, all ...[]BOMRow) (map[string]string, error) {
	var ids []string
	for _, rows := range all {
		for _, row := range rows {
			for _, job := range row.Jobs {
				ids = append(ids, job.ID)
			}
		}
	}
	return v.Views.JobNames(v.R.Context(), ids)
}

// bomsListed is the maximum number of bills of materials on the page, which lists the newest.
const bomsListed = 200

func showBOMs(v *site.Visit) error { return renderBOMs(v, http.StatusOK, nil) }

func renderBOMs(v *site.Visit, status int, refused *site.Problem) error {
	page := &BOMsPage{Frame: v.Frame("Bills of material", "bom")}
	page.Rejected = refused
	for bom, err := range v.Service.BOMs(v.R.Context()) {
		if err != nil {
			return err
		}
		if len(page.BOMs) == bomsListed {
			page.More = true
			break
		}
		page.BOMs = append(page.BOMs, bom)
	}
	var err error
	page.BOMEditor, err = newBOMEditor(v, bomRows(v))
	return v.Shown(err, status, "bom", page)
}

// bomRows reads the rows of the editor and applies the pressed button. If no rows were posted, it returns three empty rows.
func bomRows(v *site.Visit) []BOMRow {
	rows := []BOMRow{}
	for i, part := range v.Form["partType"] {
		row := BOMRow{PartType: part, Typed: strings.TrimSpace(v.Form.Get("job:" + strconv.Itoa(i)))}
		if quantities := v.Form["quantity"]; i < len(quantities) {
			row.Quantity = quantities[i]
		}
		for _, id := range v.Form["jobs:"+strconv.Itoa(i)] {
			row.Jobs = append(row.Jobs, BOMJob{ID: id})
		}
		rows = append(rows, row)
	}
	for len(rows) < 3 && v.Form["partType"] == nil {
		rows = append(rows, BOMRow{})
	}
	what, place, _ := strings.Cut(v.Form.Get("do"), ":")
	at, _ := strconv.Atoi(place)
	switch {
	case what == "add":
		rows = append(rows, BOMRow{})
	case what == "remove" && at >= 0 && at < len(rows) && len(rows) > 1:
		rows = slices.Delete(rows, at, at+1)
	}
	return rows
}

// takeJobs adds the typed jobs to the chosen ones.
func takeJobs(v *site.Visit, rows []BOMRow) error {
	for i := range rows {
		row := &rows[i]
		if row.Typed == "" {
			continue
		}
		id, err := site.Pickings(v)["job"].Pick(v.R.Context(), row.Typed)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(row.Jobs, func(job BOMJob) bool { return job.ID == id }) {
			row.Jobs = append(row.Jobs, BOMJob{ID: id})
		}
		row.Typed = ""
	}
	return nil
}

func bomEntries(v *site.Visit) (shop.BOMEntriesInput, error) {
	rows := bomRows(v)
	if err := takeJobs(v, rows); err != nil {
		return shop.BOMEntriesInput{}, err
	}
	entries := []input.Input[shop.BOMEntryInput]{}
	for _, row := range rows {
		if strings.TrimSpace(row.PartType+row.Quantity) == "" && len(row.Jobs) == 0 {
			continue // rows left empty
		}
		ids := make([]string, len(row.Jobs))
		for i, job := range row.Jobs {
			ids[i] = job.ID
		}
		quantity, err := v.TypedDecimal("quantity", row.Quantity)
		if err != nil {
			return shop.BOMEntriesInput{}, err
		}
		entries = append(entries, input.Given(shop.BOMEntryInput{
			PartType: input.Given(row.PartType), RequiredQuantityPerBuild: site.DecimalOf(quantity),
			ContributingJobIDs: input.GivenTexts(ids...),
		}))
	}
	return input.Given(entries), nil
}

// bomEdited handles the editor's own buttons.
func bomEdited(v *site.Visit, form string, show func(v *site.Visit, status int, refused *site.Problem) error) error {
	if v.Form.Get("do") == "take" {
		rows := bomRows(v)
		if err := takeJobs(v, rows); err != nil {
			return v.Again(form, err, show)
		}
		for i, row := range rows {
			place := strconv.Itoa(i)
			delete(v.Form, "jobs:"+place)
			delete(v.Form, "job:"+place)
			for _, job := range row.Jobs {
				v.Form.Add("jobs:"+place, job.ID)
			}
		}
	}
	return show(v, http.StatusOK, &site.Problem{Form: form, Values: v.Form})
}

var (
	createBOMForm = site.FormOf[shop.CreateBOMInput]()
	editBOMForm   = site.FormOf[shop.EditBOMInput]()
)

func createBOM(v *site.Visit) error {
	if do := v.Form.Get("do"); do != "create" {
		return bomEdited(v, "create", renderBOMs)
	}
	var bom shop.BOM
	var err error
	in := createBOMForm.Read(v.Form)
	in.ChangedBy = v.User()
	if in.Entries, err = bomEntries(v); err == nil {
		bom, err = v.Service.CreateBOM(v.R.Context(), in)
	}
	if err != nil {
		return v.Again("create", err, renderBOMs)
	}
	return v.Back("/bom/"+bom.ID, v.T("Bill of material created."))
}

// BOMPage is one bill of materials, with the changes of its versions.
type BOMPage struct {
	site.Frame
	site.Past
	BOM      shop.BOMDetail
	Versions []shop.BOMVersion
	Compare  *Comparison // nil unless two versions are compared
	BOMEditor
	Read  string            // the digest of its lines; see readBOM
	Jobs  map[string]string // names by identifier
	Left  string
	Right string
}

// Comparison compares two versions of a BOM, line by line.
type Comparison struct {
	Left, Right string
	Lines       []shop.BOMLine
}

func showBOM(v *site.Visit) error { return renderBOM(v, http.StatusOK, nil) }

func renderBOM(v *site.Visit, status int, refused *site.Problem) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	bom, err := v.Service.BOM(ctx, id)
	if err != nil {
		return err
	}
	page := &BOMPage{Frame: v.FrameOf(bom.Name, "bom"), BOM: bom}
	page.Rejected = refused
	for version, err := range v.Service.BOMVersions(ctx, id) {
		if err != nil {
			return err
		}
		page.Versions = append(page.Versions, version)
	}
	rows := bomRowsOf(v, bom)
	var named []string
	for _, entry := range bom.Entries {
		named = append(named, entry.ContributingJobIDs...)
	}
	if page.Jobs, err = v.Views.JobNames(ctx, named); err != nil {
		return err
	}
	if page.NamesThen, err = v.Views.PastNames(ctx, nil); err != nil {
		return err
	}
	page.Read = readBOM(bom)
	if v.Form["partType"] != nil {
		rows, page.Read = bomRows(v), v.Form.Get(site.ReadField)
	}
	if page.BOMEditor, err = newBOMEditor(v, rows); err != nil {
		return err
	}
	page.Left, page.Right = v.R.URL.Query().Get("left"), v.R.URL.Query().Get("right")
	if len(page.Versions) > 0 {
		if page.Left == "" {
			page.Left = strconv.FormatInt(page.Versions[0].VersionNumber, 10)
		}
		if page.Compare, err = page.compare(); err != nil {
			return err
		}
	}
	return v.Show(status, "bomdetail", page)
}

// compare compares two versions; no number means the current state.
func (p *BOMPage) compare() (*Comparison, error) {
	side := func(number string) ([]shop.BOMEntry, string, error) {
		for _, kept := range p.Versions {
			if strconv.FormatInt(kept.VersionNumber, 10) == number {
				entries, err := kept.Entries()
				return entries, p.T("Version {number}", "number", number), err
			}
		}
		return p.BOM.Entries, p.T("Now"), nil
	}
	left, leftName, err := side(p.Left)
	if err != nil {
		return nil, err
	}
	right, rightName, err := side(p.Right)
	return &Comparison{leftName, rightName, shop.CompareBOM(left, right)}, err
}

// JobName returns the name of a job, or its identifier if it has no name.
func (p *BOMPage) JobName(id string) string {
	if name := p.Jobs[id]; name != "" {
		return name
	}
	return id
}

func changeBOM(v *site.Visit) error {
	id := v.R.PathValue("id")
	var err error
	done := v.T("Bill of material saved.")
	form := v.Form.Get("do")
	switch form {
	case "rename":
		ctx := site.IfRead(v, v.Form.Get(site.ReadField), readBOMName)
		_, err = v.Service.UpdateBOM(ctx, id, shop.UpdateBOMInput{Name: v.Text("name"), ChangedBy: v.User()})
	case "edit":
		in := editBOMForm.Read(v.Form)
		in.UserID = v.User()
		if in.Entries, err = bomEntries(v); err == nil {
			_, err = v.Service.EditBOM(site.IfRead(v, v.Form.Get(site.ReadField), readBOM), id, in)
		}
		done = v.T("Bill of material saved. The previous state is a version.")
	default:
		return bomEdited(v, "edit", renderBOM)
	}
	if site.WasChanged(err) {
		return bomChanged(v, form, id)
	}
	if err != nil {
		return v.Again(form, err, renderBOM)
	}
	v.Remember()
	return v.Back("/bom/"+id, done)
}

// bomRowsOf returns a BOM's lines as rows of the editor.
func bomRowsOf(v *site.Visit, bom shop.BOMDetail) (rows []BOMRow) {
	for _, entry := range bom.Entries {
		row := BOMRow{PartType: entry.PartType, Quantity: v.Decimal(strconv.FormatFloat(entry.RequiredQuantityPerBuild, 'g', -1, 64))}
		for _, id := range entry.ContributingJobIDs {
			row.Jobs = append(row.Jobs, BOMJob{ID: id})
		}
		rows = append(rows, row)
	}
	return rows
}

// readBOM is the digest of a BOM's lines in its editor. readBOMName is the digest in the form for its name.
func readBOM(bom shop.BOMDetail) string {
	values := []any{}
	for _, entry := range bom.Entries { // identifiers of entries change with every edit
		values = append(values, entry.PartType, entry.RequiredQuantityPerBuild, entry.ContributingJobIDs)
	}
	return site.AsRead(values...)
}

func readBOMName(bom shop.BOMDetail) string { return site.AsRead(bom.Name) }

// ReadName is the digest of the BOM in the form for its name.
func (p *BOMPage) ReadName() string { return readBOMName(p.BOM) }

// bomChanged responds to a form for a BOM that has changed since the page was shown.
func bomChanged(v *site.Visit, form, id string) error {
	bom, err := v.Service.BOM(v.R.Context(), id)
	if err != nil {
		return err
	}
	values, now := []site.Compared{{Field: "Name", Typed: v.Form.Get("name"), Now: bom.Name}}, url.Values{"name": {bom.Name}}
	if form == "edit" {
		typed, is := bomRows(v), bomRowsOf(v, bom)
		if err := takeJobs(v, typed); err != nil {
			return err
		}
		names, err := jobsNamed(v, typed, is)
		if err != nil {
			return err
		}
		values, now = linesCompared(typed, is, names), url.Values{"changeDescription": v.Form["changeDescription"]}
	}
	err = site.ErrChanged(v, v.T("Somebody changed the bill meanwhile."), values)
	return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values, v.Form = now, url.Values{}
		return renderBOM(v, status, refused)
	})
}

// linesCompared compares the typed lines with the current lines, by position.
func linesCompared(typed, now []BOMRow, names map[string]string) (values []site.Compared) {
	in := func(rows []BOMRow, at int) BOMRow {
		if at < len(rows) {
			return rows[at]
		}
		return BOMRow{}
	}
	jobs := func(row BOMRow) string {
		list := make([]string, len(row.Jobs))
		for i, job := range row.Jobs {
			list[i] = cmp.Or(names[job.ID], job.ID)
		}
		return strings.Join(list, ", ")
	}
	for i := range max(len(typed), len(now)) {
		a, b, place := in(typed, i), in(now, i), wording.Ordinal(i)
		values = append(values, site.Compared{Field: "Part type {row}", Row: place, Typed: a.PartType, Now: b.PartType},
			site.Compared{Field: "Per assembly {row}", Row: place, Typed: a.Quantity, Now: b.Quantity},
			site.Compared{Field: "Made by {row}", Row: place, Typed: jobs(a), Now: jobs(b)})
	}
	return values
}
