package sqlstore

import (
	"context"
	"errors"
	"testing"

	"github.com/routecard/routecard/shop"
)

// Get Serial takes one statement in one round trip, whatever certificates the serial has.
func TestPostgresGetSerialTakesOneRoundTrip(t *testing.T) {
	t.Parallel()
	store, trips, statements := openCounted(t, shopDatabase(t))
	stock(t, store, 4)
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		return errors.Join(tx.InsertCertificate(shop.Certificate{ID: "cert_1"}),
			tx.InsertAttachments([]shop.Attachment{{ID: "catt_1", SerialID: "SN-00002", CertificateID: "cert_1"}}))
	}))
	must(t, ran(store.SerialDetail(t.Context(), "SN-00001"))) // prepares the statement, once per connection
	for serial, certificates := range map[string]int{"SN-00001": 0, "SN-00002": 1} {
		tripped, ran := trips.Load(), statements.Load()
		detail, err := store.SerialDetail(t.Context(), serial)
		must(t, err)
		if tripped, ran = trips.Load()-tripped, statements.Load()-ran; tripped != 1 || ran != 1 {
			t.Errorf("%s: %d round trips and %d statements, want one", serial, tripped, ran)
		}
		if detail.Serial.ID != serial || detail.Serial.JobID != "job_1" || len(detail.Certificates) != certificates {
			t.Errorf("%s: %+v", serial, detail)
		}
	}

	// Callers that wait at the same time share one statement.
	group := make([]*request, detailGroupLimit)
	for i := range group {
		group[i] = &request{serial: int64(1 + i%5)}
	}
	ran := statements.Load()
	store.details.read(group)
	if ran = statements.Load() - ran; ran != 1 {
		t.Errorf("%d callers took %d statements", len(group), ran)
	}
	for _, r := range group {
		if exists := r.serial <= 4; r.err != nil || exists != (r.detail != nil) ||
			exists && r.detail.detail.Serial.ID != store.prefix.SerialID(r.serial) {
			t.Errorf("serial %d: %+v, %v", r.serial, r.detail, r.err)
		}
	}

	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := store.SerialDetail(gone, "SN-00001"); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone hears %v", err)
	}
}
