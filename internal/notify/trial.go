package notify

import (
	"context"
	"sync"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/refusal"
)

// TrialInput is the body of Test Notices.
type TrialInput struct {
	Kind input.TextInput `field:"kind"`
}

// Trials are the results of a test.
type Trials struct {
	Results []Trial `json:"results"`
}

// Trial is the result of a test for one address.
type Trial struct {
	Channel   notice.Channel `json:"channel"`
	To        string         `json:"to"`
	Delivered bool           `json:"delivered"`
	Answer    string         `json:"answer"` // of the server, or the reason why there is none
}

// NoRecipient refuses to test a kind of notice without addresses.
var NoRecipient = refusal.NewReason(refusal.Invalid, "no_recipient", "No address is set for {kind}")

// Try sends a test of one kind to all its addresses now, also in quiet hours and if the kind is not enabled, and returns what the servers
// respond. The test is not repeated.
func (n *Notifier) Try(ctx context.Context, in TrialInput) (Trials, error) {
	kind, err := notice.RequiredKind("kind", in.Kind)
	if err != nil {
		return Trials{}, err
	}
	var tried Trials
	err = n.options.Service.Outside(ctx, &tried, func(string) error {
		settings, err := n.options.Service.NoticeSettings(ctx)
		if err != nil {
			return err
		}
		for i := range settings.Rows {
			settings.Rows[i].Enabled = true
		}
		targets := settings.Targets(kind)
		if len(targets) == 0 {
			return refusal.Refuse(NoRecipient, string(kind))
		}
		content := Letter{Kind: kind, Causes: []notice.Cause{}, URL: n.options.URL, Trial: true}
		if content.Organization, err = n.options.Service.Organization(ctx); err != nil {
			return err
		}
		tried.Results = make([]Trial, len(targets))
		var sending sync.WaitGroup
		for i, target := range targets {
			sending.Go(func() {
				answer, delivered, err := n.send(ctx, target, n.options.Service.NewID(prefix), content)
				if !delivered {
					answer = shortened(err.Error())
				}
				tried.Results[i] = Trial{Channel: target.Channel, To: target.Address, Delivered: delivered, Answer: answer}
			})
		}
		sending.Wait()
		return nil
	})
	return tried, err
}
