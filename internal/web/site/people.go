package site

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

const (
	peopleListed = 24 // if there are more people, forms offer a search instead of a list
	recentPeople = 6  // maximum number of recent operators that forms offer first
)

// people are the operators, as loaded for this request.
type people []shop.User

func (p people) active() []shop.User {
	active := []shop.User{}
	for _, user := range p {
		if user.Active {
			active = append(active, user)
		}
	}
	return active
}

// lately returns the active operators. Those who recently worked on this device come first, the most recent at the top.
func (p people) lately(recent []string) people {
	active := p.active()
	slices.SortStableFunc(active, func(a, b shop.User) int {
		return cmp.Compare(place(recent, a.ID), place(recent, b.ID))
	})
	return active
}

// place returns the index of an identifier in a list. If the identifier is missing, it returns the length of the list.
func place(list []string, id string) int {
	if i := slices.Index(list, id); i >= 0 {
		return i
	}
	return len(list)
}

// picking returns a Picking that finds people by typed text.
func (p people) picking() Picking {
	all := make([]Named, len(p))
	for i, user := range p {
		all[i] = Named{user.ID, user.Name, user.Department}
	}
	return Among("operator", all)
}

// Meant returns the active operator that a user chose or typed. It refuses inactive operators.
func (p people) Meant(chosen string) (shop.User, error) {
	user, known := p.Find(chosen)
	if !known {
		user, known = p.signed(chosen)
	}
	if !known {
		id, err := people(p.active()).picking().Pick(context.Background(), chosen)
		if err != nil {
			return shop.User{}, err
		}
		user, _ = p.Find(id)
	}
	if !user.Active {
		return shop.User{}, refusal.Refuse(wording.NotActive, user.Name)
	}
	return user, nil
}

// Find returns an operator by identifier.
func (p people) Find(id string) (shop.User, bool) {
	for _, user := range p {
		if user.ID == id {
			return user, true
		}
	}
	return shop.User{}, false
}

// Assignee returns the name of an assigned operator, with a remark if the operator is inactive. If the operator is unknown, it returns the
// identifier.
func (p people) Assignee(id string) string {
	user, known := p.Find(id)
	switch {
	case !known:
		return id
	case !user.Active:
		return user.Name + " (inactive)"
	}
	return user.Name
}

// signed returns the operator who signs in with a login.
func (p people) signed(login string) (shop.User, bool) {
	for _, user := range p {
		if user.Login != "" && user.Login == login {
			return user, true
		}
	}
	return shop.User{}, false
}

// Called returns the operator with an identifier, a login, a name or a part of a name. known is false if no operator matches, which is
// possible for names in the trail. A text that matches several operators is refused.
func (p people) Called(ctx context.Context, name string) (user shop.User, known bool, err error) {
	if user, known = p.Find(bracketed(name)); known || name == "" {
		return user, known, nil
	}
	if user, known = p.signed(name); known {
		return user, known, nil
	}
	id, err := p.picking().Pick(ctx, name)
	if refusal, ok := AsRefusal(err); ok && refusal.Reason == wording.NoneCalled {
		return user, false, nil
	}
	user, known = p.Find(id)
	return user, known, err
}

// Names returns the operators' names by identifier and by login.
func (p people) Names() map[string]string {
	names := map[string]string{}
	for _, user := range p {
		names[user.ID] = user.Name
		if user.Login != "" { // entries of signed-in users contain the login
			names[user.Login] = user.Name
		}
	}
	return names
}

// mayRead reports whether the visitor may read. For other visitors, no data of the shop is loaded.
func mayRead(v *Visit) bool {
	return v.May(shop.Read) && (v.Identity == nil || v.Identity.MustChange == "")
}

// Meet loads the organization and the operators, and sets the current operator of this device if that operator is active. A page that only
// shows data can be shown without them, so for a GET an error is only logged.
func (v *Visit) Meet() error {
	if !mayRead(v) {
		return nil
	}
	var err error
	if v.shop, err = v.Service.Organization(v.R.Context()); err == nil {
		v.People, err = ListUsers(v, true)
	}
	if err != nil {
		if v.R.Method != http.MethodGet || v.R.Context().Err() != nil {
			return err
		}
		v.Logger.Warn("cannot read the organization and the operators", "error", err)
		return nil
	}
	if v.Access != nil {
		return nil
	}
	user, known := v.People.Find(v.Operator)
	if known && !user.Active {
		v.gone = user.Name
	}
	if !known || !user.Active {
		v.Operator = ""
	}
	return nil
}

// User returns the acting operator: the one chosen in the form, or else that of this device. It is absent if that operator is inactive.
func (v *Visit) User() input.TextInput {
	if v.Access != nil {
		return input.TextInput{} // the signed-in user
	}
	if chosen := strings.TrimSpace(v.Form.Get("userId")); chosen != "" {
		return v.Person("userId")
	}
	if v.Operator == "" {
		return input.TextInput{}
	}
	return input.Given(v.Operator)
}

// Person returns the operator chosen in a field of the form. It is absent if people sign in, because then the signed-in user acts.
func (v *Visit) Person(field string) input.TextInput {
	if v.Access != nil {
		return input.TextInput{}
	}
	if user, ok := v.someone(field); ok {
		return input.Given(user.ID)
	}
	return input.TextInput{}
}

