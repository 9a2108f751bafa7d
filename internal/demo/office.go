package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// open sets up what the shop has from the first day, and plans the orders and the office's work.
func (s *simulation) open(ctx context.Context) error {
	for _, begin := range []func(context.Context) error{s.engage, s.openAccounts, s.buyInstruments, s.fillLibraries, s.keepTemplates} {
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
	planScripts(s)
	return nil
}

// fillLibraries lists the processes and places of all routes, and one that was not needed in the end.
func (s *simulation) fillLibraries(ctx context.Context) error {
	var processes, locations []string
	for _, o := range slices.Concat(orders(), scriptedOrders()) {
		for _, r := range o.routes {
			for _, st := range r.steps {
				processes, locations = append(processes, st.name), append(locations, st.location)
			}
		}
	}
	for library, names := range map[shop.Library][]string{
		shop.Processes: processes, shop.Locations: locations,
	} {
		slices.Sort(names)
		names = slices.Compact(names)
		if err := together(len(names), func(i int) error {
			_, err := s.service.CreateLibraryEntry(ctx, library, input.Given(names[i]))
			return err
		}); err != nil {
			return err
		}
	}
	typo, err := s.service.CreateLibraryEntry(ctx, shop.Locations, input.Given("CMM1"))
	if err != nil {
		return err
	}
	return s.service.DeleteLibraryEntry(ctx, shop.Locations, typo.ID)
}

// place takes an order in: the job, its material, its paths, and the plan for their lots.
func (s *simulation) place(ctx context.Context, o order, place int) error {
	in := shop.CreateJobInput{
		Name: input.Given(o.name), GoalQuantity: input.Given(float64(o.goal)), ChangedBy: s.who(planner), OrderInput: s.order(o.name),
	}
	in.TicketKey, in.TicketSummary, in.TicketPart = given(o.tracker.key), given(o.tracker.summary), given(o.tracker.part)
	in.TicketPriority, in.EpicLink = given(o.tracker.priority), given(o.tracker.epic)
	if o.tracker.labels != nil {
		in.Labels = input.GivenTexts(o.tracker.labels...)
	}
	job, err := s.service.CreateJob(ctx, in)
	if err != nil {
		return err
	}
	s.jobs[o.name] = job.ID
	if numbers, has := engraved()[o.name]; has {
		s.engraved[job.ID] = numbers
	}
	var of material
	if o.material != "" {
		certificate, err := s.service.CreateCertificate(ctx, shop.CreateCertificateInput{
			Type: input.Given(string(shop.MaterialCertificate)), Name: input.Given(o.material + ", heat " + o.heat),
			Metadata:  input.Given(document(map[string]string{"heat": o.heat, "supplier": o.supplier})),
			ChangedBy: s.who(quality),
		})
		if err != nil {
			return err
		}
		of.certificateID = certificate.ID
		if err := s.receiveLot(ctx, o, &of); err != nil {
			return err
		}
	}
	for i, r := range o.routes {
		if err := s.openRoute(ctx, job.ID, of, r, place+i); err != nil {
			return err
		}
	}
	return nil
}

// given returns a field that stays absent while there is nothing to say.
func given(text string) input.TextInput {
	if text == "" {
		return input.TextInput{}
	}
	return input.Given(text)
}

// openRoute makes the path of a route and plans the release of its lots.
func (s *simulation) openRoute(ctx context.Context, jobID string, of material, r route, place int) error {
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(jobID), Name: input.Given(r.name),
		GoalQuantity:    input.Given(float64(max(r.quantity, 30))),
		AdvancementMode: input.Given(string(r.mode)), Steps: stepsOf(r.steps), ChangedBy: s.who(planner),
	})
	if err != nil {
		return err
	}
	if err := s.demand(ctx, path); err != nil {
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
			return s.release(ctx, lot{path: path, steps: r.steps, place: place}, of, i*r.lot, r.lot)
		})
	}
	return nil
}

func stepsOf(steps []step) shop.StepsInput {
	inputs := make([]input.Input[shop.StepInput], len(steps))
	for i, st := range steps {
		inputs[i] = input.Given(shop.StepInput{
			Name: input.Given(st.name), Location: input.Given(st.location),
			Optional: input.Given(st.optional), DependencyType: input.Given(string(st.dependency)),
		})
	}
	return input.Given(inputs)
}

// release makes the serials of a lot and starts the work on them.
func (s *simulation) release(ctx context.Context, l lot, of material, first, quantity int) error {
	in := shop.CreateSerialsInput{
		JobID: input.Given(l.path.JobID), PathID: input.Given(l.path.ID),
		Quantity: input.Given(float64(quantity)), Numbering: s.numbering(l.path.JobID, quantity), UserID: s.who(planner),
	}
	if of.certificateID != "" {
		in.CertID = input.Given(of.certificateID)
	}
	if of.lotID != "" {
		in.LotID, in.LotQuantity = input.Given(of.lotID), input.Given(of.each)
	}
	batch, err := s.service.CreateSerials(ctx, in)
	if err != nil {
		return err
	}
	for serial, err := range batch.All(s.service.SerialPrefix()) {
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

// certify attaches the certificate of a step's result to all units of a lot.
func (s *simulation) certify(ctx context.Context, l lot) error {
	name := l.steps[l.at].certificate
	if name == "" {
		return nil
	}
	number := s.next("certificate") + 1
	in := shop.CreateCertificateInput{
		Type:      input.Given(string(shop.ProcessCertificate)),
		Name:      input.Given(fmt.Sprintf("%s, no. %d", name, number)),
		ChangedBy: s.who(quality),
	}
	if number%3 != 0 {
		in.Metadata = input.Given(document(map[string]any{
			"number": number, "station": l.steps[l.at].location, "result": "accepted",
		}))
	}
	certificate, err := s.service.CreateCertificate(ctx, in)
	if err != nil {
		return err
	}
	if len(l.units) == 1 {
		_, err = s.service.AttachCertificate(ctx, l.units[0].serial, shop.AttachCertificateInput{
			CertID: input.Given(certificate.ID), UserID: s.who(quality),
		})
		return err
	}
	_, err = s.service.BatchAttachCertificate(ctx, shop.BatchAttachInput{
		CertID: input.Given(certificate.ID), SerialIDs: serialsOf(l.units), UserID: s.who(quality),
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
	bom, err := s.service.CreateBOM(ctx, shop.CreateBOMInput{
		Name: input.Given(a.name), Entries: s.entriesOf(a), ChangedBy: s.who(planner),
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
			_, err := s.service.EditBOM(ctx, bom.ID, shop.EditBOMInput{
				Entries: s.entriesOf(changed), ChangeDescription: input.Given(change), UserID: s.who(planner),
			})
			return err
		})
	}
	return nil
}

func (s *simulation) entriesOf(a assembly) shop.BOMEntriesInput {
	entries := make([]input.Input[shop.BOMEntryInput], len(a.parts))
	for i, p := range a.parts {
		var jobIDs []string
		for _, o := range orders() { // in order, not as a map has them
			for _, begin := range p.orders {
				if strings.HasPrefix(o.name, begin) {
					jobIDs = append(jobIDs, s.jobs[o.name])
				}
			}
		}
		entries[i] = input.Given(shop.BOMEntryInput{
			PartType: input.Given(p.kind), RequiredQuantityPerBuild: input.Given(p.quantity),
			ContributingJobIDs: input.GivenTexts(jobIDs...),
		})
	}
	return input.Given(entries)
}
