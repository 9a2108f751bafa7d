package account

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// rolesEnded says which of the user's roles were recently removed, by whose decision, and when.
type rolesEnded struct {
	Roles string // in words
	By    string // the name of an administrator, "" for the groups of the provider
	At    ident.Timestamp
}

// rolesTold has the roles of an account before or after a change, as in an audit entry.
type rolesTold struct {
	Roles []string `json:"roles"`
}

const (
	rolesEndedFor  = 7 * 24 * time.Hour // time for which the page shows the change
	rolesEndedMost = 100                // maximum number of the newest account changes that are searched
)

// rolesEndedLately returns the newest change in the audit trail that removed roles which the visitor still lacks, or nil for none. It
// ignores roles that the visitors have removed from themselves.
func rolesEndedLately(v *site.Visit) (*rolesEnded, error) {
	me := v.Identity.User
	page, err := v.Views.AuditPage(v.R.Context(), views.AuditQuery{
		Action: shop.ActionAccountChanged, From: ident.TimestampOf(v.Clock().Add(-rolesEndedFor)), Limit: rolesEndedMost,
	})
	if err != nil {
		return nil, err
	}
	for _, entry := range page.Entries {
		var changed struct {
			AccountID string    `json:"accountId"`
			Before    rolesTold `json:"before"`
			After     rolesTold `json:"after"`
		}
		if err := json.Unmarshal(entry.Metadata, &changed); err != nil || changed.AccountID != me.ID {
			continue // the entry cannot be read, which verification reports
		}
		taken := slices.DeleteFunc(changed.Before.Roles, func(role string) bool {
			return slices.Contains(changed.After.Roles, role) || slices.Contains(me.Roles, role)
		})
		switch byProvider := access.ByProvider(entry); {
		case len(taken) == 0, entry.UserID == me.Login && !byProvider:
		case byProvider:
			return &rolesEnded{Roles: rolesInWords(taken), At: entry.Timestamp}, nil
		default:
			return &rolesEnded{rolesInWords(taken), cmp.Or(v.People.Names()[entry.UserID], entry.UserID), entry.Timestamp}, nil
		}
	}
	return nil, nil //nolint:nilnil // it is no error if there is no such change
}
