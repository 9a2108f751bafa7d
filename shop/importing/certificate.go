package importing

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// CertificateInput is a row of a certificates file.
type CertificateInput struct {
	ID input.TextInput `field:"id"`
	shop.CreateCertificateInput
}

func (im *run) certificate(in CertificateInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(shop.RecordCertificate, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id == "" {
		im.creating = true
		_, err := im.service.CreateCertificate(im.ctx, in.CreateCertificateInput)
		return rowCreated, err
	}
	before, err := shop.FindCertificate(im.tx, id)
	if err != nil {
		return outcome, err
	}
	change := shop.UpdateCertificateInput(in.CreateCertificateInput)
	if after, err := change.Apply(im.tx.SerialPrefix(), before); err != nil || after.ExternalID == before.ExternalID {
		return outcome, err
	}
	_, err = im.service.UpdateCertificate(im.ctx, id, change)
	return rowUpdated, err
}
