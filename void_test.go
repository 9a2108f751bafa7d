package routecard_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard"
)

// TestWhoMayVoid: whoever made a record may void it for a while; everybody else, and later, needs the permission to decide.
func TestWhoMayVoid(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred")
	as := func(login string, permissions ...routecard.Permission) context.Context {
		return routecard.WithCaller(t.Context(), routecard.Caller{Login: login, Permissions: permissions})
	}
	ann, bob := as("ann", routecard.Work), as("bob", routecard.Work)
	decides := as("eve", routecard.Work, routecard.Decide)
	cert := must(l.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: given("material"), Name: given("Heat 7")}))
	attach := func() string {
		return must(l.AttachCertificate(ann, l.serial, routecard.AttachCertificateInput{CertID: given(cert.ID)})).ID
	}
	write := func() string {
		return must(l.CreateNote(ann, routecard.CreateNoteInput{
			JobID: given("j"), PathID: given("p"), StepID: given("s"), SerialIDs: routecard.GivenTexts(l.serial), Text: given("x"),
		})).ID
	}
	in := routecard.VoidInput{Reason: given("wrong unit")}
	for _, record := range []struct {
		name string
		make func() string
		void func(ctx context.Context, id string) error
	}{
		{"attachment", attach, func(ctx context.Context, id string) error {
			_, err := l.VoidAttachment(ctx, id, in)
			return err
		}},
		{"note", write, func(ctx context.Context, id string) error {
			_, err := l.VoidNote(ctx, id, in)
			return err
		}},
	} {
		forbidden := func(err error, who string) {
			t.Helper()
			if refusal := refused(err); refusal == nil || refusal.Code != routecard.Forbidden {
				t.Errorf("%s by %s: %v", record.name, who, err)
			}
		}
		allowed := func(err error, who string) {
			t.Helper()
			if err != nil {
				t.Errorf("%s by %s: %v", record.name, who, err)
			}
		}
		id := record.make()
		forbidden(record.void(bob, id), "somebody else")
		allowed(record.void(ann, id), "whoever made it")
		id = record.make()
		l.clock.Add((15 * time.Minute).Milliseconds() + 1)
		forbidden(record.void(ann, id), "whoever made it, later")
		allowed(record.void(decides, id), "somebody who decides")
	}
}
