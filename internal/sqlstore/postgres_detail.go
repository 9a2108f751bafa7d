package sqlstore

import (
	"context"
	"errors"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// detailGroupLimit is the maximum number of callers of Get Serial that share one statement.
const detailGroupLimit = 64

// detailGroup serves Get Serial. Callers that arrive while a statement runs share the next statement. That statement begins after they have
// arrived, so each caller sees all earlier commits.
type detailGroup struct {
	*requests
	store *Postgres
}

func newDetailGroup(store *Postgres) *detailGroup {
	g := &detailGroup{requests: newRequests(detailGroupLimit), store: store}
	go g.run(g.read)
	return g
}

// detailed is the result of one statement for one serial.
type detailed struct {
	detail  shop.SerialDetail
	special bool // the serial bypassed steps, is on hold, was on a shipment or contains a lot, so there is more to read
}

// selectDetails returns a row for each certificate of each serial. A serial without certificates has one row with an empty certificate.
const selectDetails = statement.SelectSerials + `, COALESCE(p.job_id, ''),
		EXISTS (SELECT 1 FROM step_exception e WHERE e.serial_number = s.number)
			OR EXISTS (SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0)
			OR EXISTS (SELECT 1 FROM shipment_line l WHERE l.serial_number = s.number)
			OR EXISTS (SELECT 1 FROM component m WHERE m.serial_number = s.number AND m.lot_id <> ''),
		COALESCE(current.id, ''), COALESCE(current.name, ''), COALESCE(next.name, ''),
		COALESCE(c.id, ''), COALESCE(c.type, ''), COALESCE(c.name, ''), COALESCE(c.metadata, ''), COALESCE(c.created_at, 0),
		` + db.ExternalOfSerial + `
	FROM serial s
	LEFT JOIN path p ON p.id = s.path_id
	LEFT JOIN step current ON current.path_id = s.path_id AND current.step_index = s.position AND s.status = 'in_progress'
	LEFT JOIN step next ON next.path_id = s.path_id AND next.step_index = s.position + 1 AND current.id <> ''
	LEFT JOIN LATERAL (SELECT certificate_id, MIN(id) AS first_id FROM attachment
		WHERE serial_number = s.number AND voided_as = '' GROUP BY certificate_id) a ON true
	LEFT JOIN certificate c ON c.id = a.certificate_id
	WHERE s.number = ANY ($1) ORDER BY s.number, a.first_id`

// read serves a group with one statement. A single statement sees one snapshot without a transaction.
func (g *detailGroup) read(group []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), groupTimeout)
	defer cancel()
	numbers := make([]int64, 0, len(group))
	for _, r := range group {
		numbers = append(numbers, r.serial)
	}
	found, err := g.details(ctx, numbers)
	if errors.Is(err, errStale) {
		g.store.pool.Reset()
		found, err = g.details(ctx, numbers)
	}
	if err == nil {
		g.store.trouble.over()
	}
	for _, r := range group {
		r.detail, r.err = found[r.serial], err
	}
}

func (g *detailGroup) details(ctx context.Context, numbers []int64) (map[int64]*detailed, error) {
	view, done, err := g.store.openView(ctx, "")
	if err != nil {
		return nil, err
	}
	defer done()
	found := make(map[int64]*detailed, len(numbers))
	scan := func(r db.Rows) (struct{}, error) { return struct{}{}, scanDetail(g.store.prefix, r, found) }
	_, err = db.All(view, scan, selectDetails, numbers)
	return found, err
}

func scanDetail(prefix ident.Prefix, r db.Rows, found map[int64]*detailed) error {
	var row statement.CardRow
	var jobID, metadata string
	var special bool
	var certificate shop.Certificate
	var externalID string
	var at shop.CurrentStep
	if err := row.Scan(prefix, r, &jobID, &special, &at.StepID, &at.StepName, &at.NextStepName,
		&certificate.ID, &certificate.Type, &certificate.Name, &metadata, &certificate.CreatedAt, &externalID); err != nil {
		return err
	}
	d := found[row.Number]
	if d == nil {
		row.Card.Serial.JobID, row.Card.Serial.ExternalID = jobID, externalID
		d = &detailed{shop.SerialDetail{Serial: row.Card.Serial, Certificates: []shop.Certificate{}, Current: at}, special}
		found[row.Number] = d
	}
	if certificate.ID != "" {
		if metadata != "" {
			certificate.Metadata = []byte(metadata)
		}
		d.detail.Certificates = append(d.detail.Certificates, certificate)
	}
	return nil
}

// SerialDetail reads a serial in one statement with those of other callers. The few serials that bypassed steps, are on hold or
// were on a shipment are read again, each in a separate View.
func (s *Postgres) SerialDetail(ctx context.Context, serialID string) (detail shop.SerialDetail, err error) {
	number, ok := s.prefix.ParseSerialID(serialID)
	if !ok {
		return detail, shop.ErrNoRecord
	}
	r := &request{ctx: ctx, serial: number}
	if err := s.details.hand(r); err != nil {
		return detail, err
	}
	select {
	case <-r.done:
	case <-ctx.Done(): // a read can be abandoned, since it changes nothing
		return detail, ctx.Err()
	}
	switch {
	case r.err != nil:
		return detail, s.refusal(ctx, r.err)
	case r.detail == nil:
		return detail, shop.ErrNoRecord
	case r.detail.special:
		err = s.View(ctx, func(tx shop.Reader) (err error) {
			detail, err = serialDetail(tx, serialID)
			return err
		})
		return detail, err
	}
	return r.detail.detail, nil
}

// serialDetail reads the result of Get Serial with the statements for a card and for the certificates of a serial.
func serialDetail(tx shop.Reader, serialID string) (shop.SerialDetail, error) {
	card, err := tx.RouteCard(serialID)
	if err != nil {
		return shop.SerialDetail{}, err
	}
	certificates, err := tx.CertificatesOfSerial(serialID)
	return shop.DetailOf(card, certificates), err
}
