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

// SerialDetail reads a serial's answer.
func (s *SQLite) SerialDetail(ctx context.Context, serialID string) (detail routecard.SerialDetail, err error) {
	err = s.View(ctx, func(tx routecard.Reader) (err error) {
		detail, err = serialDetail(tx, serialID)
		return err
	})
	return detail, err
}
