package notice

import (
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Settings say who gets notices, and when.
type Settings struct {
	ID        string `json:"-"`         // always SettingsID
	Rows      []Row  `json:"rows"`      // one for each of Kinds, in their order
	QuietFrom string `json:"quietFrom"` // from this time of the day in the shop's zone nothing is sent; "" for no quiet hours
	QuietTo   string `json:"quietTo"`   // until this time, which may be on the next day
	HeldDays  int64  `json:"heldDays"`  // units on hold for this many days are notified
	DueDays   int64  `json:"dueDays"`   // instruments are notified this many days before they are due
}

// Row says who gets notices of one kind.
type Row struct {
	Kind    Kind     `json:"kind"`
	Enabled bool     `json:"enabled"`
	Mail    []string `json:"mail"` // mail addresses
	Hook    string   `json:"hook"` // the address of a web hook; "" for none
}

// SettingsID is the identifier of the only settings.
const SettingsID = "notices"

// Limits of the settings.
const (
	addressesAtMost = 20
	daysAtMost      = 365
)

// Unset returns the settings before they are first set: every kind is enabled, and has no address.
func Unset() Settings {
	s := Settings{ID: SettingsID, Rows: []Row{}, HeldDays: 3, DueDays: 7}
	for _, kind := range Kinds() {
		s.Rows = append(s.Rows, Row{Kind: kind, Enabled: true, Mail: []string{}})
	}
	return s
}

// Completed returns stored settings with a row for each of Kinds: an earlier release may not have had all of them.
func (s Settings) Completed() Settings {
	rows := Unset().Rows
	for i := range rows {
		if at := slices.IndexFunc(s.Rows, func(row Row) bool { return row.Kind == rows[i].Kind }); at >= 0 {
			rows[i] = s.Rows[at]
		}
	}
	s.Rows = rows
	return s
}

// Contents returns the SHA-256 of the contents that audit entries record.
func (s Settings) Contents() trail.ContentsSHA256 { return trail.ContentsOf(s) }

// Targets returns where notices of a kind go.
func (s Settings) Targets(kind Kind) (targets []Target) {
	for _, row := range s.Rows {
		if row.Kind != kind || !row.Enabled {
			continue
		}
		for _, address := range row.Mail {
			targets = append(targets, Target{Mail, address})
		}
		if row.Hook != "" {
			targets = append(targets, Target{Hook, row.Hook})
		}
	}
	return targets
}

// SettingsInput is the body of Set Notices. Omitted fields and kinds keep their value.
type SettingsInput struct {
	Rows      input.Input[[]input.Input[RowInput]] `field:"rows"`
	QuietFrom input.TextInput                      `field:"quietFrom"`
	QuietTo   input.TextInput                      `field:"quietTo"`
	HeldDays  input.NumberInput                    `field:"heldDays"`
	DueDays   input.NumberInput                    `field:"dueDays"`
	ChangedBy input.TextInput                      `field:"changedBy"` // only for the audit trail
}

// RowInput is one of the rows of SettingsInput. An omitted field keeps its value.
type RowInput struct {
	Kind    input.TextInput  `field:"kind"`
	Enabled input.FlagInput  `field:"enabled"`
	Mail    input.TextsInput `field:"mail"`
	Hook    input.TextInput  `field:"hook"`
}

// Apply checks the fields, one after the other, and returns the settings with the changes. allowed reports whether hooks may be sent to an
// address.
func (in SettingsInput) Apply(s Settings, allowed func(*url.URL) bool) (_ Settings, err error) {
	s.Rows = slices.Clone(s.Rows)
	if in.Rows.Present() {
		if err := in.Rows.Typed("rows"); err != nil {
			return s, err
		}
		if err := input.CheckItems("rows", len(in.Rows.Value)); err != nil {
			return s, err
		}
		seen := make(map[Kind]bool)
		for i, row := range in.Rows.Value {
			if err := s.applyRow(fmt.Sprintf("rows[%d]", i), row, seen, allowed); err != nil {
				return s, err
			}
		}
	}
	if s.QuietFrom, err = timeOfDay("quietFrom", in.QuietFrom, s.QuietFrom); err != nil {
		return s, err
	}
	if s.QuietTo, err = timeOfDay("quietTo", in.QuietTo, s.QuietTo); err != nil {
		return s, err
	}
	switch {
	case s.QuietFrom == "" && s.QuietTo != "":
		return s, refusal.RefuseField(refusal.Required, "quietFrom")
	case s.QuietFrom != "" && s.QuietTo == "":
		return s, refusal.RefuseField(refusal.Required, "quietTo")
	case s.QuietFrom != "" && s.QuietFrom == s.QuietTo:
		return s, refusal.RefuseField(QuietAllDay, "quietTo")
	}
	if in.HeldDays.Present() {
		if s.HeldDays, err = days("heldDays", in.HeldDays); err != nil {
			return s, err
		}
	}
	if in.DueDays.Present() {
		s.DueDays, err = days("dueDays", in.DueDays)
	}
	return s, err
}

func (s Settings) applyRow(field string, in input.Input[RowInput], seen map[Kind]bool, allowed func(*url.URL) bool) error {
	if in.Missing() {
		return refusal.RefuseField(refusal.NotObject, field)
	}
	if err := in.Typed(field); err != nil {
		return err
	}
	kind, err := RequiredKind(field+".kind", in.Value.Kind)
	if err != nil {
		return err
	}
	if seen[kind] {
		return refusal.RefuseField(KindTwice, field+".kind")
	}
	seen[kind] = true
	row := &s.Rows[slices.IndexFunc(s.Rows, func(row Row) bool { return row.Kind == kind })]
	if in.Value.Enabled.Present() {
		if err := in.Value.Enabled.Typed(field + ".enabled"); err != nil {
			return err
		}
		row.Enabled = in.Value.Enabled.Value
	}
	if in.Value.Mail.Present() {
		if row.Mail, err = addresses(field+".mail", in.Value.Mail); err != nil {
			return err
		}
	}
	if in.Value.Hook.Present() {
		row.Hook, err = hook(field+".hook", in.Value.Hook, allowed)
	}
	return err
}

// RequiredKind returns a kind of notice.
func RequiredKind(field string, in input.TextInput) (Kind, error) {
	if in.Missing() {
		return "", refusal.RefuseField(refusal.Required, field)
	}
	return input.OneOf(field, in, Kinds())
}

// addresses returns mail addresses in their order, each once.
func addresses(field string, in input.TextsInput) ([]string, error) {
	given, err := input.Texts(field, in)
	if err != nil {
		return nil, err
	}
	found := []string{}
	for i, address := range given {
		item := fmt.Sprintf("%s[%d]", field, i)
		address = strings.TrimSpace(address)
		read, err := mail.ParseAddress(address)
		if err != nil || read.Name != "" || read.Address != address || strings.ContainsAny(address, "\"<> \r\n\t") || !isASCII(address) {
			return nil, refusal.RefuseField(NotMailAddress, item)
		}
		if !slices.Contains(found, address) {
			found = append(found, address)
		}
	}
	if len(found) > addressesAtMost {
		return nil, refusal.RefuseField(refusal.ListTooLong, field, addressesAtMost)
	}
	return found, nil
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
}

// hook returns the address of a web hook; "" for a blank text.
func hook(field string, in input.TextInput, allowed func(*url.URL) bool) (string, error) {
	text, err := input.OptionalWithin(field, input.Trimmed(in), input.NameLimit)
	if err != nil || text == "" {
		return "", err
	}
	target, err := url.Parse(text)
	if err != nil || target.Scheme != "https" && target.Scheme != "http" || target.Hostname() == "" || target.User != nil ||
		target.Fragment != "" {
		return "", refusal.RefuseField(NotHook, field)
	}
	if !allowed(target) {
		return "", refusal.RefuseField(HookNotAllowed, field)
	}
	return text, nil
}

const clockLayout = "15:04"

// timeOfDay returns a time of the day: the one before if there is none in the input, "" for a blank text.
func timeOfDay(field string, in input.TextInput, before string) (string, error) {
	if !in.Present() {
		return before, nil
	}
	text, err := input.OptionalWithin(field, input.Trimmed(in), input.NameLimit)
	if err != nil || text == "" {
		return "", err
	}
	at, err := time.Parse(clockLayout, text)
	if err != nil || at.Format(clockLayout) != text {
		return "", refusal.RefuseField(NotTimeOfDay, field)
	}
	return text, nil
}

func days(field string, in input.NumberInput) (int64, error) {
	count, err := input.ChangedQuantity(field, in)
	if err == nil && count > daysAtMost {
		err = refusal.RefuseField(refusal.NumberTooLarge, field, int64(daysAtMost))
	}
	return count, err
}

// Quiet reports whether a time is within the quiet hours, in the zone of the shop.
func (s Settings) Quiet(at ident.Timestamp, zone *time.Location) bool {
	if s.QuietFrom == "" {
		return false
	}
	now := at.Time().In(zone).Format(clockLayout)
	if s.QuietFrom < s.QuietTo {
		return s.QuietFrom <= now && now < s.QuietTo
	}
	return s.QuietFrom <= now || now < s.QuietTo
}

// Reasons for refusing settings.
var (
	KindTwice      = refusal.NewReason(refusal.Invalid, "listed_twice", "{field} is listed twice")
	NotMailAddress = refusal.NewReason(refusal.Invalid, "must_be_mail_address", "{field} must be a mail address")
	NotHook        = refusal.NewReason(refusal.Invalid, "must_be_hook_address", "{field} must be an https address without a login")
	HookNotAllowed = refusal.NewReason(refusal.Invalid, "hook_not_allowed", "{field} is an address that --webhook-allow does not include")
	NotTimeOfDay   = refusal.NewReason(refusal.Invalid, "must_be_time_of_day", "{field} must be a time of the day such as 20:00")
	QuietAllDay    = refusal.NewReason(refusal.Invalid, "quiet_all_day", "{field} must differ from quietFrom")
)
