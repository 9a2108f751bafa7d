package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard"
)

// bomRow is one line of the entry editor, as it was typed.
type bomRow struct {
	PartType, Quantity string
	Jobs               []string // identifiers
}

// Picked reports whether a row names a job.
func (r bomRow) Picked(id string) bool { return slices.Contains(r.Jobs, id) }

type bomsPage struct {
	frame
	BOMs []routecard.BOM
	bomEditor
}

// bomEditor is the editor of a BOM's entries.
type bomEditor struct {
	Rows    []bomRow
	Choices []jobChoice // the newest jobs, and those that are chosen already
}

type jobChoice struct{ ID, Name string }

func (v *visit) bomEditor(rows []bomRow) (bomEditor, error) {
	e := bomEditor{Rows: rows}
	jobs, err := v.service.NewestJobs(v.r.Context(), certificateChoices)
	known := map[string]bool{}
	for _, job := range jobs {
		e.Choices = append(e.Choices, jobChoice{job.ID, job.Name})
		known[job.ID] = true
	}
	for _, row := range rows {
		for _, id := range row.Jobs {
			if !known[id] {
				known[id] = true
				e.Choices = append(e.Choices, jobChoice{id, id})
			}
		}
	}
	return e, err
}

func showBOMs(v *visit) error { return v.boms(http.StatusOK, nil) }

func (v *visit) boms(status int, refused *problem) error {
	page := &bomsPage{frame: v.frame("Bills of material", "bom")}
	page.problem = refused
	for bom, err := range v.service.BOMs(v.r.Context()) {
		if err != nil {
			return err
		}
		if page.BOMs = append(page.BOMs, bom); len(page.BOMs) == certificateChoices {
			break
		}
	}
	var err error
	page.bomEditor, err = v.bomEditor(v.bomRows())
	return v.shown(err, status, "bom", page)
}

// shown shows a page unless loading it failed.
func (v *visit) shown(err error, status int, name string, page any) error {
	if err != nil {
		return err
	}
	return v.show(status, name, page)
}

// bomRows reads the rows of the editor, changed as its buttons ask; at least three when none were posted.
func (v *visit) bomRows() []bomRow {
	rows := []bomRow{}
	for i, part := range v.form["partType"] {
		row := bomRow{PartType: part}
		if quantities := v.form["quantity"]; i < len(quantities) {
			row.Quantity = quantities[i]
		}
		row.Jobs = v.form["jobs:"+strconv.Itoa(i)]
		rows = append(rows, row)
	}
	for len(rows) < 3 && v.form["partType"] == nil {
		rows = append(rows, bomRow{})
	}
	what, place, _ := strings.Cut(v.form.Get("do"), ":")
	at, _ := strconv.Atoi(place)
	switch {
	case what == "add":
		rows = append(rows, bomRow{})
	case what == "remove" && at >= 0 && at < len(rows) && len(rows) > 1:
		rows = slices.Delete(rows, at, at+1)
	}
	return rows
}

func (v *visit) bomEntries() routecard.BOMEntriesInput {
	entries := []routecard.Input[routecard.BOMEntryInput]{}
	for _, row := range v.bomRows() {
		if strings.TrimSpace(row.PartType+row.Quantity) == "" && len(row.Jobs) == 0 {
			continue // rows that nobody filled in
		}
		entries = append(entries, routecard.Given(routecard.BOMEntryInput{
			PartType: routecard.Given(row.PartType), RequiredQuantityPerBuild: numberOf(row.Quantity),
			ContributingJobIDs: routecard.GivenTexts(row.Jobs...),
		}))
	}
	return routecard.Given(entries)
}

func createBOM(v *visit) error {
	if do := v.form.Get("do"); do != "create" {
		return v.boms(http.StatusOK, &problem{form: "create", values: v.form})
	}
	bom, err := v.service.CreateBOM(v.r.Context(), routecard.CreateBOMInput{Name: v.text("name"), Entries: v.bomEntries()})
	if err != nil {
		return v.again("create", err, v.boms)
	}
	return v.back("/bom/"+bom.ID, "BOM created.")
}

