package httpapi

import "github.com/routecard/routecard/shop"

func batchAttachCertificate(s *Server, c *call, in shop.BatchAttachInput) error {
	attachments, err := s.service.BatchAttachCertificate(c.r.Context(), in)
	return answerList(c, attachments, err)
}
