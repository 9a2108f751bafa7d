package sqlstore

import (
	"context"

	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/shop"
)

// SerialDetail returns the serial from the cache. If it is not there, SerialDetail reads it and adds it.
func (s *SQLite) SerialDetail(ctx context.Context, serialID string) (detail shop.SerialDetail, err error) {
	number, ok := s.prefix.ParseSerialID(serialID)
	if !ok {
		return detail, shop.ErrNoRecord
	}
	select {
	case <-s.closing:
		return detail, errClosed
	default:
	}
	if kept, ok := s.cards.get(number); ok && kept.whole {
		return shop.DetailOf(kept.card, kept.certificates), ctx.Err()
	}
	version := s.cards.version(number)
	err = s.read(ctx, func(t *lists.Reader) (err error) {
		found := keptCard{whole: true}
		if found.card, found.revision, err = t.RevisedCard(number); err != nil {
			return err
		}
		if found.certificates, err = t.CertificatesOfSerial(serialID); err != nil {
			return err
		}
		detail = shop.DetailOf(found.card, found.certificates)
		s.cards.keep(number, version, found)
		return nil
	})
	return detail, err
}
