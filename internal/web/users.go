package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
)

type usersPage struct {
	frame
	List        listShown
	Query       string
	Users       []shop.User
	all         []shop.User
	Unconfirmed []string // whose account a second person has to confirm
}

// ToConfirm are those whose account the visitor is asked to confirm.
func (p *usersPage) ToConfirm() []shop.User {
	return slices.DeleteFunc(slices.Clone(p.all), func(user shop.User) bool {
		return p.Me == nil || !p.Me.MayConfirm(user.ID) || !slices.Contains(p.Unconfirmed, user.ID)
	})
}

// userList is the list of operators, by name. They are all read for it: see people.go.
func userList() *listKind[shop.User] {
	return &listKind[shop.User]{
		at: "/users", one: "operator", many: "operators", filters: []string{"q"}, perPage: usersPerPage,
		first: [2]string{"First operators", "More operators"}, key: func(user shop.User) string { return user.ID },
		load: func(v *visit, query url.Values, before string, limit int) ([]shop.User, bool, error) {
			users, err := listUsers(v, true)
			text := strings.ToLower(strings.TrimSpace(query.Get("q")))
			users = slices.DeleteFunc(users, func(user shop.User) bool {
				return !strings.Contains(strings.ToLower(user.Name+"\n"+user.Department+"\n"+user.Login), text)
			})
			behind := slices.IndexFunc(users, func(user shop.User) bool { return user.ID == before }) + 1
			users = users[behind:]
			return users[:min(len(users), limit)], len(users) > limit, err
		},
		sum: func(_ *visit, _ url.Values, users []shop.User, more bool) (listTotals, error) {
			inactive := int64(0)
			for _, user := range users {
				if !user.Active {
					inactive++
				}
			}
			return counted(users, more, listFigure{inactive, "not active", ""}), nil
		},
		columns: []listColumn[shop.User]{
			textColumn("Name", "name", func(user shop.User) string { return user.Name }),
			textColumn("Department", "department", func(user shop.User) string { return user.Department }),
			textColumn("Active", "active", func(user shop.User) string { return yesOrNo(user.Active) }),
		},
	}
}

// usersPerPage is how many operators one page lists: each has a form.
const usersPerPage = 100

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func showUsers(v *visit) error {
	if wantsFile(v.r.URL.Query()) {
		return userList().send(v)
	}
	return renderUsers(v, http.StatusOK, nil)
}

func renderUsers(v *visit, status int, refused *problem) error {
	query := v.r.URL.Query()
	page := &usersPage{frame: v.frame("Operators", "users"), Query: query.Get("q")}
	page.problem = refused
	var err error
	if page.Users, page.List, err = userList().read(v, query); err != nil {
		return err
	}
	page.List.ID = "users"
	if refused != nil { // the form that was refused is shown, whatever the list shows
		id, _ := strings.CutPrefix(refused.form, "edit")
		user, known := v.people.find(id)
		if known && !slices.ContainsFunc(page.Users, func(listed shop.User) bool { return listed.ID == id }) {
			page.Users = slices.Insert(page.Users, 0, user)
		}
	}
	if page.all, err = listUsers(v, true); err == nil && v.access != nil {
		page.Unconfirmed, err = v.access.UnconfirmedUsers(v.r.Context())
	}
	return v.shown(err, status, "users", page)
}

// listUsers lists operators: the active ones, or all.
func listUsers(v *visit, all bool) ([]shop.User, error) {
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
		return confirmAccount(v, id)
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
		return userChanged(v, id)
	}
	if err != nil {
		return v.again(form, err, renderUsers)
	}
	return v.back("/users", done)
}

// confirmAccount confirms whose an account is.
func confirmAccount(v *visit, id string) error {
	_, err := v.access.ConfirmAccount(v.r.Context(), id)
	err = doneAlready(err)
	if err != nil {
		return v.again("confirm"+id, err, renderUsers)
	}
	return v.back("/users", "Account confirmed.")
}

// readUser is what the form for an operator carries of what was read.
func readUser(user shop.User) string { return asRead(user.Name, user.Department, user.Active) }

// Read is what the form for an operator carries of what was read.
func (p *usersPage) Read(user shop.User) string { return readUser(user) }

// userChanged answers a form for an operator whom somebody changed since it was read.
func userChanged(v *visit, id string) error {
	user, err := v.service.User(v.r.Context(), id)
	if err != nil {
		return err
	}
	err = errChanged(user.Name, []compared{
		{"Name", v.form.Get("name"), user.Name},
		{"Department", v.form.Get("department"), user.Department},
		{"Active", yesOrNo(v.form.Get("active") != ""), yesOrNo(user.Active)},
	})
	return v.again("edit"+id, err, func(v *visit, status int, refused *problem) error {
		refused.values = url.Values{"name": {user.Name}, "department": {user.Department}}
		return renderUsers(v, status, refused)
	})
}

// userRoutes lists the page of operators, which is there in every mode.
func userRoutes() []route {
	return []route{
		get("/users", always(shop.OpRead), showUsers),
		post("/users", askedBy(userForm), changeUser),
	}
}

// userForm is what a form on the page of operators asks for.
func userForm(form url.Values) shop.Operation {
	if form.Get("do") == "confirm" {
		return shop.OpConfirmAccount
	}
	if form.Get("id") != "" {
		return shop.OpUpdateUser
	}
	return shop.OpCreateUser
}
