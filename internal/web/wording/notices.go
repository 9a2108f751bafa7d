package wording

import (
	"strings"
	"time"

	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/refusal"
)

var noticesWords = nounWords{
	of: []ident.RecordKind{shop.RecordNotices},
	sentences: map[*refusal.Reason]sentence{
		notice.KindTwice:      {"", "A kind of notice is listed twice."},
		notice.NotMailAddress: {"mail", "This is no mail address. Separate several with blanks."},
		notice.NotHook:        {"hook", "A web hook needs an https address without a login."},
		notice.HookNotAllowed: {"hook", "This address is private or not encrypted. The setting --webhook-allow can allow it."},
		notice.NotTimeOfDay:   {"", "Type a time of the day, such as 20:00."},
		notice.QuietAllDay:    {"quietTo", "The quiet hours must not end when they begin."},
		notify.NoRecipient:    {"", "This notice has no recipient yet. Type an address and save it first."},
	},
	fields: map[string]field{
		"quietFrom": {"Quiet from", "quietFrom", "Type when quiet hours begin.", ""},
		"quietTo":   {"Quiet until", "quietTo", "Type when quiet hours end.", ""},
		"heldDays":  {"Days on hold", "heldDays", "", ""},
		"dueDays":   {"Days before an instrument is due", "dueDays", "", ""},
	},
	things: map[refusal.RecordName]lang.Text{ //nolint:exhaustive // the noun's own
		shop.NameNotices: "notices",
	},
}

// noticeText is the text of a kind of notice.
type noticeText struct {
	name lang.Text // the label on the page, and the subject of the mail
	line func(l *lang.Language, c notice.Cause) string
	act  lang.Text // what to do
}

// noticeTexts has a row for each of notice.Kinds.
var noticeTexts = map[notice.Kind]noticeText{
	notice.TrailAltered: {"Audit trail altered", func(l *lang.Language, c notice.Cause) string {
		return l.T("The audit trail differs from what was sealed: {problem}", "problem", c.Detail)
	}, "Stop changing data, and compare the database with its last backup."},
	notice.BackupFailed: {"Backup failed", func(l *lang.Language, c notice.Cause) string {
		return l.T("The last backup failed: {problem}. Earlier backups are available.", "problem", c.Detail)
	}, "Remove the cause, and start a backup."},
	notice.DiskFull: {"Disk nearly full", func(l *lang.Language, c notice.Cause) string {
		return l.T("{folder}: only {size} are free.", "folder", c.Name, "size", c.Detail)
	}, "Free disk space before the service stops accepting changes."},
	notice.InstrumentDue: {"Instrument due for calibration", func(l *lang.Language, c notice.Cause) string {
		return l.T("{instrument} {name} is due on {date}.", "instrument", c.Name, "name", c.Detail, "date", noticeDay(l, c.Day))
	}, "Calibrate these instruments, or take them out of use."},
	notice.UnitsHeld: {"Units on hold for days", func(l *lang.Language, c notice.Cause) string {
		return l.TN(c.Count, "{n} unit ({unit}) has been on hold since {date}: {reason}",
			"{n} units ({unit} and others) have been on hold since {date}: {reason}",
			"unit", c.Detail, "date", noticeDay(l, c.Day), "reason", c.Name)
	}, "Decide about these units."},
}

// NoticeName returns the name of a kind of notice.
func NoticeName(l *lang.Language, kind notice.Kind) string { return l.T(noticeTexts[kind].name) }

// noticeDay formats a day.
func noticeDay(l *lang.Language, day string) string {
	at, err := time.Parse(input.DateLayout, day)
	if err != nil {
		return day
	}
	return l.Time(at, lang.YearDay)
}

// NoticeLetter returns the subject and the text of a notice in the language of the shop, with its name and address.
func NoticeLetter(languages []*lang.Language, letter notify.Letter) (subject, text string) {
	l, _ := lang.Find(languages, letter.Organization.Lang)
	words := noticeTexts[letter.Kind]
	subject = l.T(words.name)
	var out strings.Builder
	if letter.Trial {
		subject = l.T("Test: {subject}", "subject", subject)
		out.WriteString(l.T("This is a test. Nothing has happened.") + "\n\n")
	}
	link := func(path string) {
		if letter.URL != "" && path != "" {
			out.WriteString(letter.URL + path + "\n")
		}
	}
	for _, cause := range letter.Causes {
		out.WriteString(words.line(l, cause) + "\n")
		link(cause.Path)
	}
	if !letter.Trial {
		out.WriteString("\n" + l.T(words.act) + "\n")
	}
	out.WriteString("\n-- \n")
	for _, line := range []string{letter.Organization.Name, letter.Organization.Address} {
		if line != "" {
			out.WriteString(line + "\n")
		}
	}
	out.WriteString(l.T("Routecard sends this because an administrator entered your address under Notices.") + "\n")
	link("/settings/notices")
	if name := letter.Organization.Name; name != "" {
		subject = name + ": " + subject
	}
	return subject, out.String()
}
