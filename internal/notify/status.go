package notify

import (
	"context"
	"fmt"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/notice"
)

// Status is the state of the notices.
type Status struct {
	Waiting   int   // messages that wait
	Failing   int   // those of them that a server did not accept more than once
	Delivered int64 // since the start
	Failures  int64 // failed attempts since the start
}

// Status returns the current state. It is the zero value for a nil Notifier.
func (n *Notifier) Status() Status {
	if n == nil {
		return Status{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.status
}

// count counts an attempt.
func (n *Notifier) count(delivered bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if delivered {
		n.status.Delivered++
		return
	}
	n.status.Failures++
}

// report counts the messages that wait.
func (n *Notifier) report(waiting []notice.Message) {
	failing := 0
	for i := range waiting {
		if waiting[i].Attempts > 1 {
			failing++
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status.Waiting, n.status.Failing = len(waiting), failing
}

// Degraded returns a sentence about messages that are not accepted; "" if there are none. It has no addresses, because anyone may read it.
func (n *Notifier) Degraded() string {
	if failing := n.Status().Failing; failing > 0 {
		return fmt.Sprintf("notices: %d could not be delivered yet", failing)
	}
	return ""
}

// Channels describes the servers that messages go to, for administrators.
type Channels struct {
	Mail  string // the mail server and the sender; "" without a mail server
	Hooks bool   // whether there is a secret for web hooks
}

// Channels returns the servers in the settings.
func (n *Notifier) Channels() (c Channels) {
	if n == nil {
		return c
	}
	if n.options.Mailer != nil {
		c.Mail = n.options.Mailer.String()
	}
	c.Hooks = n.options.Hooks != nil
	return c
}

// latestShown is the number of messages that Latest returns.
const latestShown = 30

// Latest returns the newest messages, the newest first.
func (n *Notifier) Latest(ctx context.Context) (found []notice.Message, err error) {
	if n == nil {
		return nil, nil
	}
	err = n.options.Service.Read(ctx, func(tx shop.Reader) (err error) {
		found, err = tx.LatestNotices(latestShown)
		return err
	})
	return found, err
}