// someone returns the active operator that was chosen or typed in a field of the form.
func (v *Visit) someone(field string) (shop.User, bool) {
	chosen := strings.TrimSpace(v.Form.Get(field))
	if chosen == "" {
		return shop.User{}, false
	}
	user, err := v.People.Meant(chosen)
	if err != nil {
		v.nobody = err
	}
	return user, err == nil
}

// Named refuses a form without an operator, which the API would record as anonymous: on the shop floor, every record has a name.
func (v *Visit) Named() error {
	return shop.RequireNamed(shop.CallerOf(v.R.Context()), v.User())
}

// Remember stores the operator chosen in a form as the operator of this device.
func (v *Visit) Remember() {
	if v.Access != nil {
		return
	}
	if user, ok := v.someone("userId"); ok && user.ID != v.Operator {
		v.Operator = user.ID
		v.worksHere(user.ID)
	}
}

// worksHere makes a person the operator of this device, and the first of its recent operators.
func (v *Visit) worksHere(id string) {
	v.recent = slices.DeleteFunc(v.recent, func(other string) bool { return other == id })
	v.recent = slices.Insert(v.recent, 0, id)
	v.recent = v.recent[:min(len(v.recent), recentPeople)]
	v.SetCookie(operatorCookie, id, YearSeconds)
	v.SetCookie(recentCookie, strings.Join(v.recent, " "), YearSeconds)
}

// chooseOperator sets the operator of this device, and redirects back. If the shop has no operators, it adds the first one.
func chooseOperator(v *Visit) error {
	if v.Access != nil {
		return refusal.Refuse(wording.OwnNameOnly)
	}
	back := OwnPath(v.Form.Get("back"))
	if name := v.Text("name"); len(v.People.active()) == 0 && name != (input.TextInput{}) {
		user, err := v.Service.CreateUser(v.R.Context(), shop.CreateUserInput{Name: name})
		if err != nil {
			return err
		}
		v.worksHere(user.ID)
		return v.Back(back, "")
	}
	before := v.People.Names()[v.Operator]
	chosen := strings.TrimSpace(v.Form.Get("operator"))
	if chosen == "" {
		v.SetCookie(operatorCookie, "", -1)
		return v.Back(back, switched(v.Language, back, "", before))
	}
	user, err := v.People.Meant(chosen)
	if err != nil {
		return err
	}
	v.worksHere(user.ID)
	return v.Back(back, switched(v.Language, back, user.Name, before))
}

// switched returns the band that reports a change of the operator, or "" for none. The station has no such band, because it shows the
// operator in large letters.
func switched(l *lang.Language, back, now, before string) string {
	switch {
	case now == before, path.Clean(back) == "/scan", strings.HasPrefix(back, "/scan?"):
		return ""
	case now == "":
		return l.T("You no longer work as {name}.", "name", before)
	case before == "":
		return l.T("You work as {name} now.", "name", now)
	}
	return l.T("You work as {name} now, no longer as {before}.", "name", now, "before", before)
}

// recently returns the active operators who recently worked on this device, the most recent first.
func (v *Visit) recently() []shop.User {
	found := []shop.User{}
	for _, id := range v.recent {
		if user, known := v.People.Find(id); known && user.Active {
			found = append(found, user)
		}
	}
	return found
}

// ManyPeople reports whether there are too many people to list them in forms.
func (f *Frame) ManyPeople() bool { return len(f.People) > peopleListed }

// PeopleListed returns the operators that are listed as buttons: all, or, if these are too many, only the recent operators of this device.
func (f *Frame) PeopleListed() []shop.User {
	if f.ManyPeople() {
		return f.Recent
	}
	return f.People
}

// Apart returns the text that distinguishes a person from others with the same name: the department, or, if the department is the same too,
// also the identifier. It returns "" if the name is unique.
func (f *Frame) Apart(user shop.User) string {
	apart := ""
	for _, other := range f.People {
		if other.ID == user.ID || other.Name != user.Name {
			continue
		}
		if apart = cmp.Or(user.Department, user.ID); other.Department == user.Department {
			return strings.TrimSpace(user.Department + " " + user.ID)
		}
	}
	return apart
}

// OtherPeople returns the operators who did not recently work on this device.
func (f *Frame) OtherPeople() []shop.User {
	return slices.DeleteFunc(slices.Clone(f.People), func(user shop.User) bool {
		_, recent := people(f.Recent).Find(user.ID)
		return recent
	})
}

// PeopleOffered returns the people that a field suggests before the user types. The recent operators of this device come first.
func (f *Frame) PeopleOffered() []Choice {
	offered := slices.Concat(people(f.Recent), f.OtherPeople())
	all, _ := offered.picking().find(context.Background(), "", picksOffered)
	for i, one := range all {
		if one.ID == f.Operator {
			all[i].Hint = f.T("works here")
		}
	}
	return choices(all)
}

// PersonTyped returns the text of a field for a person, given the value that was chosen or typed.
func (f *Frame) PersonTyped(chosen string) string {
	user, known := people(f.People).Find(chosen)
	if !known {
		return chosen
	}
	for _, other := range f.People {
		if other.ID != user.ID && strings.EqualFold(other.Name, user.Name) {
			return user.Name + " [" + user.ID + "]"
		}
	}
	return user.Name
}

// ListUsers lists operators: the active ones, or all.
func ListUsers(v *Visit, all bool) ([]shop.User, error) {
	users := []shop.User{}
	for user, err := range v.Service.Users(v.R.Context(), all) {
		if err != nil {
			return nil, err
		}
		users = append(users, user)
	}
	return users, nil
}
