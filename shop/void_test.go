package shop_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// TestWhoMayVoid: for a limited time, the creator of a record may void it. Later, and for other users, voiding needs the permission
// "decide".
func TestWhoMayVoid(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred")
	as := func(login string, permissions ...shop.Permission) context.Context {
		return shop.WithCaller(t.Context(), shop.Caller{Login: login, Permissions: permissions})
	}
	ann, bob := as("ann", shop.Work), as("bob", shop.Work)
	decides := as("eve", shop.Work, shop.Decide)
	cert := shoptest.Must(l.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("Heat 7")}))
	attach := func() string {
		return shoptest.Must(l.AttachCertificate(ann, l.serial, shop.AttachCertificateInput{CertID: shoptest.Given(cert.ID)})).ID
	}
	write := func() string {
		return shoptest.Must(l.CreateNote(ann, shop.CreateNoteInput{
			JobID: shoptest.Given("j"), PathID: shoptest.Given("p"), StepID: shoptest.Given("s"), SerialIDs: input.GivenTexts(l.serial), Text: shoptest.Given("x"),
		})).ID
	}
	in := shop.VoidInput{Reason: shoptest.Given("wrong unit")}
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
			if refused := shoptest.Refused(err); refused == nil || refused.Kind != refusal.Forbidden {
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
		l.Clock.Add((15 * time.Minute).Milliseconds() + 1)
		forbidden(record.void(ann, id), "whoever made it, later")
		allowed(record.void(decides, id), "somebody who decides")
	}
}
