package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

func createSerials(s *Server, c *call, in shop.CreateSerialsInput) error {
	batch, err := s.service.CreateSerials(c.r.Context(), in)
	if err != nil {
		return err
	}
	return writeList(c, http.StatusCreated, formOf(views.PlainArray), views.Found{Rows: views.RowsOf(batch.All(s.service.SerialPrefix()))})
}

// userInput is the input of operations on a step of a serial that take only the name of the operator.
type userInput struct {
	UserID input.TextInput `field:"userId"`
}

func completeDeferredStep(s *Server, c *call, in userInput) error {
	status, err := s.service.CompleteDeferredStep(c.r.Context(), c.id(), c.stepID(), in.UserID)
	return answer(c, http.StatusOK, status, err)
}

func waiveStep(s *Server, c *call, in shop.WaiveStepInput) error {
	status, err := s.service.WaiveStep(c.r.Context(), c.id(), c.stepID(), in)
	return answer(c, http.StatusOK, status, err)
}

func removeComponent(s *Server, c *call, in shop.RemoveComponentInput) error {
	made, err := s.service.RemoveComponent(c.r.Context(), c.id(), c.r.PathValue("componentId"), in)
	return answer(c, http.StatusOK, made, err)
}

func attachReceiptCertificate(s *Server, c *call, in shop.AttachReceiptCertificateInput) error {
	attached, err := s.service.AttachReceiptCertificate(c.r.Context(), c.id(), c.r.PathValue("receiptId"), in)
	return answer(c, http.StatusOK, attached, err)
}

func voidReceipt(s *Server, c *call, in shop.VoidInput) error {
	receipt, err := s.service.VoidReceipt(c.r.Context(), c.id(), c.r.PathValue("receiptId"), in)
	return answer(c, http.StatusOK, receipt, err)
}

func deleteOverride(s *Server, c *call, in userInput) error {
	return done(c, s.service.ReverseOverride(c.r.Context(), c.id(), c.stepID(), in.UserID))
}

func batchAttachCertificate(s *Server, c *call, in shop.BatchAttachInput) error {
	attachments, err := s.service.BatchAttachCertificate(c.r.Context(), in)
	return writeList(c, http.StatusOK, formOf(views.PlainArray), views.Found{Rows: views.RowsIn(attachments, err)})
}
