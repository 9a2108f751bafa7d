package statement

import (
	"crypto/rand"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type paths struct{ *db.Core }

type pathRow struct {
	path     card.Path
	revision string
}

const (
	pathStored  = `id, job_id, name, goal_quantity, advancement_mode, revision, created_at, updated_at, due_date, bom_id`
	pathColumns = pathStored + db.ExternalOf + string(shop.RecordPath) + `' AND x.record_id = path.id` + db.ExternalEnd
)

func scanPath(r db.Rows) (row pathRow, err error) {
	p := &row.path
	err = r.Scan(&p.ID, &p.JobID, &p.Name, &p.GoalQuantity, &p.AdvancementMode, &row.revision, &p.CreatedAt, &p.UpdatedAt, &p.DueDate,
		&p.BOMID, &p.ExternalID)
	return row, err
}

// StepRow is a step with its path.
type StepRow struct {
	PathID string
	Step   card.ProcessStep
}

// StepColumns are the columns of a step, for ScanStep.
const StepColumns = `path_id, id, step_index, name, location, assigned_to, optional, dependency_type`

// ScanStep scans a step.
func ScanStep(r db.Rows) (row StepRow, err error) {
	s := &row.Step
	err = r.Scan(&row.PathID, &s.ID, &s.Order, &s.Name, &s.Location, &s.AssignedTo, &s.Optional, &s.DependencyType)
	return row, err
}

// NewRevision returns a unique name for one state of a path.
func NewRevision() string { return rand.Text() }

func (t paths) InsertPath(path card.Path) error {
	if err := db.Run(t, `INSERT INTO path (`+pathStored+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		path.ID, path.JobID, path.Name, path.GoalQuantity, string(path.AdvancementMode), NewRevision(),
		int64(path.CreatedAt), int64(path.UpdatedAt), path.DueDate, path.BOMID); err != nil {
		return err
	}
	return t.insertSteps(path.ID, path.Steps)
}

func (t paths) insertSteps(pathID string, steps []card.ProcessStep) error {
	const width = 8
	args := make([]any, 0, width*len(steps))
	for _, step := range steps {
		args = append(args, pathID, step.ID, step.Order, step.Name, step.Location, step.AssignedTo, step.Optional,
			string(step.DependencyType))
	}
	return db.InsertAll(t, `INSERT INTO step (`+StepColumns+`) VALUES`, width, args, "")
}

func (t paths) UpdatePath(before, after card.Path) error {
	if err := db.ExpectOne(t, `UPDATE path SET name = $2, goal_quantity = $3, advancement_mode = $4, revision = $5,
		updated_at = $6, due_date = $7, bom_id = $8 WHERE id = $1`, after.ID, after.Name, after.GoalQuantity, string(after.AdvancementMode),
		NewRevision(), int64(after.UpdatedAt), after.DueDate, after.BOMID); err != nil {
		return err
	}
	was, kept := map[string]card.ProcessStep{}, map[string]bool{}
	for _, step := range before.Steps {
		was[step.ID] = step
	}
	moved := false
	for _, step := range after.Steps {
		if old, existed := was[step.ID]; existed {
			kept[step.ID] = true
			moved = moved || old.Order != step.Order
		}
	}
	for _, step := range before.Steps {
		if !kept[step.ID] {
			if err := db.ExpectOne(t, `DELETE FROM step WHERE id = $1`, step.ID); err != nil {
				return err
			}
		}
	}
	if moved { // moves first, to free positions: no two steps of a path may have the same position
		if err := db.Run(t, `UPDATE step SET step_index = -1 - step_index WHERE path_id = $1`, after.ID); err != nil {
			return err
		}
	}
	var added []card.ProcessStep
	for _, step := range after.Steps {
		switch {
		case !kept[step.ID]:
			added = append(added, step)
		case moved || was[step.ID] != step:
			if err := db.ExpectOne(t, `UPDATE step SET step_index = $2, name = $3, location = $4, assigned_to = $5,
				optional = $6, dependency_type = $7 WHERE id = $1`, step.ID, step.Order, step.Name, step.Location,
				step.AssignedTo, step.Optional, string(step.DependencyType)); err != nil {
				return err
			}
		}
	}
	return t.insertSteps(after.ID, added)
}

func (t paths) DeletePath(path card.Path) error {
	if err := db.Run(t, `DELETE FROM step WHERE path_id = $1`, path.ID); err != nil {
		return err
	}
	return db.ExpectOne(t, `DELETE FROM path WHERE id = $1`, path.ID)
}

func (t paths) Path(id string) (card.Path, error) {
	revision, err := db.One(t, db.Scalar[string], `SELECT revision FROM path WHERE id = $1`+t.Lock, id)
	if err != nil {
		return card.Path{}, err
	}
	path, err := route(t.Core, id, revision)
	path.Steps = slices.Clone(path.Steps) // the caller may change them later
	return path, err
}

// route returns a path in the state that has the given revision. The transaction must see that state.
func route(t *db.Core, id, revision string) (card.Path, error) {
	if path, ok := t.PathCache.Get(revision); ok {
		return path, nil
	}
	var found []routeRow
	if err := db.Pipelined(t.Querier, routeStatement(id, &found)); err != nil {
		return card.Path{}, err
	}
	return keepRoute(t, found)
}

type routeRow struct {
	pathRow
	step       card.ProcessStep
	set        card.CharacteristicSet // revision 0 if the step has none
	measured   string
	required   card.RequirementSet // revision 0 if the step has none
	demanded   string
	firstPiece int64 // the number of the first unit; 0 for none
}

func scanRoute(r db.Rows) (row routeRow, err error) {
	p, s := &row.path, &row.step
	err = r.Scan(&p.ID, &p.JobID, &p.Name, &p.GoalQuantity, &p.AdvancementMode, &row.revision, &p.CreatedAt, &p.UpdatedAt, &p.DueDate,
		&s.ID, &s.Order, &s.Name, &s.Location, &s.AssignedTo, &s.Optional, &s.DependencyType,
		&row.set.ID, &row.set.Revision, &row.measured, &row.set.ChangedBy, &row.set.ChangedAt, &row.firstPiece, &p.ClosedJob,
		&row.required.ID, &row.required.Revision, &row.demanded, &row.required.ChangedBy, &row.required.ChangedAt, &p.BOMID, &p.ExternalID)
	return row, err
}

// routeStatement reads a path with its steps in one statement, so that all its data is of one revision.
func routeStatement(id string, found *[]routeRow) db.Statement {
	return db.Statement{SQL: `SELECT p.id, p.job_id, p.name, p.goal_quantity, p.advancement_mode, p.revision, p.created_at,
			p.updated_at, p.due_date, COALESCE(s.id, ''), COALESCE(s.step_index, -1), COALESCE(s.name, ''), COALESCE(s.location, ''),
			COALESCE(s.assigned_to, ''), COALESCE(s.optional, FALSE), COALESCE(s.dependency_type, ''),
			COALESCE(c.id, ''), COALESCE(c.revision, 0), COALESCE(c.characteristics, ''), COALESCE(c.changed_by, ''),
			COALESCE(c.changed_at, 0), COALESCE(f.serial_number, 0), COALESCE(j.name, ''),
			COALESCE(q.id, ''), COALESCE(q.revision, 0), COALESCE(q.requirements, ''), COALESCE(q.changed_by, ''),
			COALESCE(q.changed_at, 0), p.bom_id` +
		db.ExternalOf + string(shop.RecordPath) + `' AND x.record_id = p.id` + db.ExternalEnd + `
		FROM path p LEFT JOIN step s ON s.path_id = p.id
		LEFT JOIN job j ON j.id = p.job_id AND j.closed_at <> 0
		LEFT JOIN step_characteristics c ON c.step_id = s.id
			AND c.revision = (SELECT MAX(n.revision) FROM step_characteristics n WHERE n.step_id = s.id)
		LEFT JOIN step_requirements q ON q.step_id = s.id
			AND q.revision = (SELECT MAX(n.revision) FROM step_requirements n WHERE n.step_id = s.id)
		LEFT JOIN arrival f ON f.step_id = s.id AND f.accepted = 1
		WHERE p.id = $1 ORDER BY s.step_index`, Args: []any{id}, Row: db.Into(found, scanRoute)}
}

// keepRoute builds a path from its rows and caches it by its revision.
func keepRoute(t *db.Core, found []routeRow) (card.Path, error) {
	if len(found) == 0 {
		return card.Path{}, shop.ErrNoRecord
	}
	path := found[0].path
	path.Steps = make([]card.ProcessStep, 0, len(found))
	for i := range found {
		if found[i].step.ID != "" { // a path without steps has one row without a step
			path.Steps = append(path.Steps, found[i].step)
		}
		if err := found[i].measure(t.Prefix, &path); err != nil && !t.Partial {
			return card.Path{}, err
		}
		if err := found[i].require(&path); err != nil && !t.Partial {
			return card.Path{}, err
		}
	}
	t.PathCache.Put(found[0].revision, path)
	return path, nil
}

// measure adds the step's characteristics to its path.
func (row *routeRow) measure(prefix ident.Prefix, path *card.Path) error {
	if row.firstPiece != 0 {
		if path.FirstPieces == nil {
			path.FirstPieces = map[string]string{}
		}
		path.FirstPieces[row.step.ID] = prefix.SerialID(row.firstPiece)
	}
	if row.set.Revision == 0 {
		return nil
	}
	row.set.StepID = row.step.ID
	if path.Characteristics == nil {
		path.Characteristics = map[string]card.CharacteristicSet{}
	}
	if err := decodeSet(&row.set, row.measured); err != nil {
		return err
	}
	path.Characteristics[row.step.ID] = row.set
	return nil
}

// require adds the step's requirements to its path.
func (row *routeRow) require(path *card.Path) error {
	if row.required.Revision == 0 {
		return nil
	}
	row.required.StepID = row.step.ID
	if err := decodeRequirements(&row.required, row.demanded); err != nil {
		return err
	}
	if path.Requirements == nil {
		path.Requirements = map[string]card.RequirementSet{}
	}
	path.Requirements[row.step.ID] = row.required
	return nil
}

func (t paths) PathsOfJob(jobID string) ([]card.Path, error) {
	found, err := db.All(t, scanPath, `SELECT `+pathColumns+` FROM path WHERE job_id = $1 ORDER BY id`, jobID)
	if err != nil {
		return nil, err
	}
	steps, err := db.All(t, ScanStep, `SELECT `+StepColumns+` FROM step
		WHERE path_id IN (SELECT id FROM path WHERE job_id = $1) ORDER BY path_id, step_index`, jobID)
	if err != nil {
		return nil, err
	}
	paths := make([]card.Path, len(found))
	for i, row := range found {
		paths[i] = row.path
		paths[i].Steps = []card.ProcessStep{}
		for len(steps) > 0 && steps[0].PathID == row.path.ID {
			paths[i].Steps = append(paths[i].Steps, steps[0].Step)
			steps = steps[1:]
		}
	}
	return paths, nil
}

// anyStatus is a condition that is true for every serial. With it the database can use an index that begins with the status to find the
// serials of a path.
const anyStatus = `status IN ('in_progress', 'completed', 'scrapped')`

func (t paths) PathHasSerials(id string) (bool, error) {
	return db.One(t, db.Scalar[bool], `SELECT EXISTS (SELECT 1 FROM serial WHERE `+anyStatus+` AND path_id = $1)`, id)
}

func (t paths) StepReferred(stepID string) (bool, error) {
	if err := lockStep(t.Core, stepID); err != nil {
		return false, err
	}
	return db.One(t, db.Scalar[bool], selectReferred, stepID)
}

// selectReferred checks whether a record of any kind refers to a step. A column may be empty, and the index of a column may omit empty
// values.
var selectReferred = func() string {
	var parts []string
	for _, record := range shop.Records() {
		if column := record.StepColumn; column != "" {
			ofStep := ""
			if record.Kind == shop.RecordFileLink { // its column refers to records of several kinds
				ofStep = "on_kind = 'step' AND "
			}
			parts = append(parts, `EXISTS (SELECT 1 FROM `+record.Table+` WHERE `+ofStep+column+` <> '' AND `+column+` = $1)`)
		}
	}
	return `SELECT ` + strings.Join(parts, " OR ")
}()

// lockStep prevents other transactions, until this one ends, from adding references to a step and from removing the step.
func lockStep(t *db.Core, id string) error {
	if t.Lock == "" {
		return nil
	}
	return db.Run(t, `SELECT id FROM step WHERE id = $1`+t.Lock, id)
}

func (t paths) PathOfStep(stepID string) (card.Path, error) {
	pathID, err := db.One(t, db.Scalar[string], `SELECT path_id FROM step WHERE id = $1`, stepID)
	if err != nil {
		return card.Path{}, err
	}
	path, err := t.Path(pathID)
	if err != nil {
		return card.Path{}, err
	}
	for i := range path.Steps {
		if path.Steps[i].ID == stepID {
			return path, nil
		}
	}
	return card.Path{}, shop.ErrNoRecord // the step was removed before the path was locked
}
