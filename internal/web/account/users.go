package account

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// UsersPage lists the operators.
type UsersPage struct {
	site.Frame
	List        site.ListShown
	Query       string
	Users       []shop.User
	all         []shop.User
	Unconfirmed []string // identifiers of users whose account a second person has to confirm
}

// ToConfirm lists the unconfirmed users whose account the visitor may confirm.
func (p *UsersPage) ToConfirm() []shop.User {
	return slices.DeleteFunc(slices.Clone(p.all), func(user shop.User) bool {
		return p.Me == nil || !p.Me.MayConfirm(user.ID) || !slices.Contains(p.Unconfirmed, user.ID)
	})
}

// userList is the list of operators by name. It reads all operators: see site/people.go.
func userList() *site.ListKind[shop.User] {
	return &site.ListKind[shop.User]{
		At: "/users", One: "{n} operator", Many: "{n} operators", Filters: []string{"q"}, PerPage: usersPerPage,
		First: [2]lang.Text{"First operators", "More operators"}, Sorted: [2]lang.Text{"First operators", "More operators"},
		Key: func(user shop.User) string { return user.ID },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]shop.User, bool, error) {
			users, err := site.ListUsers(v, true)
			text := strings.ToLower(strings.TrimSpace(query.Get("q")))
			users = slices.DeleteFunc(users, func(user shop.User) bool {
				return !strings.Contains(strings.ToLower(user.Name+"\n"+user.Department+"\n"+user.Login), text)
			})
			behind := slices.IndexFunc(users, func(user shop.User) bool { return user.ID == before }) + 1
			users = users[behind:]
			return users[:min(len(users), limit)], len(users) > limit, err
		},
		Sum: func(_ *site.Visit, _ url.Values, users []shop.User, more bool) (site.ListTotals, error) {
			inactive := int64(0)
			for _, user := range users {
				if !user.Active {
					inactive++
				}
			}
			return site.Counted(users, more, site.ListFigure{Count: inactive, One: "{n} not active", Many: "{n} not active", Kind: ""}), nil
		},
		Columns: []site.ListColumn[shop.User]{
			site.TextColumn("Name", "name", func(user shop.User) string { return user.Name }),
			site.TextColumn("Department", "department", func(user shop.User) string { return user.Department }),
			site.TextColumn("Active", "active", func(user shop.User) string { return yesOrNo(user.Active).English() }),
		},
	}
}

// usersPerPage is the number of operators on one page. It is limited because each operator has a form.
const usersPerPage = 100

func yesOrNo(yes bool) lang.Text {
	if yes {
		return "yes"
	}
	return "no"
}

func showUsers(v *site.Visit) error {
	if site.WantsFile(v.R.URL.Query()) {
		return userList().Send(v)
	}
	return renderUsers(v, http.StatusOK, nil)
}

func renderUsers(v *site.Visit, status int, refused *site.Problem) error {
	query := v.R.URL.Query()
	page := &UsersPage{Frame: v.Frame("Operators", "users"), Query: query.Get("q")}
	page.Rejected = refused
	var err error
	if page.Users, page.List, err = userList().Read(v, query); err != nil {
		return err
	}
	page.List.ID = "users"
	if refused != nil { // always list the operator whose form was refused
		id, _ := strings.CutPrefix(refused.Form, "edit")
		user, known := v.People.Find(id)
		if known && !slices.ContainsFunc(page.Users, func(listed shop.User) bool { return listed.ID == id }) {
			page.Users = slices.Insert(page.Users, 0, user)
		}
	}
	if page.all, err = site.ListUsers(v, true); err == nil && v.Access != nil {
		page.Unconfirmed, err = v.Access.UnconfirmedUsers(v.R.Context())
	}
	return v.Shown(err, status, "users", page)
}

var (
	createUserForm = site.FormOf[shop.CreateUserInput]()
	updateUserForm = site.FormOf[shop.UpdateUserInput]()
)

func changeUser(v *site.Visit) error {
	id, form, done := v.Form.Get("id"), "create", v.T("Operator added.")
	if v.Access != nil && v.Form.Get("do") == "confirm" {
		return confirmAccount(v, id)
	}
	var err error
	if id == "" {
		in := createUserForm.Read(v.Form)
		in.ChangedBy = v.User()
		_, err = v.Service.CreateUser(v.R.Context(), in)
	} else {
		form, done = "edit"+id, v.T("Operator saved.")
		in := updateUserForm.Read(v.Form)
		in.ChangedBy = v.User()
		_, err = v.Service.UpdateUser(site.IfRead(v, v.Form.Get(site.ReadField), readUser), id, in)
	}
	if site.WasChanged(err) {
		return userChanged(v, id)
	}
	if err != nil {
		return v.Again(form, err, renderUsers)
	}
	return v.Back("/users", done)
}

// confirmAccount confirms that the account belongs to its named owner.
func confirmAccount(v *site.Visit, id string) error {
	_, err := v.Access.ConfirmAccount(v.R.Context(), id)
	err = doneAlready(err)
	if err != nil {
		return v.Again("confirm"+id, err, renderUsers)
	}
	return v.Back("/users", v.T("Account confirmed."))
}

// readUser returns the state of the operator that the form was rendered with.
func readUser(user shop.User) string { return site.AsRead(user.Name, user.Department, user.Active) }

// Read is readUser for the template.
func (p *UsersPage) Read(user shop.User) string { return readUser(user) }

// userChanged responds to a form for an operator who was changed after the form was read.
func userChanged(v *site.Visit, id string) error {
	user, err := v.Service.User(v.R.Context(), id)
	if err != nil {
		return err
	}
	err = site.ErrChanged(v, v.T("Somebody changed {name} meanwhile.", "name", user.Name), []site.Compared{
		{Field: "Name", Typed: v.Form.Get("name"), Now: user.Name},
		{Field: "Department", Typed: v.Form.Get("department"), Now: user.Department},
		{Field: "Active", Typed: v.T(yesOrNo(v.Form.Get("active") != "")), Now: v.T(yesOrNo(user.Active))},
	})
	return v.Again("edit"+id, err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values = url.Values{"name": {user.Name}, "department": {user.Department}}
		return renderUsers(v, status, refused)
	})
}

// UserRoutes lists the page of operators, which exists in every mode.
func UserRoutes() []site.Route {
	return []site.Route{
		site.Get("/users", site.Always(shop.OpRead), showUsers),
		site.Post("/users", site.AskedBy(userForm), changeUser),
	}
}

// userForm returns the operation that a form on the page of operators asks for.
func userForm(form url.Values) shop.Operation {
	if form.Get("do") == "confirm" {
		return shop.OpConfirmAccount
	}
	if form.Get("id") != "" {
		return shop.OpUpdateUser
	}
	return shop.OpCreateUser
}
