package office

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
)

// noticesPages declares the page of notices.
func noticesPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/settings/notices", site.Always(shop.OpSetNotices), showNotices),
			site.Post("/settings/notices", site.Always(shop.OpSetNotices), changeNotices),
			site.Get("/settings/notices/test", site.Always(shop.OpSetNotices), showNotices),
			site.Post("/settings/notices/test", site.Always(shop.OpSetNotices), testNotices),
		},
		Views: map[string]any{"notices": &noticesPage{}},
	}
}

// noticesPage has the form for the settings of notices, a form that sends a test, and the latest messages.
type noticesPage struct {
	site.Frame
	Settings notice.Settings
	Read     string // the digest of the settings in the form
	Channels notify.Channels
	Tested   []notify.Trial
	Latest   []notice.Message
}

// NameOf returns the name of a kind of notice.
func (p *noticesPage) NameOf(kind notice.Kind) string { return wording.NoticeName(p.Language, kind) }

// Ticks reports whether the box of a row is ticked: as it was posted, or else as it is stored.
func (p *noticesPage) Ticks(row notice.Row) bool {
	if p.Refused("notices") {
		return p.Typed("notices", "enabled-"+string(row.Kind), "") != ""
	}
	return row.Enabled
}

// Recipients returns the mail addresses of a row as the form shows them.
func (*noticesPage) Recipients(row notice.Row) string { return strings.Join(row.Mail, " ") }

// StateOf returns the state of a message in words.
func (*noticesPage) StateOf(message notice.Message) lang.Text {
	switch message.State {
	case notice.Delivered:
		return "of a notice|Delivered"
	case notice.GivenUp:
		return "of a notice|Given up"
	case notice.Removed:
		return "of a notice|Address removed"
	case notice.Waiting:
	}
	if message.Attempts > 0 {
		return "of a notice|Not accepted yet"
	}
	return "of a notice|Waiting"
}

// Bad reports whether the page marks a message.
func (*noticesPage) Bad(message notice.Message) bool {
	return message.State == notice.GivenUp || message.State == notice.Waiting && message.Attempts > 0
}

func showNotices(v *site.Visit) error { return renderNotices(v, http.StatusOK, nil) }

func renderNotices(v *site.Visit, status int, refused *site.Problem) error {
	return renderTested(v, status, refused, nil)
}

func renderTested(v *site.Visit, status int, refused *site.Problem, tested []notify.Trial) error {
	page := &noticesPage{Frame: v.Frame("Notices", "notices"), Channels: v.Notices.Channels(), Tested: tested}
	page.Rejected = refused
	if len(tested) > 0 {
		page.Done, page.Before = v.Tells(acceptedTests(v, tested))
	}
	var err error
	if page.Settings, err = v.Service.NoticeSettings(v.R.Context()); err != nil {
		return err
	}
	page.Read = readNotices(page.Settings)
	page.Latest, err = v.Notices.Latest(v.R.Context())
	return v.Shown(err, status, "notices", page)
}

// readNotices returns the digest of the settings in the form.
func readNotices(s notice.Settings) string { return site.AsRead(s) }

var noticesForm = site.FormOf[struct {
	QuietFrom input.TextInput   `field:"quietFrom"`
	QuietTo   input.TextInput   `field:"quietTo"`
	HeldDays  input.NumberInput `field:"heldDays"`
	DueDays   input.NumberInput `field:"dueDays"`
}]()

func changeNotices(v *site.Visit) error {
	typed := noticesForm.Read(v.Form)
	in := notice.SettingsInput{
		QuietFrom: typed.QuietFrom, QuietTo: typed.QuietTo, HeldDays: typed.HeldDays, DueDays: typed.DueDays,
		ChangedBy: v.User(),
	}
	var rows []input.Input[notice.RowInput]
	for _, kind := range notice.Kinds() {
		rows = append(rows, input.Given(notice.RowInput{
			Kind: input.Given(string(kind)), Enabled: input.Given(v.Form.Get("enabled-"+string(kind)) != ""),
			Mail: input.GivenTexts(addressesTyped(v.Form.Get("mail-" + string(kind)))...), Hook: v.Text("hook-" + string(kind)),
		}))
	}
	in.Rows = input.Given(rows)
	_, err := v.Service.SetNotices(site.IfRead(v, v.Form.Get(site.ReadField), readNotices), in)
	if site.WasChanged(err) {
		return noticesChanged(v)
	}
	if err != nil {
		return v.Again("notices", err, renderNotices)
	}
	return v.Back("/settings/notices", v.T("Saved."))
}

// addressesTyped splits mail addresses at blanks, commas and semicolons.
func addressesTyped(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ,;\r\n\t", c) })
}

// noticesChanged responds to a form for settings that were changed after they were read.
func noticesChanged(v *site.Visit) error {
	now, err := v.Service.NoticeSettings(v.R.Context())
	if err != nil {
		return err
	}
	compared := []site.Compared{
		{Field: "Quiet from", Typed: v.Form.Get("quietFrom"), Now: now.QuietFrom},
		{Field: "Quiet until", Typed: v.Form.Get("quietTo"), Now: now.QuietTo},
		{Field: "Days on hold", Typed: v.Form.Get("heldDays"), Now: strconv.FormatInt(now.HeldDays, 10)},
		{Field: "Days before an instrument is due", Typed: v.Form.Get("dueDays"), Now: strconv.FormatInt(now.DueDays, 10)},
	}
	for _, row := range now.Rows {
		typed := strings.Join(addressesTyped(v.Form.Get("mail-"+string(row.Kind))), " ")
		compared = append(compared,
			site.Compared{Field: "Mail addresses", Typed: typed, Now: strings.Join(row.Mail, " ")},
			site.Compared{Field: "Web hook", Typed: v.Form.Get("hook-" + string(row.Kind)), Now: row.Hook})
	}
	return v.Again("notices", site.ErrChanged(v, v.T("Somebody changed the notices meanwhile."), compared), renderNotices)
}

// testNotices sends a test to the stored addresses of a kind, and shows what the servers respond.
func testNotices(v *site.Visit) error {
	tested, err := v.Notices.Try(context.WithoutCancel(v.R.Context()), notify.TrialInput{Kind: v.Text("kind")})
	if err != nil {
		return v.Again("test", err, renderNotices)
	}
	return renderTested(v, http.StatusOK, nil, tested.Results)
}

// acceptedTests says how many tests were accepted.
func acceptedTests(v *site.Visit, tested []notify.Trial) string {
	accepted := 0
	for _, one := range tested {
		if one.Delivered {
			accepted++
		}
	}
	return v.T("Tests accepted: {accepted} of {count}.", "accepted", accepted, "count", len(tested))
}
