package web

import (
	"net/http"
	"strings"

	"github.com/routecard/routecard"
)

// people are the operators, as a visit found them.
type people []routecard.User

// active are those who may act, by name.
func (p people) active() []routecard.User {
	active := []routecard.User{}
	for _, user := range p {
		if user.Active {
			active = append(active, user)
		}
	}
	return active
}

// find returns an operator by identifier.
func (p people) find(id string) (routecard.User, bool) {
	for _, user := range p {
		if user.ID == id {
			return user, true
		}
	}
	return routecard.User{}, false
}

// called returns the identifier of the only operator of a name, and otherwise what is given: names that nobody in the
// list has are in the trail too.
func (p people) called(name string) string {
	found := ""
	for _, user := range p {
		if strings.EqualFold(user.Name, name) {
			if found != "" {
				return name
			}
			found = user.ID
		}
	}
	if found == "" {
		return name
	}
	return found
}

// names are the operators' names by identifier.
func (p people) names() map[string]string {
	names := map[string]string{}
	for _, user := range p {
		names[user.ID] = user.Name
		if user.Login != "" { // who signed in is recorded by login
			names[user.Login] = user.Name
		}
	}
	return names
}

// meet loads the operators and finds who works on this device: somebody who may act, or nobody. Pages that only show
// work without the operators, so there a failure is only logged.
func (v *visit) meet() error {
	var err error
	if v.people, err = v.users(true); err != nil {
		if v.r.Method != http.MethodGet || v.r.Context().Err() != nil {
			return err
		}
		v.logger.Warn("cannot read the operators", "error", err)
		return nil
	}
	if v.access != nil {
		return nil
	}
	user, known := v.people.find(v.operator)
	if known && !user.Active {
		v.gone = user.Name
	}
	if !known || !user.Active {
		v.operator = ""
	}
	return nil
}

// user is who acts: chosen in the form, or the operator of this device. Whoever may not act is nobody.
func (v *visit) user() routecard.TextInput {
	if v.access != nil {
		return routecard.TextInput{} // whoever signed in
	}
	if chosen := strings.TrimSpace(v.form.Get("userId")); chosen != "" {
		return v.person("userId")
	}
	if v.operator == "" {
		return routecard.TextInput{}
	}
	return routecard.Given(v.operator)
}

// person is an operator chosen in a field of the form. Where people sign in, nobody chooses another one.
func (v *visit) person(field string) routecard.TextInput {
	if v.access != nil {
		return routecard.TextInput{}
	}
	if user, known := v.people.find(strings.TrimSpace(v.form.Get(field))); known && user.Active {
		return routecard.Given(user.ID)
	}
	return routecard.TextInput{}
}

// named asks for an operator where the interface would write down an anonymous one: at a machine everybody has a name.
func (v *visit) named() error {
	if v.access == nil && v.user() == (routecard.TextInput{}) {
		return &routecard.Error{Code: routecard.Invalid, Message: "userId is required"}
	}
	return nil
}

// remember keeps who was chosen in a form as the operator of this device.
func (v *visit) remember() {
	if v.access != nil {
		return
	}
	if user, known := v.people.find(strings.TrimSpace(v.form.Get("userId"))); known && user.Active && user.ID != v.operator {
		v.operator = user.ID
		v.setCookie(operatorCookie, user.ID, yearSeconds)
	}
}

// chooseOperator keeps who works on this device, and leads back. In a shop without operators the first one is added.
func (v *visit) chooseOperator() error {
	if v.access != nil {
		return &routecard.Error{Code: routecard.NotFound, Message: "Where people sign in, nobody works under another name."}
	}
	back := ownPath(v.form.Get("back"))
	if name := v.text("name"); len(v.people.active()) == 0 && name != (routecard.TextInput{}) {
		user, err := v.service.CreateUser(v.r.Context(), routecard.CreateUserInput{Name: name})
		if err != nil {
			return err
		}
		v.setCookie(operatorCookie, user.ID, yearSeconds)
		return v.back(back, "")
	}
	chosen := strings.TrimSpace(v.form.Get("operator"))
	if chosen == "" {
		v.setCookie(operatorCookie, "", -1)
		return v.back(back, "")
	}
	user, known := v.people.find(chosen)
	if !known || !user.Active {
		return &routecard.Error{
			Code: routecard.Invalid, Message: "Choose somebody from the list. The page Operators says who may act.",
		}
	}
	v.setCookie(operatorCookie, user.ID, yearSeconds)
	return v.back(back, "")
}
