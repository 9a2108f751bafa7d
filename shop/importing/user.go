package importing

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// UserInput is a row of a users file.
type UserInput struct {
	ID input.TextInput `field:"id"`
	shop.UpdateUserInput
}

func (im *run) user(in UserInput) (outcome rowOutcome, err error) {
	in.ChangedBy = im.actor(in.ChangedBy)
	id, err := im.known(shop.RecordUser, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id != "" {
		return im.changeUser(id, in.UpdateUserInput)
	}
	if input.Blank(in.ExternalID.Value) {
		if there, err := im.employed(&in); there || err != nil {
			return rowUnchanged, err
		}
	}
	im.creating = true
	made, err := im.service.CreateUser(im.ctx, shop.CreateUserInput{
		Name: in.Name, Department: in.Department, ExternalInput: in.ExternalInput, ChangedBy: in.ChangedBy,
	})
	if err == nil && !in.Active.Missing() {
		_, err = im.changeUser(made.ID, shop.UpdateUserInput{Active: in.Active, ChangedBy: in.ChangedBy})
		made.Active = in.Active.Value
	}
	if im.staff != nil {
		im.staff[made.Name] = append(im.staff[made.Name], made)
	}
	return rowCreated, err
}

// employed reports whether a user equals a row without a key in name, in department if the file has that column, and in being active. It
// refuses the row if users with that name and department exist but all differ in being active.
func (im *run) employed(in *UserInput) (bool, error) {
	name, err := input.RequiredTrimmed(in.Name)
	if err != nil {
		return false, err
	}
	department, err := input.OptionalWithin("department", in.Department, input.NameLimit)
	if err != nil {
		return false, err
	}
	active, err := input.OptionalFlag("active", in.Active)
	if err != nil {
		return false, err
	}
	if err := im.loadStaff(); err != nil {
		return false, err
	}
	found := false
	for _, user := range im.staff[name] {
		if in.Department.Present() && user.Department != department {
			continue
		}
		if found = true; user.Active == (active || in.Active.Missing()) {
			return true, nil
		}
	}
	if found {
		return false, refusal.RefuseField(UserThere, "active", name)
	}
	return false, nil
}

// loadStaff reads the users once per transaction.
func (im *run) loadStaff() error {
	if im.staff != nil {
		return nil
	}
	const userSize = 300
	im.staff = map[string][]shop.User{}
	for user, err := range im.tx.Users() {
		if err == nil {
			err = shop.MemoryBudgetOf(im.ctx).Take(userSize)
		}
		if err != nil {
			return err
		}
		im.staff[user.Name] = append(im.staff[user.Name], user)
	}
	return nil
}

// UserThere refuses a row without a key that may mean an existing user.
var UserThere = refusal.NewReason(refusal.Invalid, "user_unclear",
	"{field} is not what the user {name} of this department has: say by id or externalId which user the row changes, "+
		"or that it is a new one")

func (im *run) changeUser(id string, in shop.UpdateUserInput) (rowOutcome, error) {
	before, err := shop.FindUser(im.tx, id)
	if err != nil {
		return rowUnchanged, err
	}
	after, err := in.Apply(im.tx.SerialPrefix(), before)
	if err != nil || after.ExternalID == before.ExternalID && shop.SameUser(before, after) {
		return rowUnchanged, err
	}
	_, err = im.service.UpdateUser(im.ctx, id, in)
	return rowUpdated, err
}
