package access

import (
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Mode defines which requests need an identity.
type Mode string

// The modes.
const (
	Off    Mode = "off"    // no requests: names in requests are believed
	Writes Mode = "writes" // all requests except reading
	All    Mode = "all"
)

// Role is a set of permissions with a name.
type Role struct {
	Name        string
	Permissions []shop.Permission
}

// roles is the only table of the permissions of each role.
var roles = []Role{
	{"viewer", []shop.Permission{shop.Read}},
	{"operator", []shop.Permission{shop.Read, shop.Work}},
	{"quality", []shop.Permission{shop.Read, shop.Work, shop.Decide}},
	{"lead", []shop.Permission{shop.Read, shop.Work, shop.Decide, shop.Plan}},
	{"planner", []shop.Permission{shop.Read, shop.Plan}},
	{roleAdmin, []shop.Permission{shop.Read, shop.Admin}},
	{"integration", []shop.Permission{shop.Read, shop.Work, shop.Plan, shop.ActFor}},
}

const roleAdmin = "admin"

// Roles returns every role, in the order in which pages show them.
func Roles() []Role { return slices.Clone(roles) }

func roleNames() []string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = role.Name
	}
	return names
}

// PermissionsOf returns the permissions that roles give together. An unknown name gives none.
func PermissionsOf(given []string) []shop.Permission {
	permissions := []shop.Permission{}
	for _, permission := range shop.Permissions() {
		if slices.ContainsFunc(roles, func(role Role) bool {
			return slices.Contains(given, role.Name) && slices.Contains(role.Permissions, permission)
		}) {
			permissions = append(permissions, permission)
		}
	}
	return permissions
}

// permissionsIn returns the permissions that apply in a session. A session that began with a badge has fewer, because others can find a
// badge, and can watch its PIN being typed.
func permissionsIn(method string, permissions []shop.Permission) []shop.Permission {
	if method != string(PIN) {
		return permissions
	}
	return slices.DeleteFunc(permissions, func(p shop.Permission) bool {
		return p != shop.Read && p != shop.Work && p != shop.Decide
	})
}

// checkRoles validates a list of roles: each once, in the table's order.
func checkRoles(in input.TextsInput) ([]string, error) {
	return checkRoleList("roles", in)
}

func checkRoleList(field string, in input.TextsInput) ([]string, error) {
	given, err := input.Texts(field, in)
	if err != nil {
		return nil, err
	}
	for i, name := range given {
		if !slices.Contains(roleNames(), name) {
			return nil, input.NotOneOf(fmt.Sprintf("%s[%d]", field, i), roleNames())
		}
	}
	return slices.DeleteFunc(roleNames(), func(name string) bool { return !slices.Contains(given, name) }), nil
}
