package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard"
)

// open sets up what the shop has from the first day, and plans the orders and the office's work.
func (s *simulation) open(ctx context.Context) error {
	for _, begin := range []func(context.Context) error{s.engage, s.fillLibraries, s.keepTemplates} {
		if err := begin(ctx); err != nil {
			return err
		}
	}
	place := 0
	for _, o := range orders() {
		first := place
		place += len(o.routes)
		s.planAt(o.placed, func(ctx context.Context) error { return s.place(ctx, o, first) })
	}
	for i, a := range assemblies() {
		s.planAt(0.25+0.1*float64(i), func(ctx context.Context) error { return s.assemble(ctx, i, a) })
	}
	s.planTroubles()
	return nil
}

// fillLibraries lists the processes and places of all routes, and one that nobody needed in the end.
func (s *simulation) fillLibraries(ctx context.Context) error {
	var processes, locations []string
	for _, o := range orders() {
		for _, r := range o.routes {
			for _, st := range r.steps {
				processes, locations = append(processes, st.name), append(locations, st.location)
			}
		}
	}
	for library, names := range map[routecard.Library][]string{
		routecard.Processes: processes, routecard.Locations: locations,
	} {
		slices.Sort(names)
		names = slices.Compact(names)
		if err := together(len(names), func(i int) error {
			_, err := s.service.CreateLibraryEntry(ctx, library, routecard.Given(names[i]))
			return err
		}); err != nil {
			return err
		}
	}
	typo, err := s.service.CreateLibraryEntry(ctx, routecard.Locations, routecard.Given("CMM1"))
	if err != nil {
		return err
	}
	return s.service.DeleteLibraryEntry(ctx, routecard.Locations, typo.ID)
}

// place takes an order in: the job, its material, its paths, and the plan for their lots.
func (s *simulation) place(ctx context.Context, o order, place int) error {
	in := routecard.CreateJobInput{
		Name: routecard.Given(o.name), GoalQuantity: routecard.Given(float64(o.goal)), ChangedBy: s.who(planner),
	}
	in.TicketKey, in.TicketSummary, in.PartNumber = given(o.tracker.key), given(o.tracker.summary), given(o.tracker.part)
	in.Priority, in.EpicLink = given(o.tracker.priority), given(o.tracker.epic)
	if o.tracker.labels != nil {
		in.Labels = routecard.GivenTexts(o.tracker.labels...)
	}
	job, err := s.service.CreateJob(ctx, in)
	if err != nil {
		return err
	}
	s.jobs[o.name] = job.ID
	var certificateID string
	if o.material != "" {
		certificate, err := s.service.CreateCertificate(ctx, routecard.CreateCertificateInput{
			Type: routecard.Given(string(routecard.MaterialCertificate)), Name: routecard.Given(o.material + ", heat " + o.heat),
			Metadata:  routecard.Given(document(map[string]string{"heat": o.heat, "supplier": o.supplier})),
			ChangedBy: s.who(quality),
		})
		if err != nil {
			return err
		}
		certificateID = certificate.ID
	}
	for i, r := range o.routes {
		if err := s.openRoute(ctx, job.ID, certificateID, r, place+i); err != nil {
			return err
		}
	}
	return nil
}

// given is a field that stays absent while there is nothing to say.
func given(text string) routecard.TextInput {
	if text == "" {
		return routecard.TextInput{}
	}
	return routecard.Given(text)
}

// openRoute makes the path of a route and plans the release of its lots.
func (s *simulation) openRoute(ctx context.Context, jobID, certificateID string, r route, place int) error {
	path, err := s.service.CreatePath(ctx, routecard.CreatePathInput{
		JobID: routecard.Given(jobID), Name: routecard.Given(r.name),
		GoalQuantity:    routecard.Given(float64(max(r.quantity, 30))),
		AdvancementMode: routecard.Given(string(r.mode)), Steps: stepsOf(r.steps), ChangedBy: s.who(planner),
	})
	if err != nil {
		return err
	}
	if err := s.assign(ctx, path, place); err != nil || r.quantity == 0 {
		return err
	}
	s.routes[r.name] = lot{path: path, steps: r.steps, place: place}
	if place == 0 { // the first route is changed once it is in use
		s.planAt(0.6, func(ctx context.Context) error { return s.moveLastStep(ctx, path.ID, r.steps) })
	}
	lots := r.quantity / r.lot
	for i := range lots {
		part := r.from + (r.to-r.from)*float64(i)/float64(max(1, lots-1))
		s.planAt(part, func(ctx context.Context) error {
			return s.release(ctx, lot{path: path, steps: r.steps, place: place}, certificateID, i*r.lot, r.lot)
		})
	}
	return nil
}

