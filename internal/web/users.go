package web

import (
	"net/http"

	"github.com/routecard/routecard"
)

type usersPage struct {
	frame
	Users []routecard.User
}

func showUsers(v *visit) error { return v.userList(http.StatusOK, nil) }

func (v *visit) userList(status int, refused *problem) error {
	page := &usersPage{frame: v.frame("Operators", "users")}
	page.problem = refused
	var err error
	page.Users, err = v.users(true)
	return v.shown(err, status, "users", page)
}

// users lists operators: the active ones, or all.
func (v *visit) users(all bool) ([]routecard.User, error) {
	users := []routecard.User{}
	for user, err := range v.service.Users(v.r.Context(), all) {
		if err != nil {
			return nil, err
		}
		users = append(users, user)
	}
	return users, nil
}

func changeUser(v *visit) error {
	id, form, done := v.form.Get("id"), "create", "Operator added."
	var err error
	if id == "" {
		_, err = v.service.CreateUser(v.r.Context(), routecard.CreateUserInput{
			Name: v.text("name"), Department: v.text("department"), ChangedBy: v.user(),
		})
	} else {
		form, done = "edit"+id, "Operator saved."
		_, err = v.service.UpdateUser(v.r.Context(), id, routecard.UpdateUserInput{
			Name: v.text("name"), Department: v.text("department"), Active: routecard.Given(v.form.Get("active") != ""),
			ChangedBy: v.user(),
		})
	}
	if err != nil {
		return v.again(form, err, v.userList)
	}
	return v.back("/users", done)
}
