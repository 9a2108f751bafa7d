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

// rolesEnded tells somebody which of their roles were taken away lately, by whom, and when.
type rolesEnded struct {
	Roles string // in words
	By    string // the name of an administrator, "" for the groups of the provider
	At    ident.Timestamp
}

// rolesTold is what an entry of the trail tells of an account before and after its change.
type rolesTold struct {
	Roles []string `json:"roles"`
}

const (
	rolesEndedFor  = 7 * 24 * time.Hour // how long it is told
	rolesEndedMost = 100                // changes of accounts are looked through, the newest ones
)

// rolesEndedLately finds the last change in the trail that took roles from the visitor which they still lack; nil for none. Roles
// that they took from themselves are no news.
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
			continue // one that cannot be read is told by verification
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
	return nil, nil //nolint:nilnil // none, which is no error
}
