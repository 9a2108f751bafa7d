package httpapi

import (
	"net/http"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// signed passes the signatures of a request to its operation.
func (s *Server) signed(c *call, route route) error {
	if s.config.Access == nil || !route.changes() {
		return nil
	}
	address := c.r.URL.Path
	if strings.Contains(address, shop.ExternalMark) {
		var err error
		address, err = identifiedPath(c.r.URL.EscapedPath(), func(kind ident.RecordKind, named string) (string, error) {
			return c.idOf(s, kind, named)
		})
		if err != nil {
			return err
		}
	}
	c.r = s.config.Access.Signed(c.r, address, c.identified)
	return nil
}

// identifyTarget replaces external identifiers in the address that is signed.
func (s *Server) identifyTarget(c *call, target *input.TextInput) error {
	text, err := input.OptionalText("target", *target)
	if err != nil || !strings.Contains(text, shop.ExternalMark) {
		return nil //nolint:nilerr // the operation refuses it
	}
	address, err := identifiedPath(text, func(kind ident.RecordKind, named string) (string, error) {
		return c.idOf(s, kind, named)
	})
	if err == nil {
		*target = input.Given(address)
	}
	return err
}

func setSignaturePolicy(s *Server, c *call) error {
	in := make(map[shop.SignedOperation]input.TextInput)
	if c.strict {
		var fields []input.Field
		for _, operation := range shop.SignedOperations() {
			fields = append(fields, input.Field{Name: string(operation)})
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

// signingOptions calls SigningOptions after it has replaced external identifiers in the address that is signed.
func signingOptions(s *Server, c *call, in shop.SignInput) error {
	if err := s.identifyTarget(c, &in.Target); err != nil {
		return err
	}
	options, err := s.config.Access.SigningOptions(c.r.Context(), in)
	return answer(c, http.StatusOK, options, err)
}

func sign(s *Server, c *call, in access.SignInput) error {
	if s.config.Access == nil {
		return shop.ErrOpenSignatures
	}
	from, err := s.config.Access.Visitor(c.r)
	if err == nil {
		err = s.identifyTarget(c, &in.Target)
	}
	if err != nil {
		return err
	}
	ticket, err := s.config.Access.Sign(c.r.Context(), from, in)
	unkept(c)
	return answer(c, http.StatusCreated, ticket, err)
}
