package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// signed hands the signatures of a request to its operation.
func (s *Server) signed(c *call, route route) {
	if s.config.Access != nil && route.changes() {
		c.r = access.Signed(c.r)
	}
}

func getSignaturePolicy(s *Server, c *call) error {
	policy, err := s.service.SignaturePolicy(c.r.Context())
	return answer(c, http.StatusOK, policy, err)
}

func setSignaturePolicy(s *Server, c *call) error {
	in := make(map[shop.SignedOperation]shop.TextInput)
	for _, operation := range shop.SignedOperations() {
		in[operation] = c.body.text(string(operation))
	}
	policy, err := s.service.SetSignaturePolicy(c.r.Context(), in)
	return answer(c, http.StatusOK, policy, err)
}

func sign(s *Server, c *call) error {
	if s.config.Access == nil {
		return shop.ErrOpenSignatures
	}
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	ticket, err := s.config.Access.Sign(c.r.Context(), from, access.SignInput{
		SignInput: shop.SignInput{
			Meaning: c.body.text("meaning"), Operation: c.body.text("operation"), Target: c.body.text("target"),
		},
		Password: c.body.text("password"), PIN: c.body.text("pin"),
	})
	unkept(c)
	return answer(c, http.StatusCreated, ticket, err)
}

func getSignaturesOfSerial(s *Server, c *call) error {
	signatures, err := s.views.Signatures(c.r.Context(), c.id())
	return answer(c, http.StatusOK, signatures, err)
}
