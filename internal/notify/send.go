package notify

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/webhook"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
)

// deliver sends the messages that are due, until none is due, and returns those that wait. In quiet hours it sends nothing.
func (n *Notifier) deliver(ctx context.Context, now ident.Timestamp) (waiting []notice.Message) {
	failed := targets{}
	for ctx.Err() == nil {
		waiting = n.waiting(ctx)
		if n.settings.Quiet(now, n.options.Service.Zone()) || len(n.due(waiting, now, failed)) == 0 {
			break
		}
		claimed := n.claim(ctx, now, waiting, failed)
		if len(claimed) == 0 {
			waiting = n.waiting(ctx)
			break
		}
		n.attempt(ctx, claimed, failed)
		now = n.options.Service.Now()
	}
	n.report(waiting)
	return waiting
}

// attempt sends messages at the same time, so that a slow server delays the others once, by the time limit of one attempt.
// failed gets the targets that did not accept theirs.
func (n *Notifier) attempt(ctx context.Context, claimed []notice.Message, failed targets) {
	tried := make([]*notice.Message, len(claimed))
	var sending sync.WaitGroup
	for i := range claimed {
		sending.Go(func() { tried[i] = n.try(ctx, claimed[i]) })
	}
	sending.Wait()
	var done []notice.Message
	for _, message := range tried {
		if message != nil {
			done = append(done, *message)
			failed[message.To()] = failed[message.To()] || message.State != notice.Delivered
		}
	}
	n.store(ctx, done)
}

// try sends a message once. It returns nil if the service stops before the server has responded: the message is sent again after the start.
func (n *Notifier) try(ctx context.Context, message notice.Message) *notice.Message {
	letter := Letter{Organization: n.organized, Kind: message.Kind, Causes: message.Causes, URL: n.options.URL}
	answer, delivered, err := n.send(ctx, message.To(), message.ID, letter)
	if ctx.Err() != nil && !delivered {
		return nil
	}
	now := n.options.Service.Now()
	if !delivered {
		answer = shortened(err.Error())
	}
	message = message.Tried(delivered, answer, now)
	n.count(delivered)
	log := n.options.Logger.With("notice", message.ID, "kind", message.Kind, "to", logged(message.To()))
	switch {
	case delivered:
		log.InfoContext(ctx, "notice delivered", "answer", answer)
	case message.State == notice.GivenUp:
		log.ErrorContext(ctx, "notice given up", "error", err)
	default:
		log.WarnContext(ctx, "notice not delivered; it will be sent again", "error", err, "at", message.DueAt.String())
	}
	return &message
}

// logged returns a target for the log: of a web hook the host alone, because the path or the query may be a secret.
func logged(to notice.Target) string {
	if to.Channel != notice.Hook {
		return to.Address
	}
	address, err := url.Parse(to.Address)
	if err != nil {
		return ""
	}
	return address.Host
}

// errNoServer is the error of a mail without a mail server.
var errNoServer = errors.New("mails need --smtp-server")

// send sends a letter to a target, and returns the response of the server. delivered reports whether the server has accepted the letter.
func (n *Notifier) send(ctx context.Context, to notice.Target, id string, content Letter) (answer string, delivered bool, err error) {
	now := n.options.Service.Now().Time()
	subject, text := n.options.Write(content)
	if to.Channel == notice.Mail {
		if n.options.Mailer == nil {
			return "", false, errNoServer
		}
		logo, err := n.options.Service.LogoPicture(ctx, content.Organization)
		if err != nil { // a notice must not depend on it
			n.options.Logger.WarnContext(ctx, "a notice has no logo", "notice", id, "error", err)
		}
		return n.options.Mailer.send(ctx, letter{
			id: id, to: to.Address, sender: content.sender(), subject: subject, text: text, logo: logo, at: now,
		})
	}
	if n.options.Hooks == nil {
		return "", false, webhook.ErrNoSecret
	}
	body, err := json.Marshal(hookBody{
		Type: hookType(content), Timestamp: now.UTC().Format(time.RFC3339),
		Data: hookData{Kind: content.Kind, Test: content.Trial, Subject: subject, Text: text, Causes: content.Causes},
	})
	if err != nil {
		return "", false, err
	}
	answer, err = n.options.Hooks.Send(ctx, to.Address, id, now, body)
	return answer, err == nil, err
}

// sender returns the name of the sender of mails.
func (l Letter) sender() string {
	if l.Organization.Name == "" {
		return "Routecard"
	}
	return l.Organization.Name + " (Routecard)"
}

// hookBody is the body of a web hook, in the form of Standard Webhooks.
type hookBody struct {
	Type      string   `json:"type"`
	Timestamp string   `json:"timestamp"`
	Data      hookData `json:"data"`
}

type hookData struct {
	Kind    notice.Kind    `json:"kind"`
	Test    bool           `json:"test,omitempty"`
	Subject string         `json:"subject"`
	Text    string         `json:"text"`
	Causes  []notice.Cause `json:"causes"`
}

func hookType(l Letter) string { return "com.routecard.notice." + string(l.Kind) }
