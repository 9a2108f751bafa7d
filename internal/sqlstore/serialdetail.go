package sqlstore

import (
	"context"

	"github.com/routecard/routecard"
)

// serialDetail reads what Get Serial answers with the statements of a card and of a serial's certificates.
func serialDetail(tx routecard.Reader, serialID string) (routecard.SerialDetail, error) {
	card, err := tx.RouteCard(serialID)
	if err != nil {
		return routecard.SerialDetail{}, err
	}
	certificates, err := tx.CertificatesOfSerial(serialID)
	return routecard.DetailOf(card, certificates), err
}

// SerialDetail takes a serial's answer from what is kept, or reads it and keeps it.
func (s *SQLite) SerialDetail(ctx context.Context, serialID string) (detail routecard.SerialDetail, err error) {
	number, ok := routecard.ParseSerialID(serialID)
	if !ok {
		return detail, routecard.ErrNoRecord
	}
	select {
	case <-s.closing:
		return detail, errClosed
	default:
	}
	if kept, ok := s.cards.get(number); ok && kept.whole {
		return routecard.DetailOf(kept.card, kept.certificates), ctx.Err()
	}
	version := s.cards.version(number)
	err = s.read(ctx, func(t *transaction) (err error) {
		found := keptCard{whole: true}
		if found.card, found.revision, err = t.revisedCard(number); err != nil {
			return err
		}
		if found.certificates, err = t.CertificatesOfSerial(serialID); err != nil {
			return err
		}
		detail = routecard.DetailOf(found.card, found.certificates)
		s.cards.keep(number, version, found)
		return nil
	})
	return detail, err
}
