package storetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

func (suite) Records() []promise { return records }

var records = []promise{
	{"every field of a job is kept", func(s *testedStore) {
		full := shop.Job{ID: numbered("job", 3), Name: strings.Repeat("𝄞", 500), GoalQuantity: biggest, CreatedAt: longAgo, UpdatedAt: farOff}
		full.TicketFields = shop.TicketFields{
			TicketKey: strange, TicketSummary: "s", TicketPart: "p", TicketPriority: "q", EpicLink: "e", Labels: &[]string{strange, "", "b", "b"},
		}
		full.OrderFields = workorder.OrderFields{
			PartNumber: strange, PartRevision: "c", GTIN: "036000291452", Customer: "d", OrderNumber: "o", Description: long(), DueDate: "2026-12-31", Priority: 1,
			DrawingNumber: "n", DrawingRevision: strange, OrderLine: "l", CustomerAddress: long(), Language: "de",
		}
		none := aJob(2)
		none.Labels = &[]string{}
		for _, job := range []shop.Job{aJob(1), none, full} {
			s.update(func(tx shop.Tx) error { return tx.InsertJob(job) })
			s.same(job1(s, job.ID), job)
			job.Name, job.GoalQuantity, job.UpdatedAt = strange, 1, 7
			for _, job.OrderFields = range []workorder.OrderFields{{}, full.OrderFields} {
				s.update(func(tx shop.Tx) error { return tx.UpdateJob(job) })
				s.same(job1(s, job.ID), job)
			}
		}
	}},
	{"paths and cards follow when their job is closed and reopened", func(s *testedStore) {
		s.stock(1)
		job := aJob(1)
		s.same(s.card("SN-00001").Path.ClosedJob, "")
		for _, closing := range []shop.JobClosing{{ClosedAt: farOff, ClosedBy: "lead", CloseReason: "canceled"}, {}} {
			want := ""
			if job.JobClosing = closing; job.Closed() {
				want = job.Name
			}
			s.update(func(tx shop.Tx) error { return errors.Join(tx.LockUnitsOfJob(job.ID), tx.UpdateJob(job)) })
			s.same(job1(s, job.ID), job)
			s.same(s.card("SN-00001").Path.ClosedJob, want)
			s.same(look(s, func(tx views.Reader) (card.Path, error) { return tx.Path(s.card("SN-00001").Path.ID) }).ClosedJob, want)
			s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
				if unit.Path.ClosedJob != want {
					return card.Change{}, errRefused
				}
				return forward(unit)
			})
		}
	}},
	{"what is unknown is ErrNoRecord", func(s *testedStore) {
		s.stock(1)
		for name, find := range map[string]func(tx shop.Tx) error{
			"Job":         func(tx shop.Tx) error { _, err := tx.Job("x"); return err },
			"Path":        func(tx shop.Tx) error { _, err := tx.Path("x"); return err },
			"PathOfStep":  func(tx shop.Tx) error { _, err := tx.PathOfStep("x"); return err },
			"RouteCard":   func(tx shop.Tx) error { _, err := tx.RouteCard("SN-00002"); return err },
			"Certificate": func(tx shop.Tx) error { _, err := tx.Certificate("x"); return err },
			"BOM":         func(tx shop.Tx) error { _, err := tx.BOM("x"); return err },
			"User":        func(tx shop.Tx) error { _, err := tx.User("x"); return err },
			"Template":    func(tx shop.Tx) error { _, err := tx.Template("x"); return err },
		} {
			if err := s.Store.Look(s.Context(), func(tx views.Reader) error { return find(tx) }); !errors.Is(err, shop.ErrNoRecord) {
				s.Errorf("%s in a View: %v", name, err)
			}
			if err := s.tryUpdate(find); !errors.Is(err, shop.ErrNoRecord) {
				s.Errorf("%s in an Update: %v", name, err)
			}
		}
		for name, change := range map[string]func(tx shop.Tx) error{
			"UpdateJob":      func(tx shop.Tx) error { return tx.UpdateJob(aJob(9)) },
			"UpdatePath":     func(tx shop.Tx) error { return tx.UpdatePath(aPath(9, 1), aPath(9, 1)) },
			"DeletePath":     func(tx shop.Tx) error { return tx.DeletePath(aPath(9, 1)) },
			"UpdateBOM":      func(tx shop.Tx) error { return tx.UpdateBOM(shop.BOM{ID: "x"}) },
			"UpdateUser":     func(tx shop.Tx) error { return tx.UpdateUser(shop.User{ID: "x"}, 1) },
			"UpdateTemplate": func(tx shop.Tx) error { return tx.UpdateTemplate(shop.Template{ID: "x"}) },
			"DeleteTemplate": func(tx shop.Tx) error { return tx.DeleteTemplate("x") },
			"DeleteLibraryEntry": func(tx shop.Tx) error {
				return tx.DeleteLibraryEntry(shop.Processes, "x")
			},
		} {
			if err := s.tryUpdate(change); !errors.Is(err, shop.ErrNoRecord) {
				s.Errorf("%s: %v", name, err)
			}
		}
	}},
	{"every field of a path and its steps is kept", func(s *testedStore) {
		s.stock(0)
		for i, mode := range []card.AdvancementMode{card.Strict, card.Flexible, card.PerStep} {
			path := aPath(10+i, 3)
			path.Name, path.GoalQuantity, path.AdvancementMode, path.CreatedAt, path.UpdatedAt = strange, biggest, mode, longAgo, farOff
			path.DueDate = "2026-12-31"
			path.Steps[0] = card.ProcessStep{
				ID: path.Steps[0].ID, Name: strings.Repeat("𝄞", 500), Location: strange, AssignedTo: "user_1", Optional: true,
				DependencyType: card.Physical,
			}
			path.Steps[2].DependencyType = card.CompletionGate
			s.update(func(tx shop.Tx) error { return tx.InsertPath(path) })
			s.same(path1(s, path.ID), path)
			for _, step := range path.Steps {
				s.same(look(s, func(tx views.Reader) (card.Path, error) { return tx.PathOfStep(step.ID) }), path)
			}
		}
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			path := aPath(20, 1)
			path.JobID = "no such job"
			return tx.InsertPath(path)
		}), nil)
	}},
	{"UpdatePath keeps, changes, appends, removes and moves steps", func(s *testedStore) {
		s.stock(1)
		now := aPath(1, 3)
		for i, change := range []func(steps []card.ProcessStep) []card.ProcessStep{
			func(steps []card.ProcessStep) []card.ProcessStep { return steps },
			func(steps []card.ProcessStep) []card.ProcessStep {
				return append(steps, aPath(2, 2).Steps...)
			},
			func(steps []card.ProcessStep) []card.ProcessStep {
				steps[1].Name, steps[1].Location, steps[1].AssignedTo, steps[1].Optional = strange, "l", "user_1", true
				steps[1].DependencyType = card.CompletionGate
				return steps
			},
			func(steps []card.ProcessStep) []card.ProcessStep { return steps[:4] },
			func(steps []card.ProcessStep) []card.ProcessStep { return slices.Delete(steps, 1, 2) },
			reversed[card.ProcessStep],
			func(steps []card.ProcessStep) []card.ProcessStep {
				return slices.Insert(steps, 0, aPath(3, 1).Steps...)
			},
			func([]card.ProcessStep) []card.ProcessStep { return aPath(4, 1).Steps },
		} {
			after := now
			after.UpdatedAt += 1000
			after.Name = strings.Repeat("x", i+1)
			after.DueDate = []string{"", "2026-12-31"}[i%2]
			after.Steps = change(slices.Clone(now.Steps))
			for order := range after.Steps {
				after.Steps[order].Order = order
			}
			s.update(func(tx shop.Tx) error {
				before, err := tx.Path(now.ID)
				if err != nil {
					return err
				}
				return tx.UpdatePath(before, after)
			})
			s.same(path1(s, now.ID), after)
			s.same(s.card("SN-00001").Path, after)
			s.same(look(s, func(tx views.Reader) ([]card.Path, error) { return tx.PathsOfJob(aJob(1).ID) }), []card.Path{after})
			now = after
		}
	}},
	{"what Path returned is the caller's own", func(s *testedStore) {
		s.stock(1)
		path := path1(s, aPath(1, 3).ID)
		path.Steps[0].Name = "scribbled"
		s.same(path1(s, path.ID), aPath(1, 3))
		s.same(s.card("SN-00001").Path, aPath(1, 3))
	}},
	{"a path that was deleted is gone with its steps", func(s *testedStore) {
		s.stock(0)
		s.update(func(tx shop.Tx) error { return tx.DeletePath(aPath(1, 3)) })
		_, err := tryLook(s, func(tx views.Reader) (card.Path, error) { return tx.Path(aPath(1, 3).ID) })
		s.refused(err, shop.ErrNoRecord)
		s.same(look(s, func(tx views.Reader) ([]card.Path, error) { return tx.PathsOfJob(aJob(1).ID) }), []card.Path{})
		s.update(func(tx shop.Tx) error { return tx.InsertPath(aPath(1, 3)) })
		s.same(path1(s, aPath(1, 3).ID), aPath(1, 3))
	}},
	{"PathHasSerials and StepReferred see every kind of reference", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error {
			return errors.Join(
				tx.InsertPath(aPath(2, 1)), tx.InsertCertificate(aCertificate(1)),
				tx.InsertAttachments([]shop.Attachment{{ID: "catt_1", SerialID: "SN-00001", CertificateID: aCertificate(1).ID, StepID: "attached"}}),
				tx.InsertNote(shop.Note{ID: "note_1", StepID: "noted", SerialIDs: []string{}}),
				tx.InsertOverrides([]card.Override{
					{ID: "snso_1", SerialID: "SN-00001", StepID: "overridden", Active: true},
					{ID: "snso_2", SerialID: "SN-00001", StepID: "was overridden"},
				}))
		})
		for id, want := range map[string]bool{aPath(1, 3).ID: true, aPath(2, 1).ID: false, "x": false} {
			s.same(look(s, func(tx views.Reader) (bool, error) { return tx.PathHasSerials(id) }), want)
		}
		for id, want := range map[string]bool{"attached": true, "noted": true, "overridden": true, "was overridden": true, stepOf(1, 0): false, "": false} {
			s.same(look(s, func(tx views.Reader) (bool, error) { return tx.StepReferred(id) }), want)
		}
	}},
	{"units follow a reroute by status and position", func(s *testedStore) {
		s.stock(7)
		at := func(id string, position int, status card.SerialStatus, completion *card.ForceCompletion) {
			s.changeCard(id, func(unit card.Card) (card.Change, error) {
				unit.Serial.Position, unit.Serial.Status, unit.Serial.Completion = position, status, completion
				return card.Change{Serial: unit.Serial, Moved: true}, nil
			})
		}
		at("SN-00002", 1, card.InProgress, nil)
		at("SN-00003", 1, card.Scrapped, nil)
		at("SN-00004", 1, card.Completed, &card.ForceCompletion{By: "u", At: 1})
		at("SN-00005", 1, card.Completed, nil)
		at("SN-00006", 2, card.InProgress, nil)
		at("SN-00007", 3, card.Completed, nil)
		s.openReport("NCR-00001", "SN-00002")
		s.update(func(tx shop.Tx) error {
			return tx.InsertSerials(shop.SerialBatch{First: 8, Quantity: 1, PathID: aPath(2, 1).ID})
		})
		places := func() []replay.UnitPlace {
			var found []replay.UnitPlace
			s.update(func(tx shop.Tx) (err error) {
				found, err = tx.UnitPlaces(aPath(1, 3).ID)
				return err
			})
			return found
		}
		s.same(places(), []replay.UnitPlace{
			{Position: 0, Count: 1}, {Position: 1, Count: 3}, {Position: 2, Count: 1},
			{Position: 1, Done: true, Count: 1}, {Position: 3, Done: true, Count: 1},
		})
		s.update(func(tx shop.Tx) error {
			return tx.Reroute(replay.Rerouting{
				PathID: aPath(1, 3).ID, Moves: []replay.UnitMove{{First: 1, Last: 2, By: 1}, {First: 3, Last: 3, Done: true, By: 1}},
				Passed: []replay.NewStepPassed{{StepID: "new", Place: 1, Status: card.StepDeferred}}, Places: []int{2, 0, 1, 4}, At: farOff,
			})
		})
		s.same(places(), []replay.UnitPlace{
			{Position: 0, Count: 1}, {Position: 2, Count: 3}, {Position: 3, Count: 1},
			{Position: 1, Done: true, Count: 1}, {Position: 4, Done: true, Count: 1},
		})
		for id, want := range map[string]card.StepStatus{
			"SN-00001": "", "SN-00002": card.StepDeferred, "SN-00003": card.StepSkipped, "SN-00004": card.StepSkipped, "SN-00005": "",
			"SN-00006": card.StepDeferred, "SN-00007": card.StepSkipped, "SN-00008": "",
		} {
			exceptions := s.card(id).Exceptions
			s.same(exceptions["new"].Status, want)
			if want != "" {
				s.same(exceptions["new"].UpdatedAt, farOff)
			}
		}
		s.same(s.report("NCR-00001").Units[0].FoundAt, 2)
		s.update(func(tx shop.Tx) error { return tx.Reroute(replay.Rerouting{}) })
	}},
	{"counts are by status, position and exception", func(s *testedStore) {
		s.stock(5)
		at := func(id string, position int, status card.SerialStatus, exceptions ...card.StepException) {
			s.changeCard(id, func(unit card.Card) (card.Change, error) {
				unit.Serial.Position, unit.Serial.Status = position, status
				return card.Change{Serial: unit.Serial, Moved: true, Exceptions: exceptions}, nil
			})
		}
		skipped := card.StepException{StepID: stepOf(1, 1), Status: card.StepSkipped}
		at("SN-00001", 2, card.InProgress, skipped)
		at("SN-00002", 2, card.InProgress, skipped)
		at("SN-00003", 3, card.Completed, card.StepException{StepID: stepOf(1, 1), Status: card.StepWaived})
		at("SN-00004", 1, card.Scrapped)
		id := aPath(1, 3).ID
		standing := func(paths ...string) []shop.PathStandingCount {
			counts := look(s, func(tx views.Reader) ([]shop.PathStandingCount, error) { return tx.CountStanding(paths) })
			slices.SortFunc(counts, func(a, b shop.PathStandingCount) int {
				return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Position, b.Position))
			})
			return counts
		}
		want := []shop.PathStandingCount{
			{PathID: id, StandingCount: shop.StandingCount{Status: card.Completed, Position: 3, Count: 1}},
			{PathID: id, StandingCount: shop.StandingCount{Status: card.InProgress, Position: 0, Count: 1}},
			{PathID: id, StandingCount: shop.StandingCount{Status: card.InProgress, Position: 2, Count: 2}},
			{PathID: id, StandingCount: shop.StandingCount{Status: card.Scrapped, Position: 1, Count: 1}},
		}
		s.same(standing(), want)
		s.same(standing("x", id), want)
		s.same(standing("x"), []shop.PathStandingCount{})
		exceptions := func(id string) []shop.ExceptionCount {
			counts := look(s, func(tx views.Reader) ([]shop.ExceptionCount, error) { return tx.CountExceptions(id) })
			slices.SortFunc(counts, func(a, b shop.ExceptionCount) int { return cmp.Compare(a.Status, b.Status) })
			return counts
		}
		s.same(exceptions(id), []shop.ExceptionCount{
			{StepID: stepOf(1, 1), Status: card.StepSkipped, Count: 2},
			{StepID: stepOf(1, 1), Status: card.StepWaived, Count: 1},
		})
		s.same(exceptions("x"), []shop.ExceptionCount{})

		s.update(func(tx shop.Tx) error { return tx.InsertJob(aJob(2)) })
		ids := []string{}
		for i := range 1_500 {
			ids = append(ids, numbered("job", 1_500-i))
		}
		s.same(look(s, func(tx views.Reader) ([]shop.PathOfJob, error) { return tx.PathsOfJobs(ids) }),
			[]shop.PathOfJob{{PathID: id, JobID: aJob(1).ID}})
		s.same(look(s, func(tx views.Reader) ([]shop.PathOfJob, error) { return tx.PathsOfJobs(nil) }), []shop.PathOfJob{})
	}},
	{"every field of a certificate is kept, its metadata to the byte", func(s *testedStore) {
		for i, metadata := range []json.RawMessage{nil, json.RawMessage(`{}`), json.RawMessage(`{"b":1.10,"a":[null,"ü\u0041"],"b":2}`),
			json.RawMessage(`{"x":"` + strings.Repeat("y", 60_000) + `"}`)} {
			certificate := shop.Certificate{ID: numbered("cert", i), Type: shop.ProcessCertificate, Name: strange, Metadata: metadata, CreatedAt: farOff}
			if i > 0 {
				certificate.Number = strange
			}
			s.update(func(tx shop.Tx) error { return tx.InsertCertificate(certificate) })
			s.same(look(s, func(tx views.Reader) (shop.Certificate, error) { return tx.Certificate(certificate.ID) }), certificate)
		}
	}},
	{"an organization that nobody set does not exist, and what is put stays with its logo", func(s *testedStore) {
		kept := func() []shop.Organization {
			return look(s, func(tx views.Reader) ([]shop.Organization, error) { return tx.Organizations() })
		}
		s.same(kept(), []shop.Organization{})
		logo := strings.Repeat("a", 64)
		s.update(func(tx shop.Tx) error {
			return tx.PutFile(shop.File{SHA256: logo, Type: "image/png", State: shop.FileKept, UploadedAt: 1})
		})
		for _, o := range []shop.Organization{
			{ID: shop.OrganizationID, Name: strange, Address: long(), SupplierCode: "c", Logo: logo, Statement: long(), Lang: "de"},
			{ID: shop.OrganizationID, Name: "n", Address: "a", Lang: "en"},
		} {
			s.update(func(tx shop.Tx) error { return tx.PutOrganization(o) })
			s.same(kept(), []shop.Organization{o})
			s.update(func(tx shop.Tx) error {
				dismissed, err := tx.DismissFiles(5, 10)
				s.same(dismissed, []string{})
				return err
			})
		}
	}},
	{"the settings of notices are kept, a cause is new once a day, and messages wait until they are done", func(s *testedStore) {
		kept := func() []notice.Settings {
			return look(s, func(tx views.Reader) ([]notice.Settings, error) { return tx.NoticeSettings() })
		}
		s.same(kept(), []notice.Settings{})
		set := notice.Unset()
		set.Rows[1] = notice.Row{Kind: set.Rows[1].Kind, Mail: []string{strange}, Hook: long()}
		set.QuietFrom, set.QuietTo, set.HeldDays, set.DueDays = "20:00", "06:00", 1, 2
		for _, settings := range []notice.Settings{notice.Unset(), set} {
			s.update(func(tx shop.Tx) error { return tx.PutNoticeSettings(settings) })
			s.same(kept(), []notice.Settings{settings})
		}
		for _, cause := range []struct {
			kind     notice.Kind
			key, day string
			isNew    bool
		}{
			{notice.UnitsHeld, strange, "2026-01-30", true}, {notice.UnitsHeld, strange, "2026-01-30", false},
			{notice.UnitsHeld, strange, "2026-01-31", true}, {notice.InstrumentDue, strange, "2026-01-30", true},
		} {
			s.update(func(tx shop.Tx) error {
				isNew, err := tx.InsertNoticeCause(cause.kind, cause.key, cause.day)
				s.same(isNew, cause.isNew)
				return errors.Join(err, tx.LockNotices())
			})
		}
		waiting := func() []notice.Message {
			return look(s, func(tx views.Reader) ([]notice.Message, error) { return tx.WaitingNotices(2) })
		}
		latest := func() []notice.Message {
			return look(s, func(tx views.Reader) ([]notice.Message, error) { return tx.LatestNotices(2) })
		}
		s.same(waiting(), []notice.Message{})
		all := []notice.Message{}
		for i := range 3 {
			all = append(all, notice.Message{
				ID: numbered("ntc", i), Kind: notice.UnitsHeld, Channel: notice.Mail, Target: strange, CreatedAt: farOff, DueAt: farOff,
				Causes: []notice.Cause{{Key: strange, Name: long(), Detail: "d", Day: "2026-01-31", Count: 3, Path: "/p"}}, State: notice.Waiting,
			})
			s.update(func(tx shop.Tx) error { return tx.PutNotice(all[i]) })
		}
		s.same(waiting(), all[:2])
		s.same(latest(), []notice.Message{all[2], all[1]})
		done := all[1]
		done.Causes, done.DueAt, done.Attempts, done.LeasedTo = []notice.Cause{}, 1, 2, 3
		done.State, done.DoneAt, done.Answer = notice.Delivered, 5, strange
		s.update(func(tx shop.Tx) error { return tx.PutNotice(done) })
		s.same(waiting(), []notice.Message{all[0], all[2]})
		s.same(latest(), []notice.Message{all[2], done})
		s.update(func(tx shop.Tx) error { return tx.ForgetNotices(5, "2026-01-31") })
		s.same(latest(), []notice.Message{all[2], done})
		s.update(func(tx shop.Tx) error { return tx.ForgetNotices(6, "2026-01-31") })
		s.same(latest(), []notice.Message{all[2], all[0]})
		s.update(func(tx shop.Tx) error {
			before, err := tx.InsertNoticeCause(notice.UnitsHeld, strange, "2026-01-30")
			after, again := tx.InsertNoticeCause(notice.UnitsHeld, strange, "2026-01-31")
			s.same([]bool{before, after}, []bool{true, false})
			return errors.Join(err, again)
		})
	}},
	{"serial, certificate and step of an attachment are unique together", func(s *testedStore) {
		s.stock(2)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertCertificate(aCertificate(1)), tx.InsertCertificate(aCertificate(2)))
		})
		attach := func(id, serial, certificate, step string) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				return tx.InsertAttachments([]shop.Attachment{{
					ID: id, SerialID: serial, CertificateID: certificate, StepID: step, AttachedAt: farOff, AttachedBy: strange,
				}})
			})
		}
		one, two := aCertificate(1).ID, aCertificate(2).ID
		s.must(attach("catt_2", "SN-00001", two, "a"))
		s.must(attach("catt_3", "SN-00001", one, "a"))
		s.must(attach("catt_4", "SN-00001", one, "b"))
		s.must(attach("catt_5", "SN-00002", one, "a"))
		s.must(attach("catt_6", "SN-00001", two, "b"))
		s.refused(attach("catt_7", "SN-00001", one, "a"), nil)
		s.refused(attach("catt_8", "SN-00003", one, "a"), nil)
		s.refused(attach("catt_9", "SN-00001", "cert_x", "a"), nil)
		found := look(s, func(tx views.Reader) ([]shop.Attachment, error) {
			return tx.AttachmentsOfSerial("SN-00001")
		})
		s.same(len(found), 4)
		s.same(found[0], shop.Attachment{
			ID: "catt_2", SerialID: "SN-00001", CertificateID: two, StepID: "a", AttachedAt: farOff, AttachedBy: strange,
		})
		// Each certificate appears once, in the order in which the certificates were first attached.
		s.same(look(s, func(tx views.Reader) ([]shop.Certificate, error) {
			return tx.CertificatesOfSerial("SN-00001")
		}),
			[]shop.Certificate{aCertificate(2), aCertificate(1)})
		for _, unknown := range []string{"SN-00009", "nonsense", ""} {
			s.same(look(s, func(tx views.Reader) ([]shop.Attachment, error) { return tx.AttachmentsOfSerial(unknown) }), []shop.Attachment{})
			s.same(look(s, func(tx views.Reader) ([]shop.Certificate, error) {
				return tx.CertificatesOfSerial(unknown)
			}), []shop.Certificate{})
		}
	}},
	{"an attachment that is voided does not count, and one more may take its place", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error { return tx.InsertCertificate(aCertificate(1)) })
		one := aCertificate(1).ID
		attach := func(id string) {
			s.update(func(tx shop.Tx) error {
				return tx.InsertAttachments([]shop.Attachment{{ID: id, SerialID: "SN-00001", CertificateID: one, StepID: "a", AttachedBy: "u"}})
			})
		}
		void := func(id string, voiding card.Voiding) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				if _, err := tx.Attachment(id); err != nil {
					return err
				}
				return tx.VoidAttachment(id, voiding)
			})
		}
		first := card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: long()}
		attach("catt_1")
		s.must(void("catt_1", first))
		attach("catt_2")
		s.must(void("catt_2", first))
		attach("catt_3")
		s.refused(void("catt_1", first), shop.ErrNoRecord)
		s.refused(void("catt_x", first), shop.ErrNoRecord)
		found := look(s, func(tx views.Reader) ([]shop.Attachment, error) {
			return tx.AttachmentsOfSerial("SN-00001")
		})
		s.same(len(found), 3)
		s.same(found[0], shop.Attachment{
			ID: "catt_1", SerialID: "SN-00001", CertificateID: one, StepID: "a", AttachedBy: "u", Voiding: first,
		})
		s.same(look(s, func(tx views.Reader) (shop.Attachment, error) { return tx.Attachment("catt_1") }), found[0])
		s.same(found[2].Voided(), false)
		s.same(len(list(s, func(tx views.Reader) iter.Seq2[shop.Attachment, error] {
			return tx.AttachmentsOfCertificate(one)
		})), 3)
		s.same(look(s, func(tx views.Reader) ([]shop.Attachment, error) {
			return tx.AttachmentsAmong(one, []string{"SN-00001"})
		}), found[2:])
		s.must(void("catt_3", first))
		s.same(look(s, func(tx views.Reader) ([]shop.Certificate, error) {
			return tx.CertificatesOfSerial("SN-00001")
		}),
			[]shop.Certificate{})
	}},
	{"AttachmentsAmong takes up to a thousand serials", func(s *testedStore) {
		s.stock(1_000)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertCertificate(aCertificate(1)), tx.InsertCertificate(aCertificate(2)))
		})
		ids := []string{}
		s.each(1_000, func(tx shop.Tx, i int) error {
			ids = append(ids, tx.SerialPrefix().SerialID(int64(i)))
			return tx.InsertAttachments([]shop.Attachment{
				{ID: numbered("catt", i), SerialID: ids[i-1], CertificateID: aCertificate(1 + i%2).ID, StepID: "a"},
			})
		})
		among := func(ids []string) int {
			return len(look(s, func(tx views.Reader) ([]shop.Attachment, error) {
				return tx.AttachmentsAmong(aCertificate(1).ID, ids)
			}))
		}
		s.same(among(ids), 500)
		s.same(among(ids[:999]), 499)
		s.same(among(ids[:2]), 1)
		s.same(among([]string{ids[1], ids[1], "SN-77777", "nonsense"}), 1)
		s.same(among(nil), 0)
	}},
	{"every field of an override is kept, and only one is active for a serial and step", func(s *testedStore) {
		s.stock(2)
		insert := func(overrides ...card.Override) error {
			return s.tryUpdate(func(tx shop.Tx) error { return tx.InsertOverrides(overrides) })
		}
		first := card.Override{ID: "snso_1", SerialID: "SN-00001", StepID: "a", Active: true, Reason: long(), CreatedBy: strange, CreatedAt: farOff}
		second, third := first, first
		second.ID, second.StepID = "snso_2", "b"
		third.ID = "snso_3"
		s.must(insert(first, second))
		s.refused(insert(third), nil)
		of := func(id string) []card.Override {
			return look(s, func(tx views.Reader) ([]card.Override, error) { return tx.OverridesOfSerial(id) })
		}
		s.same(of("SN-00001"), []card.Override{first, second})
		s.same(of("SN-00002"), []card.Override{})
		s.same(of("nonsense"), []card.Override{})
		first.Active, first.ReversedAt = false, farOff
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Reversed: []card.Override{first}}, nil
		})
		s.must(insert(third))
		s.same(of("SN-00001"), []card.Override{first, second, third})
		s.same(s.card("SN-00001").Overrides, map[string]card.Override{"a": third, "b": second})
		s.must(insert())
	}},
	{"every field of a note is kept, and it is found by each serial it names once", func(s *testedStore) {
		note := shop.Note{
			ID: "note_1", JobID: "job_x", PathID: "path_x", StepID: "step_x", SerialIDs: []string{"SN-00002", "SN-00001", "SN-00002", "not a serial"},
			Text: long(), CreatedBy: strange, CreatedAt: farOff, PushedToTracker: true, TrackerCommentID: "c", Salt: strange,
		}
		plain := shop.Note{ID: "note_2", StepID: "step_x", SerialIDs: []string{"SN-00001"}, Text: strange}
		s.update(func(tx shop.Tx) error { return errors.Join(tx.InsertNote(note), tx.InsertNote(plain)) })
		for id, want := range map[string][]shop.Note{
			"SN-00001": {note, plain}, "SN-00002": {note}, "not a serial": {note}, "SN-00003": {}, "": {},
		} {
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfSerial(id) }), want)
		}
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfStep("step_x") }), []shop.Note{note, plain})
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfStep("step_y") }), []shop.Note{})
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.Notes() }), []shop.Note{note, plain})
	}},
	{"the numbers that were given out are known, and a new database has no entry without hashes", func(s *testedStore) {
		taken := func() shop.NumbersTaken {
			return look(s, func(tx views.Reader) (shop.NumbersTaken, error) { return tx.NumbersTaken() })
		}
		s.same(taken(), shop.NumbersTaken{})
		s.update(func(tx shop.Tx) error {
			_, serials := tx.TakeSerialNumbers(7)
			_, report := tx.TakeNonconformanceNumber()
			_, first := tx.TakeShipmentNumber()
			_, second := tx.TakeShipmentNumber()
			_, certificate := tx.TakeConformanceNumber()
			_, article := tx.TakeFirstArticleNumber()
			return errors.Join(serials, report, first, second, certificate, article)
		})
		s.same(taken(), shop.NumbersTaken{Serials: 7, Nonconformances: 1, Shipments: 2, Conformances: 1, FirstArticles: 1})
		s.same(look(s, func(tx views.Reader) (int64, error) { return tx.UnhashedEntries() }), int64(0))
	}},
	{"a note is voided once, and stays", func(s *testedStore) {
		note := shop.Note{ID: "note_1", StepID: "step_x", SerialIDs: []string{"SN-00001"}, Text: strange}
		voiding := card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: long()}
		s.update(func(tx shop.Tx) error { return tx.InsertNote(note) })
		s.update(func(tx shop.Tx) error { return tx.VoidNote("note_1", voiding) })
		for _, id := range []string{"note_1", "note_2"} {
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidNote(id, voiding) }), shop.ErrNoRecord)
		}
		note.Voiding = voiding
		s.same(look(s, func(tx views.Reader) (shop.Note, error) { return tx.Note("note_1") }), note)
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Note, error] { return tx.NotesOfSerial("SN-00001") }), []shop.Note{note})
	}},
	{"every field of a BOM is kept", func(s *testedStore) {
		bom := shop.BOM{ID: "bom_1", Name: strange, CreatedAt: longAgo, UpdatedAt: farOff, Entries: []shop.BOMEntry{
			{ID: "bome_2", BOMID: "bom_1", PartType: strings.Repeat("𝄞", 500), RequiredQuantityPerBuild: 0.1, ContributingJobIDs: []string{"b", "a", "b"}},
			{ID: "bome_1", BOMID: "bom_1", PartType: "p", RequiredQuantityPerBuild: biggest, ContributingJobIDs: []string{}},
			{ID: "bome_3", BOMID: "bom_1", PartType: "p", RequiredQuantityPerBuild: 5e-324, ContributingJobIDs: []string{strange}},
		}}
		s.update(func(tx shop.Tx) error { return tx.InsertBOM(bom) })
		find := func() shop.BOM {
			return look(s, func(tx views.Reader) (shop.BOM, error) { return tx.BOM("bom_1") })
		}
		s.same(find(), bom)
		bom.Name, bom.Entries, bom.UpdatedAt = "n", bom.Entries[1:2], 5
		s.update(func(tx shop.Tx) error { return tx.UpdateBOM(bom) })
		s.same(find(), bom)
	}},
	{"BOM versions are kept to the byte, and no number is there twice", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			return tx.InsertBOM(shop.BOM{ID: "bom_1", Entries: []shop.BOMEntry{}})
		})
		version := shop.BOMVersion{
			ID: "bomv_1", BOMID: "bom_1", VersionNumber: 1, EntriesSnapshot: json.RawMessage(`[ {"b":1.10} ]`),
			ChangeDescription: long(), ChangedBy: strange, CreatedAt: farOff,
		}
		insert := func() error {
			return s.tryUpdate(func(tx shop.Tx) error { return tx.InsertBOMVersion(version) })
		}
		latest := func(id string) int64 {
			return look(s, func(tx views.Reader) (int64, error) { return tx.LatestBOMVersion(id) })
		}
		s.same(latest("bom_1"), int64(0))
		s.must(insert())
		s.refused(insert(), nil)
		s.same(latest("bom_1"), int64(1))
		s.same(latest("x"), int64(0))
		s.same(list(s, func(tx views.Reader) iter.Seq2[shop.BOMVersion, error] { return tx.BOMVersions("bom_1") }), []shop.BOMVersion{version})
	}},
	{"a name is once in a library, and free again after it was deleted", func(s *testedStore) {
		insert := func(library shop.Library, id, name string) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				return tx.InsertLibraryEntry(library, shop.LibraryEntry{ID: id, Name: name, CreatedAt: farOff})
			})
		}
		entries := func(library shop.Library) []shop.LibraryEntry {
			return list(s, func(tx views.Reader) iter.Seq2[shop.LibraryEntry, error] {
				return tx.LibraryEntries(library)
			})
		}
		s.must(insert(shop.Processes, "1", strange))
		s.refused(insert(shop.Processes, "2", strange), shop.ErrDuplicate)
		s.must(insert(shop.Locations, "3", strange))
		s.must(insert(shop.Processes, "4", "mill"))
		s.must(insert(shop.Processes, "5", "Mill"))
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.DeleteLibraryEntry(shop.Locations, "1") }), shop.ErrNoRecord)
		s.update(func(tx shop.Tx) error { return tx.DeleteLibraryEntry(shop.Processes, "1") })
		s.same(len(entries(shop.Processes)), 2)
		s.must(insert(shop.Processes, "6", strange))
		s.same(entries(shop.Locations), []shop.LibraryEntry{{ID: "3", Name: strange, CreatedAt: farOff}})
		s.same(entries("no such library"), []shop.LibraryEntry{})
	}},
}

func job1(s *testedStore, id string) shop.Job {
	s.Helper()
	return look(s, func(tx views.Reader) (shop.Job, error) { return tx.Job(id) })
}

func path1(s *testedStore, id string) card.Path {
	s.Helper()
	return look(s, func(tx views.Reader) (card.Path, error) { return tx.Path(id) })
}

func aCertificate(n int) shop.Certificate {
	return shop.Certificate{ID: numbered("cert", n), Type: shop.MaterialCertificate, Name: "C", CreatedAt: 1000}
}
