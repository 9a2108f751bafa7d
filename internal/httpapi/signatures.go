package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// signed hands the signatures of a request to its operation.
func (s *Server) signed(c *call, route route) {
	if s.config.Access != nil && route.changes() {
		c.r = s.config.Access.Signed(c.r, c.sent)
	}
}

func setSignaturePolicy(s *Server, c *call) error {
	in := make(map[shop.SignedOperation]shop.TextInput)
	if c.strict {
		var fields []shop.Field
		for _, operation := range shop.SignedOperations() {
			fields = append(fields, shop.Field{Name: string(operation)})
		}
		if err := onlyFields(c.body, fields, ""); err != nil {
			return err
		}
	}
	for _, operation := range shop.SignedOperations() {
		if raw := c.body.raw(string(operation)); raw != nil {
			in[operation] = decodeAs(raw, parseText)
		}
	}
	policy, err := s.service.SetSignaturePolicy(c.r.Context(), in)
	return answer(c, http.StatusOK, policy, err)
}

func sign(s *Server, c *call, in access.SignInput) error {
	if s.config.Access == nil {
		return shop.ErrOpenSignatures
	}
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	ticket, err := s.config.Access.Sign(c.r.Context(), from, in)
	unkept(c)
	return answer(c, http.StatusCreated, ticket, err)
}
