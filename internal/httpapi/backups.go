package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/views"
)

type backupsAnswer struct {
	Running bool   `json:"running"`
	Problem string `json:"problem,omitempty"`
	Backups any    `json:"backups"` // of backup.Manifest
}

// backupList has no time of change: a backup is in it when it is whole, which may be long after it was taken.
func backupList() views.WholeList[backup.Manifest] {
	return views.WholeList[backup.Manifest]{
		Name: "backups", NewestFirst: true, Place: func(m backup.Manifest, _ int) string { return m.File },
	}
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

// backupListing answers all backups, or a page of them when a parameter asks for that.
func backupListing() handler {
	cut := newCutter(backupList())
	return func(s *Server, c *call) error {
		query, cutting, err := cut.asked(c)
		if err != nil {
			return err
		}
		return withBackups(func(s *Server, c *call) error {
			standing, err := s.config.Backups.Standing()
			if err != nil {
				return err
			}
			found := backupsAnswer{standing.Running, standing.Problem, standing.Backups}
			if cutting {
				if found.Backups, err = cut.page(c, standing.Backups, "", query); err != nil {
					return err
				}
			}
			return c.write(http.StatusOK, found)
		})(s, c)
	}
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
