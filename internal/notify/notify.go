package notify

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/webhook"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
)

// Options are the settings and dependencies of a Notifier.
type Options struct {
	Service *shop.Service
	Sources Sources
	Mailer  *Mailer         // nil without a mail server
	Hooks   *webhook.Sender // nil without a secret for web hooks
	// Write returns the subject and the text of a letter.
	Write func(Letter) (subject, text string)
	URL   string // the address of the service for links; "" for none
	// Alone reports that no other instance of the service uses the database.
	Alone  bool
	Logger *slog.Logger
}

// Letter has the data for the text of a notice.
type Letter struct {
	Organization shop.Organization
	Kind         notice.Kind
	Causes       []notice.Cause
	URL          string // the address of the service for links; "" for none
	Trial        bool   // whether an administrator sends it as a test
}

// Notifier finds causes of notices and delivers messages. It is safe for concurrent use.
type Notifier struct {
	options Options

	// The loop alone uses these.
	settings  notice.Settings           // as they were last read
	organized shop.Organization         // as it was last read
	searched  map[notice.Kind]time.Time // the time of the last search
	day       string                    // the day of known
	known     map[string]bool           // the causes that were stored on this day
	unstored  map[string]notice.Message // messages whose state could not be stored
	forgot    time.Time                 // when old messages were last deleted

	mu     sync.Mutex
	status Status
}

// New makes a Notifier; Run does the work.
func New(options Options) *Notifier {
	if options.Write == nil {
		options.Write = func(l Letter) (subject, text string) { return string(l.Kind), string(l.Kind) }
	}
	return &Notifier{
		options: options, settings: notice.Unset(), searched: make(map[notice.Kind]time.Time), known: map[string]bool{},
		unstored: map[string]notice.Message{},
	}
}

// Intervals of the loop.
const (
	longestWait  = time.Minute
	shortestWait = time.Second
	forgetEvery  = time.Hour
)

// Run finds causes and delivers messages until ctx ends.
func (n *Notifier) Run(ctx context.Context) {
	for ctx.Err() == nil {
		wait := n.round(ctx)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

// round searches for causes, sends what is due, and returns how long to wait for the next round.
func (n *Notifier) round(ctx context.Context) time.Duration {
	now := n.options.Service.Now()
	n.read(ctx)
	n.storeAgain(ctx)
	n.search(ctx, now)
	waiting := n.deliver(ctx, now)
	n.forget(ctx, now)
	return n.pause(waiting, n.options.Service.Now())
}

// read reads the settings. If the database cannot be read, those that were read before apply.
func (n *Notifier) read(ctx context.Context) {
	settings, err := n.options.Service.NoticeSettings(ctx)
	if err == nil {
		n.settings = settings
		n.organized, err = n.options.Service.Organization(ctx)
	}
	if err != nil {
		n.warn(ctx, "the settings of notices cannot be read", err)
	}
}

// search finds the causes of each kind that has recipients, when its search is due, and stores messages for them.
func (n *Notifier) search(ctx context.Context, now ident.Timestamp) {
	if day := notice.DayOf(now, n.options.Service.Zone()); day != n.day {
		n.day = day
		clear(n.known)
	}
	all := finders()
	for _, kind := range notice.Kinds() {
		finder, targets := all[kind], n.settings.Targets(kind)
		last, before := n.searched[kind]
		if len(targets) == 0 || before && now.Time().Sub(last).Abs() < finder.every {
			continue
		}
		found, err := finder.find(ctx, n, n.settings, now)
		if err != nil {
			n.warn(ctx, "the causes of notices cannot be read", err)
			continue
		}
		n.searched[kind] = now.Time()
		if fresh := n.unknown(kind, found); len(fresh) > 0 {
			n.add(ctx, kind, targets, fresh, now)
		}
	}
}

// unknown returns the causes that were not stored on this day by this process.
func (n *Notifier) unknown(kind notice.Kind, found []notice.Cause) (fresh []notice.Cause) {
	for _, cause := range found {
		if !n.known[knownKey(kind, cause.Key)] {
			fresh = append(fresh, cause)
		}
	}
	return fresh
}

func knownKey(kind notice.Kind, key string) string { return string(kind) + " " + key }

// pause returns how long to wait until a message is due or a search.
func (n *Notifier) pause(waiting []notice.Message, now ident.Timestamp) time.Duration {
	wait := longestWait
	if !n.settings.Quiet(now, n.options.Service.Zone()) {
		for i := range waiting {
			at := waiting[i].DueAt
			if !n.options.Alone {
				at = max(at, waiting[i].LeasedTo)
			}
			wait = min(wait, at.Time().Sub(now.Time()))
		}
	}
	return max(wait, shortestWait)
}

func (n *Notifier) warn(ctx context.Context, text string, err error) {
	if ctx.Err() == nil {
		n.options.Logger.WarnContext(ctx, text, "error", err) //nolint:sloglint // the texts are constants
	}
}
