package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/spool"
)

// deadlines is a response that records the deadlines of its connection.
type deadlines struct {
	*httptest.ResponseRecorder

	read, write time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error  { d.read = at; return nil }
func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = at; return nil }

// An import may take longer than the time its file has to arrive. If the read deadline passes meanwhile, the server believes that the
// client has gone, and ends the import.
func TestImportHasTime(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	for _, file := range []string{"name,goalQuantity\n", "name,goalQuantity\n" + strings.Repeat("Lid,1\n", 1000)} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/import/jobs?dryRun=true", strings.NewReader(file))
		request.Header.Set("Content-Type", "text/csv")
		answer := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		least := time.Now().Add(patience.Answer)
		if workshop.face.ServeHTTP(answer, request); answer.Code != http.StatusOK {
			t.Fatal(answer.Code, answer.Body)
		}
		if answer.read.Before(least) || answer.write.Before(least) || patience.Answer <= spool.Patience {
			t.Errorf("the client may send until %s and wait until %s, want %s", answer.read, answer.write, least)
		}
	}
}
