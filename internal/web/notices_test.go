package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/notice"
)

// The form of notices saves recipients and quiet hours, and a form that was rendered before another change saves nothing. The test shows what
// the servers respond.
func TestNotices(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v, late := s.visitor(), s.visitor()
	v.visit("/settings/notices").says("Mail server None: the setting --smtp-server is missing.")
	late.visit("/settings/notices")
	v.press(">Send test<", "kind", "backup_failed").says("This notice has no recipient yet.")
	saved := []string{
		"enabled-backup_failed", "on", "mail-backup_failed", "it@shop.example,  ann@shop.example", "hook-backup_failed", "https://alarm.example.com",
		"heldDays", "2", "dueDays", "7",
	}
	v.visit("/settings/notices").press(">Save<", append(saved, "mail-units_held", "Ann")...).says("This is no mail address.")
	v.visit("/settings/notices").press(">Save<", append(saved, "hook-units_held", "http://10.0.0.1")...).says("This address is private or not encrypted.")
	v.visit("/settings/notices").press(">Save<", append(saved, "quietFrom", "8")...).says("Type a time of the day, such as 20:00.")
	v.visit("/settings/notices").press(">Save<", append(saved, "quietFrom", "20:00", "quietTo", "06:00")...).says("Saved.")
	settings, err := s.service.NoticeSettings(t.Context())
	s.must(err)
	row := settings.Rows[1]
	if row.Kind != notice.BackupFailed || !row.Enabled || strings.Join(row.Mail, " ") != "it@shop.example ann@shop.example" ||
		row.Hook != "https://alarm.example.com" || settings.QuietFrom != "20:00" || settings.HeldDays != 2 {
		t.Errorf("%+v", settings)
	}
	late.press(">Save<", "quietFrom", "21:00", "quietTo", "06:00", "heldDays", "3", "dueDays", "7").says("Somebody changed the notices meanwhile.")
	late.says("Quiet from: 21:00 (now 20:00).")
	late.says("Days on hold: 3 (now 2).")
	v.visit("/settings/notices").press(">Send test<", "kind", "backup_failed")
	v.says("Tests accepted: 0 of 3.")
	v.says("it@shop.example : not accepted . mails need --smtp-server")
	v.says("https://alarm.example.com : not accepted . web hooks need --webhook-secret-file")
}

// Each kind of notice has a text in every language, with the name and the address of the shop.
func TestNoticeLetters(t *testing.T) {
	t.Parallel()
	languages := lang.Languages()
	causes := []notice.Cause{
		{Name: "NAME-1", Detail: "DETAIL-1", Day: "2026-01-31", Count: 1, Path: "/one"}, {Name: "NAME-2", Detail: "DETAIL-2", Day: "2026-02-28", Count: 2},
	}
	said := map[string]bool{}
	for _, kind := range notice.Kinds() {
		for _, language := range languages {
			letter := notify.Letter{
				Organization: shop.Organization{Name: "Northfield", Address: "12 Mill Lane\nSheffield", Lang: language.Tag()}, Kind: kind, Causes: causes,
				URL: "https://shop.example",
			}
			subject, text := wording.NoticeLetter(languages, letter)
			for _, part := range []string{"DETAIL-1", "DETAIL-2", "https://shop.example/one\n", "\n-- \nNorthfield\n12 Mill Lane\nSheffield\n", "/settings/notices\n"} {
				if !strings.Contains(text, part) {
					t.Errorf("%s in %s lacks %q:\n%s", kind, language.Tag(), part, text)
				}
			}
			if !strings.HasPrefix(subject, "Northfield: ") || strings.ContainsAny(subject+text, "{}") {
				t.Errorf("%s in %s: %s\n%s", kind, language.Tag(), subject, text)
			}
			for _, one := range []string{subject, text} {
				if said[one] {
					t.Errorf("%s in %s is not translated: %s", kind, language.Tag(), one)
				}
				said[one] = true
			}
			letter.Trial, letter.Causes, letter.URL = true, nil, ""
			trial, text := wording.NoticeLetter(languages, letter)
			if trial == subject || strings.Contains(text, "http") || said[text] && language.Tag() != "en" && kind == notice.Kinds()[0] {
				t.Errorf("%s in %s: %s\n%s", kind, language.Tag(), trial, text)
			}
			said[text] = true
		}
	}
	if len(languages) < 4 {
		t.Errorf("%d languages", len(languages))
	}
}
