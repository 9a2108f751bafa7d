package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard"
)

// Mode says for what an identity is needed.
type Mode string

// The modes.
const (
	Off    Mode = "off"    // for nothing: names in requests are taken as given
	Writes Mode = "writes" // for everything but reading
	All    Mode = "all"
)

// Beside the permissions that people have, a route may need one of these.
const (
	Anyone   routecard.Permission = "anyone"    // no identity at all
	SignedIn routecard.Permission = "signed-in" // an identity, whatever it may do
)

// Role is a set of permissions with a name.
type Role struct {
	Name        string
	Permissions []routecard.Permission
}

// roles is the only place that says what each role may do.
var roles = []Role{
	{"viewer", []routecard.Permission{routecard.Read}},
	{"operator", []routecard.Permission{routecard.Read, routecard.Work}},
	{"quality", []routecard.Permission{routecard.Read, routecard.Work, routecard.Decide}},
	{"lead", []routecard.Permission{routecard.Read, routecard.Work, routecard.Decide, routecard.Plan}},
	{"planner", []routecard.Permission{routecard.Read, routecard.Plan}},
	{roleAdmin, []routecard.Permission{routecard.Read, routecard.Admin}},
	{"integration", []routecard.Permission{routecard.Read, routecard.Work, routecard.Plan, routecard.ActFor}},
}

const roleAdmin = "admin"

// Roles returns every role, in the order in which people are shown them.
func Roles() []Role { return slices.Clone(roles) }

func roleNames() []string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = role.Name
	}
	return names
}

// PermissionsOf returns what roles allow together. A name that is no role allows nothing.
func PermissionsOf(held []string) []routecard.Permission {
	permissions := []routecard.Permission{}
	for _, permission := range routecard.Permissions() {
		if slices.ContainsFunc(roles, func(role Role) bool {
			return slices.Contains(held, role.Name) && slices.Contains(role.Permissions, permission)
		}) {
			permissions = append(permissions, permission)
		}
	}
	return permissions
}

// checkRoles judges a list of roles: each once, in the table's order.
func checkRoles(in routecard.TextsInput) ([]string, error) {
	given, err := routecard.Texts("roles", in)
	if err != nil {
		return nil, err
	}
	for i, name := range given {
		if !slices.Contains(roleNames(), name) {
			return nil, invalid(fmt.Sprintf("roles[%d] must be one of: %s", i, strings.Join(roleNames(), ", ")))
		}
	}
	return slices.DeleteFunc(roleNames(), func(name string) bool { return !slices.Contains(given, name) }), nil
}
