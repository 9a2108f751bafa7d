package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

type advancementModeInput struct {
	AdvancementMode shop.TextInput `field:"advancementMode"`
	ChangedBy       shop.TextInput `field:"changedBy"`
}

func updateAdvancementMode(s *Server, c *call, in advancementModeInput) error {
	path, err := s.service.UpdateAdvancementMode(c.r.Context(), c.id(), in.AdvancementMode, in.ChangedBy)
	return answer(c, http.StatusOK, path, err)
}
