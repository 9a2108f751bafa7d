package site

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

const (
	peopleListed = 24 // more people than these are not listed where one is chosen, but found by typing
	recentPeople = 6  // how many of those who worked on a device lately are offered first there
)

// people are the operators, as a visit found them.
type people []shop.User

// active are those who may act, by name.
func (p people) active() []shop.User {
	active := []shop.User{}
	for _, user := range p {
		if user.Active {
			active = append(active, user)
		}
	}
	return active
}

// lately are those who may act, with those first who worked on this device lately, the last one first.
func (p people) lately(recent []string) people {
	active := p.active()
	slices.SortStableFunc(active, func(a, b shop.User) int {
		return cmp.Compare(place(recent, a.ID), place(recent, b.ID))
	})
	return active
}

// place is where an identifier stands in a list, behind all others when it does not.
func place(list []string, id string) int {
	if i := slices.Index(list, id); i >= 0 {
		return i
	}
	return len(list)
}

// picking finds people by what is typed.
func (p people) picking() Picking {
	all := make([]Named, len(p))
	for i, user := range p {
		all[i] = Named{user.ID, user.Name, user.Department}
	}
	return Among("operator", all)
}

// Meant is who is meant by what was chosen or typed: somebody who may act.
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

// Assignee returns the name of an assigned operator, and marks one who became inactive; the identifier if it is unknown.
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

// signed returns the operator who signs in under a login.
func (p people) signed(login string) (shop.User, bool) {
	for _, user := range p {
		if user.Login != "" && user.Login == login {
			return user, true
		}
	}
	return shop.User{}, false
}

// Called is the operator who is meant by a name or a part of one. known is false for a name that nobody in the list has, as some in
// the trail are. What can mean several people is refused.
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

// Names are the operators' names by identifier.
func (p people) Names() map[string]string {
	names := map[string]string{}
	for _, user := range p {
		names[user.ID] = user.Name
		if user.Login != "" { // who signed in is recorded by login
			names[user.Login] = user.Name
		}
	}
	return names
}

// mayRead reports whether the visitor may read. Nothing of the shop is loaded for a visitor who may not.
func mayRead(v *Visit) bool {
	return v.May(shop.Read) && (v.Identity == nil || v.Identity.MustChange == "")
}

// Meet loads the operators and finds who works on this device: somebody who may act, or nobody. Pages that only show
// work without the operators, so there a failure is only logged.
func (v *Visit) Meet() error {
	if !mayRead(v) {
		return nil
	}
	var err error
	if v.People, err = ListUsers(v, true); err != nil {
		if v.R.Method != http.MethodGet || v.R.Context().Err() != nil {
			return err
		}
		v.Logger.Warn("cannot read the operators", "error", err)
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

// User is who acts: chosen in the form, or the operator of this device. Whoever may not act is nobody.
func (v *Visit) User() input.TextInput {
	if v.Access != nil {
		return input.TextInput{} // whoever signed in
	}
	if chosen := strings.TrimSpace(v.Form.Get("userId")); chosen != "" {
		return v.Person("userId")
	}
	if v.Operator == "" {
		return input.TextInput{}
	}
	return input.Given(v.Operator)
}

// Person is an operator chosen in a field of the form. Where people sign in, nobody chooses another one.
func (v *Visit) Person(field string) input.TextInput {
	if v.Access != nil {
		return input.TextInput{}
	}
	if user, ok := v.someone(field); ok {
		return input.Given(user.ID)
	}
	return input.TextInput{}
}

// someone is who was chosen or typed in a field of the form, if that is somebody who may act.
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

// Named asks for an operator where the interface would write down an anonymous one: at a machine everybody has a name.
func (v *Visit) Named() error {
	return shop.RequireNamed(shop.CallerOf(v.R.Context()), v.User())
}

// Remember keeps who was chosen in a form as the operator of this device.
func (v *Visit) Remember() {
	if v.Access != nil {
		return
	}
	if user, ok := v.someone("userId"); ok && user.ID != v.Operator {
		v.Operator = user.ID
		v.worksHere(user.ID)
	}
}

// worksHere makes somebody the operator of this device, and the last one in the list of those who worked here lately.
func (v *Visit) worksHere(id string) {
	v.recent = slices.DeleteFunc(v.recent, func(other string) bool { return other == id })
	v.recent = slices.Insert(v.recent, 0, id)
	v.recent = v.recent[:min(len(v.recent), recentPeople)]
	v.SetCookie(operatorCookie, id, YearSeconds)
	v.SetCookie(recentCookie, strings.Join(v.recent, " "), YearSeconds)
}

// chooseOperator keeps who works on this device, and leads back. In a shop without operators the first one is added.
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
		return v.Back(back, switched(back, "", before))
	}
	user, err := v.People.Meant(chosen)
	if err != nil {
		return err
	}
	v.worksHere(user.ID)
	return v.Back(back, switched(back, user.Name, before))
}

// switched returns the band that reports a change of the operator, "" for none. The station shows the operator in large letters instead.
func switched(back, now, before string) string {
	switch {
	case now == before, path.Clean(back) == "/scan", strings.HasPrefix(back, "/scan?"):
		return ""
	case now == "":
		return "You no longer work as " + before + "."
	case before == "":
		return "You work as " + now + " now."
	}
	return "You work as " + now + " now, no longer as " + before + "."
}

// recently are those who worked on this device lately and may still act, the last one first.
func (v *Visit) recently() []shop.User {
	found := []shop.User{}
	for _, id := range v.recent {
		if user, known := v.People.Find(id); known && user.Active {
			found = append(found, user)
		}
	}
	return found
}

// ManyPeople reports whether there are too many people to list them wherever one is chosen.
func (f *Frame) ManyPeople() bool { return len(f.People) > peopleListed }

// PeopleListed returns the operators that are listed as buttons: all of them, or those who worked on this device lately.
func (f *Frame) PeopleListed() []shop.User {
	if f.ManyPeople() {
		return f.Recent
	}
	return f.People
}

// Apart returns what tells a person from others with the same name: the department, and the id where that is the same; "" when no other
// has the name.
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

// OtherPeople are those who did not work on this device lately.
func (f *Frame) OtherPeople() []shop.User {
	return slices.DeleteFunc(slices.Clone(f.People), func(user shop.User) bool {
		_, recent := people(f.Recent).Find(user.ID)
		return recent
	})
}

// PeopleOffered are those who are offered before anything is typed, the ones of this device first.
func (f *Frame) PeopleOffered() []Choice {
	offered := slices.Concat(people(f.Recent), f.OtherPeople())
	all, _ := offered.picking().find(context.Background(), "", picksOffered)
	for i, one := range all {
		if one.ID == f.Operator {
			all[i].Hint = "works here"
		}
	}
	return choices(all)
}

// PersonTyped is what a field for a person shows of what was chosen or typed there.
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