type bomPage struct {
	frame
	BOM      routecard.BOMDetail
	Versions []routecard.BOMVersion
	Compare  *comparison // nil unless two versions are set side by side
	bomEditor
	Jobs  map[string]string // names by identifier
	Left  string
	Right string
}

// comparison is two versions of a BOM, line by line.
type comparison struct {
	Left, Right string
	Lines       []comparedLine
}

type comparedLine struct {
	PartType    string
	Left, Right string // quantities, "" where the version has no such part
}

// Changed reports whether the line differs.
func (l comparedLine) Changed() bool { return l.Left != l.Right }

func showBOM(v *visit) error { return v.bom(http.StatusOK, nil) }

func (v *visit) bom(status int, refused *problem) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	bom, err := v.service.BOM(ctx, id)
	if err != nil {
		return err
	}
	page := &bomPage{frame: v.frame(bom.Name, "bom"), BOM: bom}
	page.problem = refused
	for version, err := range v.service.BOMVersions(ctx, id) {
		if err != nil {
			return err
		}
		page.Versions = append(page.Versions, version)
	}
	var rows []bomRow
	var named []string
	for _, entry := range bom.Entries {
		row := bomRow{entry.PartType, strconv.FormatFloat(entry.RequiredQuantityPerBuild, 'g', -1, 64),
			entry.ContributingJobIDs}
		rows = append(rows, row)
		named = append(named, entry.ContributingJobIDs...)
	}
	if page.Jobs, err = v.service.JobNames(ctx, named); err != nil {
		return err
	}
	if v.form["partType"] != nil {
		rows = v.bomRows()
	}
	if page.bomEditor, err = v.bomEditor(rows); err != nil {
		return err
	}
	page.Left, page.Right = v.r.URL.Query().Get("left"), v.r.URL.Query().Get("right")
	if len(page.Versions) > 0 {
		if page.Left == "" {
			page.Left = strconv.FormatInt(page.Versions[0].VersionNumber, 10)
		}
		page.Compare = page.compare()
	}
	return v.show(status, "bomdetail", page)
}

// compare sets two versions side by side; the current state is the one without a number.
func (p *bomPage) compare() *comparison {
	quantities := func(version string) (map[string]string, []string, string) {
		entries, name := p.BOM.Entries, "Now"
		for _, kept := range p.Versions {
			if strconv.FormatInt(kept.VersionNumber, 10) == version {
				name = "Version " + version
				if json.Unmarshal(kept.EntriesSnapshot, &entries) != nil {
					entries = nil
				}
				break
			}
		}
		byPart, parts := map[string]string{}, []string{}
		for _, entry := range entries {
			if _, ok := byPart[entry.PartType]; !ok {
				parts = append(parts, entry.PartType)
			}
			byPart[entry.PartType] = strconv.FormatFloat(entry.RequiredQuantityPerBuild, 'g', -1, 64)
		}
		return byPart, parts, name
	}
	left, parts, leftName := quantities(p.Left)
	right, more, rightName := quantities(p.Right)
	compared := &comparison{Left: leftName, Right: rightName}
	for _, part := range more {
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		compared.Lines = append(compared.Lines, comparedLine{part, left[part], right[part]})
	}
	return compared
}

// JobName is the name of a job, or its identifier when there is none.
func (p *bomPage) JobName(id string) string {
	if name := p.Jobs[id]; name != "" {
		return name
	}
	return id
}

func changeBOM(v *visit) error {
	id := v.r.PathValue("id")
	var err error
	done := "BOM saved."
	form := v.form.Get("do")
	switch form {
	case "rename":
		_, err = v.service.UpdateBOM(v.r.Context(), id, routecard.UpdateBOMInput{Name: v.text("name")})
	case "edit":
		_, err = v.service.EditBOM(v.r.Context(), id, routecard.EditBOMInput{
			Entries: v.bomEntries(), ChangeDescription: v.text("changeDescription"), UserID: v.user(),
		})
		done = "BOM saved. What it was before is kept as a version."
	default:
		return v.bom(http.StatusOK, &problem{form: "edit", values: v.form})
	}
	if err != nil {
		return v.again(form, err, v.bom)
	}
	v.remember()
	return v.back("/bom/"+id, done)
}
