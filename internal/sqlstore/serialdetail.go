package sqlstore

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// serialDetail reads what Get Serial answers with the statements of a card and of a serial's certificates.
func serialDetail(tx shop.Reader, serialID string) (shop.SerialDetail, error) {
	card, err := tx.RouteCard(serialID)
	if err != nil {
		return shop.SerialDetail{}, err
	}
	certificates, err := tx.CertificatesOfSerial(serialID)
	return shop.DetailOf(card, certificates), err
}

// SerialDetail answers from the cache, or reads the serial and adds it to the cache.
func (s *SQLite) SerialDetail(ctx context.Context, serialID string) (detail shop.SerialDetail, err error) {
	number, ok := ident.ParseSerialID(serialID)
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
	err = s.read(ctx, func(t *transaction) (err error) {
		found := keptCard{whole: true}
		if found.card, found.revision, err = t.revisedCard(number); err != nil {
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
