package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func createCertificate(s *Server, c *call) error {
	certificate, err := s.service.CreateCertificate(c.r.Context(), shop.CreateCertificateInput{
		Type: c.body.text("type"), Name: c.body.text("name"), Metadata: c.body.object("metadata"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, certificate, err)
}

func listCertificates(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.Certificates(c.r.Context()))
}

func getCertificate(s *Server, c *call) error {
	certificate, err := s.service.Certificate(c.r.Context(), c.id())
	return answerTagged(c, certificate, err)
}

func getCertificateAttachments(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.AttachmentsOfCertificate(c.r.Context(), c.id()))
}

func getSerialAttachments(s *Server, c *call) error {
	attachments, err := s.service.AttachmentsOfSerial(c.r.Context(), c.id())
	return answer(c, http.StatusOK, attachments, err)
}

func attachCertificate(s *Server, c *call) error {
	attachment, err := s.service.AttachCertificate(c.r.Context(), c.id(), shop.AttachCertificateInput{
		CertID: c.body.text("certId"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, attachment, err)
}

func batchAttachCertificate(s *Server, c *call) error {
	attachments, err := s.service.BatchAttachCertificate(c.r.Context(), shop.BatchAttachInput{
		CertID: c.body.text("certId"), SerialIDs: c.body.texts("serialIds"), UserID: c.body.text("userId"),
	})
	return answerList(c, attachments, err)
}

func createNote(s *Server, c *call) error {
	note, err := s.service.CreateNote(c.r.Context(), shop.CreateNoteInput{
		JobID:     c.body.text("jobId"),
		PathID:    c.body.text("pathId"),
		StepID:    c.body.text("stepId"),
		SerialIDs: c.body.texts("serialIds"),
		Text:      c.body.text("text"),
		UserID:    c.body.text("userId"),
	})
	return answer(c, http.StatusOK, note, err)
}

func getNotesOfSerial(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.NotesOfSerial(c.r.Context(), c.id()))
}

func getNotesOfStep(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.NotesOfStep(c.r.Context(), c.id()))
}
