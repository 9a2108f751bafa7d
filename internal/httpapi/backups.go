package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/views"
)

// withBackups responds with 404 if the service makes no backups.
func withBackups(handle handler) handler {
	return func(s *Server, c *call) error {
		if s.config.Backups == nil {
			return refuse(noBackups)
		}
		return handle(s, c)
	}
}

// backupListing lists all backups. The list has no time of change: a backup is listed once it is complete, which may be long after it was
// taken. The rows are a member of an object with further members.
func backupListing() listing {
	backups := shortListing(views.WholeList[backup.Manifest]{
		Name: "backups", NewestFirst: true, Place: func(m backup.Manifest, _ int) string { return m.File },
	}, func(s *Server, _ *call) (rows []backup.Manifest, head string, err error) {
		if s.config.Backups == nil {
			return nil, "", refuse(noBackups)
		}
		standing, err := s.config.Backups.Standing()
		if err != nil {
			return nil, "", err
		}
		text, err := json.Marshal(struct {
			Running bool   `json:"running"`
			Problem string `json:"problem,omitempty"`
		}{standing.Running, standing.Problem})
		return standing.Backups, string(text[:len(text)-1]), err
	})
	backups.form = form{mediaType: jsonType, begin: jsonRows(`,"backups":[`, func(*views.Found) string { return "]}" })}
	backups.wholeForm = backups.form
	return backups
}

// startBackup starts a backup and does not wait until it is complete.
func startBackup(s *Server, c *call) error {
	if err := s.service.CarryOut(c.r.Context(), s.config.Backups.Start); err != nil {
		return err
	}
	return c.write(http.StatusAccepted, struct {
		Started bool `json:"started"`
	}{true})
}
