package access

import (
	"context"
	"errors"
	"net/http"

	"github.com/routecard/routecard"
)

const (
	stationCookie = "station"
	stationYears  = 5 * 365 * 24 * 60 * 60
)

// MakeStation makes the device of a request a station and returns the cookie that it keeps.
func (s *Service) MakeStation(ctx context.Context, in routecard.TextInput) (Station, *http.Cookie, error) {
	name, err := routecard.RequiredText("name", in)
	if err != nil {
		return Station{}, nil, err
	}
	secret := newSecret()
	station := Station{Name: name, Hash: digest(secret), CreatedBy: routecard.CallerOf(ctx).Login}
	err = s.once(ctx, func(tx Tx) error {
		station.ID, station.CreatedAt = s.newID("stn_"), s.now()
		if err := tx.InsertStation(station); err != nil {
			return err
		}
		return tx.AppendAudit(stationEntry(routecard.ActionStationCreated, station, station.CreatedBy, station.CreatedAt))
	})
	return station, s.cookie(stationCookie, secret, stationYears), err
}

func stationEntry(action routecard.AuditAction, station Station, by string, at routecard.Timestamp) routecard.AuditEntry {
	return routecard.AuditEntry{
		Action: action, UserID: by, Timestamp: at,
		Metadata: metadata(struct {
			StationID string `json:"stationId"`
			Name      string `json:"name"`
		}{station.ID, station.Name}),
	}
}

// StationOf returns the station that a request comes from, the zero Station when it comes from none.
func (s *Service) StationOf(r *http.Request) (station Station, err error) {
	cookie, err := r.Cookie(s.cookieName(stationCookie))
	if err != nil || cookie.Value == "" {
		return Station{}, nil
	}
	err = s.store.ViewAccess(r.Context(), func(tx Reader) (err error) {
		station, err = tx.StationByHash(digest(cookie.Value))
		return err
	})
	if errors.Is(err, routecard.ErrNoRecord) || err == nil && station.RevokedAt != 0 {
		return Station{}, nil
	}
	return station, err
}

// Stations returns the stations that are in use, oldest first.
func (s *Service) Stations(ctx context.Context) ([]Station, error) {
	var stations []Station
	err := s.store.ViewAccess(ctx, func(tx Reader) error {
		all, err := tx.Stations()
		stations = nil
		for _, station := range all {
			if station.RevokedAt == 0 {
				stations = append(stations, station)
			}
		}
		return err
	})
	return stations, err
}

// RevokeStation makes a device an ordinary one again.
func (s *Service) RevokeStation(ctx context.Context, id string) error {
	return s.once(ctx, func(tx Tx) error {
		stations, err := tx.Stations()
		if err != nil {
			return err
		}
		for _, station := range stations {
			if station.ID != id || station.RevokedAt != 0 {
				continue
			}
			if err := tx.RevokeStation(id, s.now()); err != nil {
				return err
			}
			return tx.AppendAudit(stationEntry(routecard.ActionStationRevoked, station, routecard.CallerOf(ctx).Login, s.now()))
		}
		return &routecard.Error{Code: routecard.NotFound, Message: "Station not found: " + id}
	})
}
