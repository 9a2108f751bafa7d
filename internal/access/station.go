package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

const (
	stationCookie = "station"
	stationYears  = 5 * 365 * 24 * 60 * 60
)

// MakeStationInput describes a station when it is made. It is not changed afterwards.
type MakeStationInput struct {
	Name    input.TextInput
	Places  input.TextInput // the locations whose steps are done here, one a line; none: every location
	OneScan bool            // whether one scan of a unit completes its step; only with Places
}

// places returns the locations that were given, each once.
func (in MakeStationInput) places() ([]string, error) {
	text, err := input.OptionalText("places", in.Places)
	if err != nil {
		return nil, err
	}
	var places []string
	for line := range strings.Lines(text) {
		if place := strings.TrimSpace(line); place != "" && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if in.OneScan && len(places) == 0 {
		return nil, refusal.RefuseField(refusal.Required, "places")
	}
	return places, nil
}

// MakeStation makes the device of a request a station, and returns the cookie for the device.
func (s *Service) MakeStation(ctx context.Context, in MakeStationInput) (Station, *http.Cookie, error) {
	if _, err := managesCredentials(ctx); err != nil {
		return Station{}, nil, err
	}
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return Station{}, nil, err
	}
	name, err := input.RequiredName("name", in.Name)
	if err != nil {
		return Station{}, nil, err
	}
	places, err := in.places()
	if err != nil {
		return Station{}, nil, err
	}
	secret := newSecret()
	workstation := Station{Name: name, Hash: digest(secret), CreatedBy: shop.CallerOf(ctx).Login, Places: places, OneScan: in.OneScan}
	err = s.once(ctx, func(tx Tx) error {
		workstation.ID, workstation.CreatedAt = s.newID(shop.StationPrefix), s.now()
		if err := tx.InsertStation(workstation); err != nil {
			return err
		}
		return tx.AppendAudit(stationEntry(shop.ActionStationCreated, workstation, workstation.CreatedBy, workstation.CreatedAt))
	})
	return workstation, s.cookie(stationCookie, secret, stationYears), err
}

func stationEntry(action trail.Action, workstation Station, by string, at ident.Timestamp) trail.Entry {
	return trail.Entry{
		Action: action, UserID: by, Timestamp: at,
		Metadata: metadata(struct {
			StationID string   `json:"stationId"`
			Name      string   `json:"name"`
			Places    []string `json:"places,omitempty"`
			OneScan   bool     `json:"oneScan,omitempty"`
		}{workstation.ID, workstation.Name, workstation.Places, workstation.OneScan}),
	}
}

// StationOf returns the station that a request comes from; the zero Station if it comes from another device.
func (s *Service) StationOf(r *http.Request) (workstation Station, err error) {
	cookie, err := r.Cookie(s.cookieName(stationCookie))
	if err != nil || cookie.Value == "" {
		return Station{}, nil
	}
	err = s.store.ViewAccess(r.Context(), func(tx Reader) (err error) {
		workstation, err = tx.StationByHash(digest(cookie.Value))
		return err
	})
	if errors.Is(err, shop.ErrNoRecord) || err == nil && workstation.RevokedAt != 0 {
		return Station{}, nil
	}
	return workstation, err
}

// fromItsStation reports whether a request comes from the station at which its session was opened, and the device still is a station. A
// copied session cookie is useless without the cookie of the station.
func (s *Service) fromItsStation(r *http.Request, session Session) bool {
	if session.StationID == "" {
		return true
	}
	cookie, err := r.Cookie(s.cookieName(stationCookie))
	return err == nil && session.StationHash != "" && same(digest(cookie.Value), session.StationHash)
}

// Stations returns the stations that are in use, oldest first.
func (s *Service) Stations(ctx context.Context) ([]Station, error) {
	var stations []Station
	err := s.store.ViewAccess(ctx, func(tx Reader) error {
		all, err := tx.Stations()
		stations = nil
		for _, workstation := range all {
			if workstation.RevokedAt == 0 {
				stations = append(stations, workstation)
			}
		}
		return err
	})
	return stations, err
}

// RevokeStation makes a station an ordinary device again.
func (s *Service) RevokeStation(ctx context.Context, id string) error {
	if _, err := managesCredentials(ctx); err != nil {
		return err
	}
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return err
	}
	return s.once(ctx, func(tx Tx) error {
		stations, err := tx.Stations()
		if err != nil {
			return err
		}
		for _, workstation := range stations {
			if workstation.ID != id || workstation.RevokedAt != 0 {
				continue
			}
			if err := tx.RevokeStation(id, s.now()); err != nil {
				return err
			}
			return tx.AppendAudit(stationEntry(shop.ActionStationRevoked, workstation, shop.CallerOf(ctx).Login, s.now()))
		}
		return shop.NameStation.NotFound(id)
	})
}
