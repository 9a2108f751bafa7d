package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/backup"
)

type backupsAnswer struct {
	Running bool              `json:"running"`
	Problem string            `json:"problem,omitempty"`
	Backups []backup.Manifest `json:"backups"`
}

// withBackups answers 404 where the service makes none.
func withBackups(handle handler) handler {
	return func(s *Server, c *call) error {
		if s.config.Backups == nil {
			return refuse(noBackups)
		}
		return handle(s, c)
	}
}

func listBackups(s *Server, c *call) error {
	standing, err := s.config.Backups.Standing()
	return answer(c, http.StatusOK, backupsAnswer{standing.Running, standing.Problem, standing.Backups}, err)
}

// startBackup asks for a backup and does not wait for it.
func startBackup(s *Server, c *call) error {
	if err := s.service.CarryOut(c.r.Context(), s.config.Backups.Start); err != nil {
		return err
	}
	return c.write(http.StatusAccepted, struct {
		Started bool `json:"started"`
	}{true})
}
