package site

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// If a page loses the response to a form, it asks whether the form was carried out: static/acts.js posts the form to /acts with the address
// of its route. This request goes through the same route as the form, with the same permissions, up to the point at which the form would be
// carried out.

// actState is the state of a form that was sent.
type actState string

const (
	actDone     actState = "done"
	actInPart   actState = "part"    // interrupted; sending the form again does the rest
	actNotDone  actState = "not"     // not carried out, and never will be: its key is void
	actOfOther  actState = "other"   // sent by another person, and only that person can find out more
	actUnknown  actState = "unknown" // too old, or the caller lacks the permission
	actSignedIn actState = "sign-in" // the visitor has to sign in first
)

// actTold is the response to a page that asks for the result of a form.
type actTold struct {
	State actState `json:"state"`
	Text  string   `json:"text"`
	Unit  string   `json:"unit,omitempty"`  // the unit that the station changed
	Again string   `json:"again,omitempty"` // the key with which the form can be sent again
}

// actAsk is a query for the state of a form. It goes through the route of the form.
type actAsk struct {
	reached bool // whether the route permits the caller to ask
	other   bool // whether another person sent the form
	settled shop.Settled
	failed  error
}

type actAskKey struct{}

// askOf returns the query of a request. It returns nil if the form is to be carried out.
func askOf(ctx context.Context) *actAsk {
	ask, _ := ctx.Value(actAskKey{}).(*actAsk)
	return ask
}

// settleForm finds the state of a form for the person who sent it.
func settleForm(v *Visit, ask *actAsk, once card.Once, mark string, answer func(context.Context) error) {
	ask.reached = true
	switch {
	case v.Access == nil: // without sign-in, all requests are from the same caller
	case v.R.URL.Path == "/scan": // keys of the station have no mark
		ask.other = v.Form.Get("who") != v.Operator
	default:
		ask.other = mark != markOf(v.Operator)
	}
	if !ask.other {
		ask.settled, ask.failed = v.Service.Settle(v.R.Context(), once, answer)
	}
}

// settleAct responds with the state of the form that was posted in the query.
func settleAct(v *Visit) error {
	told := actTold{State: actSignedIn, Text: v.T("sign in to see whether it was done.")}
	if v.Access == nil || v.Identity != nil {
		var err error
		if told, err = askAct(v); err != nil {
			return err
		}
	}
	v.W.Header().Set("Content-Type", "application/json")
	v.W.Header().Set("Cache-Control", "no-store")
	return json.NewEncoder(v.W).Encode(told)
}

func askAct(v *Visit) (actTold, error) {
	unknown := actTold{State: actUnknown, Text: v.T("it is not known whether it was done. Look at its record.")}
	query := v.R.URL.Query()
	address, err := url.Parse(OwnPath(query.Get("of")))
	if err != nil || address.Path == v.R.URL.Path {
		return unknown, nil
	}
	ask := &actAsk{}
	request := v.R.Clone(context.WithValue(v.R.Context(), actAskKey{}, ask))
	body := v.Form.Encode()
	request.URL, request.Body, request.ContentLength = address, io.NopCloser(strings.NewReader(body)), int64(len(body))
	request.Form, request.PostForm = nil, nil
	page := &pageKept{header: http.Header{}}
	v.Pages.ServeHTTP(page, request)
	ago, timed := strconv.ParseInt(query.Get("ago"), 10, 64)
	old := timed != nil || ago < 0 || v.Config.KeyRetention > 0 && time.Duration(ago)*time.Millisecond >= v.Config.KeyRetention
	switch at := clockTime(v, ask.settled.At); {
	case ask.failed != nil:
		return unknown, ask.failed
	case !ask.reached && (page.status >= http.StatusInternalServerError || page.status == http.StatusTooManyRequests):
		return unknown, refusal.ErrBusy // the page will ask again
	case ask.other:
		return actTold{State: actOfOther, Text: v.T("sent by another person, who sees after signing in whether it was done.")}, nil
	case ask.settled.Part:
		return actTold{State: actInPart,
			Text: v.T("done in part at {time}. Send it again to do the rest; nothing is done twice.", "time", at),
			Unit: unitDone(v, page), Again: v.Form.Get(onceField)}, nil
	case ask.settled.Done:
		return actTold{State: actDone, Text: v.T("done at {time}.", "time", at), Unit: unitDone(v, page)}, nil
	case !ask.reached || old: // the record may have been deleted
		return unknown, nil
	}
	key, mark, marked := strings.Cut(v.Form.Get(onceField), "-")
	if key += "."; marked {
		key += "-" + mark
	}
	return actTold{State: actNotDone, Text: v.T("not done."), Again: key}, nil
}

// clockTime formats the time of day, and adds the date if it is not today.
func clockTime(v *Visit, at ident.Timestamp) string {
	then, now := at.Time().In(v.Zone), v.Clock().In(v.Zone)
	if then.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return then.Format("15:04")
	}
	return v.Time(then, lang.DayMinute)
}

// unitDone returns the unit that the station changed with a scan, or "" if it changed none.
func unitDone(v *Visit, page *pageKept) string {
	address, err := url.Parse(page.header.Get("Location"))
	if err != nil {
		return ""
	}
	if act := strings.Fields(address.Query().Get("act")); len(act) == 3 {
		return act[1]
	}
	return v.Form.Get("unit")
}
