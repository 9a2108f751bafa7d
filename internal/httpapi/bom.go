package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func createBOM(s *Server, c *call) error {
	bom, err := s.service.CreateBOM(c.r.Context(), shop.CreateBOMInput{
		Name: c.body.text("name"), Entries: c.body.bomEntries("entries"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, bom, err)
}

func listBOMs(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.BOMs(c.r.Context()))
}

func getBOM(s *Server, c *call) error {
	bom, err := s.service.BOM(c.r.Context(), c.id())
	return answerTagged(c, bom, err)
}

func updateBOM(s *Server, c *call) error {
	bom, err := s.service.UpdateBOM(c.r.Context(), c.id(), shop.UpdateBOMInput{
		Name: c.body.text("name"), Entries: c.body.bomEntries("entries"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, bom, err)
}

func editBOM(s *Server, c *call) error {
	bom, err := s.service.EditBOM(c.r.Context(), c.id(), shop.EditBOMInput{
		Entries:           c.body.bomEntries("entries"),
		ChangeDescription: c.body.text("changeDescription"),
		UserID:            c.body.text("userId"),
	})
	return answer(c, http.StatusOK, bom, err)
}

func listBOMVersions(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.BOMVersions(c.r.Context(), c.id()))
}
