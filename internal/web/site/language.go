package site

import (
	"cmp"
	"net/http"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop/refusal"
)

// languageCookie has the language that was chosen on a device.
const languageCookie = "language"

// languageOf returns the language of a request according to what the browser sent: the language of the device, else the one that the
// browser prefers, else that of the service.
func (p *Pages) languageOf(r *http.Request) *lang.Language {
	if chosen, ok := lang.Find(p.languages, ReadCookie(r, languageCookie)); ok {
		return chosen
	}
	if accepted, ok := lang.Accepted(p.languages, r.Header.Get("Accept-Language")); ok {
		return accepted
	}
	if configured, ok := lang.Find(p.languages, cmp.Or(p.DefaultLanguage, "en")); ok {
		return configured
	}
	return p.languages[0]
}

// speak sets the language that the visitor chose, else that of the station. If there is neither, the language of the request remains. A
// page can be shown without this information, so for a GET an error is only logged.
func (v *Visit) speak() error {
	if len(v.languages) < 2 {
		return nil
	}
	tag, err := v.chosenLanguage()
	if chosen, ok := lang.Find(v.languages, tag); ok && err == nil {
		v.Language = chosen
	}
	if err != nil && v.R.Method == http.MethodGet && v.R.Context().Err() == nil {
		v.Logger.Warn("cannot read the language of a visitor", "error", err)
		return nil
	}
	return err
}

// chosenLanguage returns the tag of the language that the visitor chose, else that of the station, or "" if there is neither. The session
// was read together with the language, so pages of signed-in users need no query. Other pages need at most one.
func (v *Visit) chosenLanguage() (string, error) {
	switch {
	case v.Identity != nil && v.Identity.TokenID == "":
		return v.Identity.Session.Language, nil
	case v.Identity != nil:
		return v.Service.Language(v.R.Context(), v.Identity.User.ID)
	case v.Access != nil:
		workstation, err := v.Access.StationOf(v.R)
		return workstation.Language, err
	case v.Operator != "":
		return v.Service.Language(v.R.Context(), v.Operator)
	}
	return "", nil // only the cookie of the device has it
}

// languageChooser returns the identifier of the visitor, else of the station, for which the language is stored. It returns "" if only a
// cookie can store the language.
func (v *Visit) languageChooser() (string, error) {
	switch {
	case v.Identity != nil:
		return v.Identity.User.ID, nil
	case v.Access == nil:
		return v.Operator, nil // without sign-in there are no stations
	}
	workstation, err := v.Access.StationOf(v.R)
	return workstation.ID, err
}

// Offered returns the languages that users may choose, English first.
func (p *Pages) Offered() []*lang.Language { return p.languages }

// LanguagesToChoose returns the languages that the page offers. It returns none if there is only one.
func (f *Frame) LanguagesToChoose() []*lang.Language {
	if len(f.languages) < 2 {
		return nil
	}
	return f.languages
}

// chooseLanguage stores the language for the visitor, else for the station, else for the device, and redirects back.
func chooseLanguage(v *Visit) error {
	tag := v.Form.Get("language")
	if _, known := lang.Find(v.languages, tag); !known {
		return refusal.RefuseField(refusal.NotAmong, "language", tag)
	}
	chooser, err := v.languageChooser()
	if err != nil {
		return err
	}
	if chooser == "" {
		v.SetCookie(languageCookie, tag, YearSeconds)
	} else if err := v.Service.ChooseLanguage(v.R.Context(), chooser, tag); err != nil {
		return err
	}
	return v.Back(OwnPath(v.Form.Get("back")), "")
}
