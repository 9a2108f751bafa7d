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

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// A page that lost the response to a form asks whether the form was carried out: static/acts.js posts the form to /acts with the address
// of its route. The request runs through that route like the form itself, with the same permissions, up to the point where the form would
// be carried out.

// actState is the state of a form that was sent.
type actState string

const (
	actDone     actState = "done"
	actInPart   actState = "part"    // it was interrupted; sending it again does the rest
	actNotDone  actState = "not"     // and it never will be: its key is void
	actOfOther  actState = "other"   // another person sent it, and only that person learns more
	actUnknown  actState = "unknown" // it is too old, or the caller may not do it
	actSignedIn actState = "sign-in" // the visitor has to sign in first
)

// actTold is the response to a page that asks.
type actTold struct {
	State actState `json:"state"`
	Text  string   `json:"text"`
	Unit  string   `json:"unit,omitempty"`  // the unit to which the station did it
	Again string   `json:"again,omitempty"` // the key with which the form can be sent again
}

// actAsk is a query for the state of a form, on its way through the route of the form.
type actAsk struct {
	reached bool // whether the route lets the caller ask
	other   bool // whether another person sent the form
	settled shop.Settled
	failed  error
}

type actAskKey struct{}

// askOf returns the query of a request, nil for a request to carry out.
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

// settleAct responds with the state of the form that was posted with the query.
func settleAct(v *Visit) error {
	told := actTold{State: actSignedIn, Text: "sign in to see whether it was done."}
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
	unknown := actTold{State: actUnknown, Text: "it is not known whether it was done. Look at its record."}
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
		return unknown, refusal.ErrBusy // the page asks again later
	case ask.other:
		return actTold{State: actOfOther, Text: "sent by another person, who sees after signing in whether it was done."}, nil
	case ask.settled.Part:
		return actTold{State: actInPart, Text: "done in part at " + at + ". Send it again to do the rest; nothing is done twice.",
			Unit: unitDone(v, page), Again: v.Form.Get(onceField)}, nil
	case ask.settled.Done:
		return actTold{State: actDone, Text: "done at " + at + ".", Unit: unitDone(v, page)}, nil
	case !ask.reached || old: // the record may have been deleted
		return unknown, nil
	}
	key, mark, marked := strings.Cut(v.Form.Get(onceField), "-")
	if key += "."; marked {
		key += "-" + mark
	}
	return actTold{State: actNotDone, Text: "not done.", Again: key}, nil
}

// clockTime writes the time of day, with the date unless it is today.
func clockTime(v *Visit, at ident.Timestamp) string {
	then, now := at.Time().In(v.Zone), v.Clock().In(v.Zone)
	if then.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return then.Format("15:04")
	}
	return then.Format("2 Jan 15:04")
}

// unitDone returns the unit that the station changed for a scan, "" for none.
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