func stepsOf(steps []step) routecard.StepsInput {
	inputs := make([]routecard.Input[routecard.StepInput], len(steps))
	for i, st := range steps {
		inputs[i] = routecard.Given(routecard.StepInput{
			Name: routecard.Given(st.name), Location: routecard.Given(st.location),
			Optional: routecard.Given(st.optional), DependencyType: routecard.Given(string(st.dependency)),
		})
	}
	return routecard.Given(inputs)
}

// release makes the serials of a lot and starts the work on them.
func (s *simulation) release(ctx context.Context, l lot, certificateID string, first, quantity int) error {
	in := routecard.CreateSerialsInput{
		JobID: routecard.Given(l.path.JobID), PathID: routecard.Given(l.path.ID),
		Quantity: routecard.Given(float64(quantity)), UserID: s.who(planner),
	}
	if certificateID != "" {
		in.CertID = routecard.Given(certificateID)
	}
	batch, err := s.service.CreateSerials(ctx, in)
	if err != nil {
		return err
	}
	for serial, err := range batch.All() {
		if err != nil {
			return err
		}
		u := unit{serial: serial.ID}
		u.fate, u.step = fateOf(first+len(l.units), l.path.AdvancementMode, l.steps)
		l.units = append(l.units, u)
	}
	s.planOverrides(l)
	s.work(l)
	return nil
}

// certify files the result of a step that has one, for all units of a lot or, when there is one, for it alone.
func (s *simulation) certify(ctx context.Context, l lot) error {
	name := l.steps[l.at].certificate
	if name == "" {
		return nil
	}
	number := s.next("certificate") + 1
	in := routecard.CreateCertificateInput{
		Type:      routecard.Given(string(routecard.ProcessCertificate)),
		Name:      routecard.Given(fmt.Sprintf("%s, no. %d", name, number)),
		ChangedBy: s.who(quality),
	}
	if number%3 != 0 {
		in.Metadata = routecard.Given(document(map[string]any{
			"number": number, "station": l.steps[l.at].location, "result": "accepted",
		}))
	}
	certificate, err := s.service.CreateCertificate(ctx, in)
	if err != nil {
		return err
	}
	if len(l.units) == 1 {
		_, err = s.service.AttachCertificate(ctx, l.units[0].serial, routecard.AttachCertificateInput{
			CertID: routecard.Given(certificate.ID), UserID: s.who(quality),
		})
		return err
	}
	_, err = s.service.BatchAttachCertificate(ctx, routecard.BatchAttachInput{
		CertID: routecard.Given(certificate.ID), SerialIDs: serialsOf(l.units), UserID: s.who(quality),
	})
	return err
}

// document encodes plain values, which always works.
func document(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

// assemble makes a bill of materials; the first one is edited twice later on, the second once.
func (s *simulation) assemble(ctx context.Context, index int, a assembly) error {
	bom, err := s.service.CreateBOM(ctx, routecard.CreateBOMInput{
		Name: routecard.Given(a.name), Entries: s.entriesOf(a), ChangedBy: s.who(planner),
	})
	if err != nil {
		return err
	}
	changes := []string{"One spare of everything that turns", "Spares go with a kit of their own"}
	for i, change := range changes[:max(0, len(changes)-index)] {
		changed := a
		if i == 0 {
			changed.parts = append([]part(nil), a.parts...)
			changed.parts[1].quantity++
		}
		s.plan(time.Duration(i+1)*30*time.Hour, func(ctx context.Context) error {
			_, err := s.service.EditBOM(ctx, bom.ID, routecard.EditBOMInput{
				Entries: s.entriesOf(changed), ChangeDescription: routecard.Given(change), UserID: s.who(planner),
			})
			return err
		})
	}
	return nil
}

func (s *simulation) entriesOf(a assembly) routecard.BOMEntriesInput {
	entries := make([]routecard.Input[routecard.BOMEntryInput], len(a.parts))
	for i, p := range a.parts {
		var jobIDs []string
		for _, o := range orders() { // in order, not as a map has them
			for _, begin := range p.orders {
				if strings.HasPrefix(o.name, begin) {
					jobIDs = append(jobIDs, s.jobs[o.name])
				}
			}
		}
		entries[i] = routecard.Given(routecard.BOMEntryInput{
			PartType: routecard.Given(p.kind), RequiredQuantityPerBuild: routecard.Given(p.quantity),
			ContributingJobIDs: routecard.GivenTexts(jobIDs...),
		})
	}
	return routecard.Given(entries)
}
