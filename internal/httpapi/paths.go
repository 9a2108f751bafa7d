package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop/input"
)

type advancementModeInput struct {
	AdvancementMode input.TextInput `field:"advancementMode"`
	ChangedBy       input.TextInput `field:"changedBy"`
}

func updateAdvancementMode(s *Server, c *call, in advancementModeInput) error {
	path, err := s.service.UpdateAdvancementMode(c.r.Context(), c.id(), in.AdvancementMode, in.ChangedBy)
	return answer(c, http.StatusOK, path, err)
}
