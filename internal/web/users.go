package web

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/shop"
)

type usersPage struct {
	frame
	Users       []shop.User
	Unconfirmed []string // whose account a second person has to confirm
}

// ToConfirm are those whose account the visitor is asked to confirm.
func (p *usersPage) ToConfirm() []shop.User {
	return slices.DeleteFunc(slices.Clone(p.Users), func(user shop.User) bool {
		return p.Me == nil || !p.Me.MayConfirm(user.ID) || !slices.Contains(p.Unconfirmed, user.ID)
	})
}

func showUsers(v *visit) error { return v.userList(http.StatusOK, nil) }

func (v *visit) userList(status int, refused *problem) error {
	page := &usersPage{frame: v.frame("Operators", "users")}
	page.problem = refused
	var err error
	if page.Users, err = v.users(true); err == nil && v.access != nil {
		page.Unconfirmed, err = v.access.UnconfirmedUsers(v.r.Context())
	}
	return v.shown(err, status, "users", page)
}

// users lists operators: the active ones, or all.
func (v *visit) users(all bool) ([]shop.User, error) {
	users := []shop.User{}
	for user, err := range v.service.Users(v.r.Context(), all) {
		if err != nil {
			return nil, err
		}
		users = append(users, user)
	}
	return users, nil
}

var (
	createUserForm = formOf[shop.CreateUserInput]()
	updateUserForm = formOf[shop.UpdateUserInput]()
)

func changeUser(v *visit) error {
	id, form, done := v.form.Get("id"), "create", "Operator added."
	if v.access != nil && v.form.Get("do") == "confirm" {
		return v.confirmAccount(id)
	}
	var err error
	if id == "" {
		in := createUserForm.read(v.form)
		in.ChangedBy = v.user()
		_, err = v.service.CreateUser(v.r.Context(), in)
	} else {
		form, done = "edit"+id, "Operator saved."
		in := updateUserForm.read(v.form)
		in.ChangedBy = v.user()
		_, err = v.service.UpdateUser(ifRead(v, v.form.Get(readField), readUser), id, in)
	}
	if wasChanged(err) {
		return v.userChanged(id)
	}
	if err != nil {
		return v.again(form, err, v.userList)
	}
	return v.back("/users", done)
}

// confirmAccount confirms whose an account is.
func (v *visit) confirmAccount(id string) error {
	_, err := v.access.ConfirmAccount(v.r.Context(), id)
	err = doneAlready(err)
	if err != nil {
		return v.again("confirm"+id, err, v.userList)
	}
	return v.back("/users", "Account confirmed.")
}

// readUser is what the form for an operator carries of what was read.
func readUser(user shop.User) string { return asRead(user.Name, user.Department, user.Active) }

// Read is what the form for an operator carries of what was read.
func (p *usersPage) Read(user shop.User) string { return readUser(user) }

// userChanged answers a form for an operator whom somebody changed since it was read.
func (v *visit) userChanged(id string) error {
	user, err := v.service.User(v.r.Context(), id)
	if err != nil {
		return err
	}
	yes := map[bool]string{true: "yes", false: "no"}
	err = errChanged(user.Name, []compared{
		{"Name", v.form.Get("name"), user.Name},
		{"Department", v.form.Get("department"), user.Department},
		{"Active", yes[v.form.Get("active") != ""], yes[user.Active]},
	})
	return v.again("edit"+id, err, func(status int, refused *problem) error {
		refused.values = url.Values{"name": {user.Name}, "department": {user.Department}}
		return v.userList(status, refused)
	})
}
