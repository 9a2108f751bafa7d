package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/webhook"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
)

// Addresses of the tests.
const (
	ann = "ann@shop.example"
	bob = "bob@shop.example"
)

// failingStore is a store that can be made to refuse changes, as with a full disk.
type failingStore struct {
	sqlstore.Store

	full atomic.Bool
}

var errFull = errors.New("there is no space left")

func (s *failingStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	if s.full.Load() {
		return errFull
	}
	return s.Store.Update(ctx, change, options...)
}

// notified is a shop with servers that notices go to.
type notified struct {
	*shoptest.Shop

	t       *testing.T
	disk    *failingStore
	mail    *mailServer
	hooks   *hookServer
	sources Sources
	log     bytes.Buffer
	*Notifier
}

// hookServer is a server for web hooks.
type hookServer struct {
	*httptest.Server

	answers func(id string) int // the status of a response; nil for 200

	mu  sync.Mutex
	got []receivedHook
}

// receivedHook is a request for a web hook.
type receivedHook struct {
	id   string
	body hookBody
}

func startHooks(t *testing.T) *hookServer {
	t.Helper()
	s := &hookServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read, err := io.ReadAll(r.Body)
		got := receivedHook{id: r.Header.Get("Webhook-Id")}
		if err := errors.Join(err, json.Unmarshal(read, &got.body)); err != nil {
			t.Errorf("%s: %v", read, err)
		}
		s.mu.Lock()
		s.got = append(s.got, got)
		s.mu.Unlock()
		if s.answers != nil {
			w.WriteHeader(s.answers(got.id))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *hookServer) received() []receivedHook {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// open opens a shop with servers.
func open(t *testing.T) *notified {
	t.Helper()
	n := &notified{Shop: shoptest.Open(t), t: t, mail: startMail(t, true), hooks: startHooks(t)}
	n.disk = &failingStore{Store: n.Store}
	n.Store = n.disk
	n.Another()
	n.sources = Sources{Host: "host", Held: n.LongestHeld}
	n.restart()
	return n
}

func (n *notified) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

// instance returns a notifier of another instance of the service.
func (n *notified) instance() *Notifier {
	n.t.Helper()
	policy, err := webhook.ParsePolicy([]string{"127.0.0.1"})
	n.must(err)
	secret, err := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	n.must(err)
	return New(Options{
		Service: n.Service, Sources: n.sources, Mailer: mailerOf(n.t, n.mail.options()), Hooks: &webhook.Sender{Policy: policy, Secret: secret},
		Logger: slog.New(slog.NewTextHandler(&n.log, nil)), Write: func(l Letter) (subject, text string) {
			for _, cause := range l.Causes {
				text += cause.Key + "\n"
			}
			return fmt.Sprint(l.Kind), text
		},
	})
}

// restart replaces the notifier, as a new process would.
func (n *notified) restart() { n.Notifier = n.instance() }

// sendTo sets the recipients of kinds.
func (n *notified) sendTo(row notice.RowInput, kinds ...notice.Kind) {
	n.t.Helper()
	n.set(n.rowsFor(row, kinds...))
}

func (*notified) rowsFor(row notice.RowInput, kinds ...notice.Kind) notice.SettingsInput {
	var rows []input.Input[notice.RowInput]
	for _, kind := range kinds {
		row.Kind = input.Given(string(kind))
		rows = append(rows, input.Given(row))
	}
	return notice.SettingsInput{Rows: input.Given(rows)}
}

func (n *notified) set(in notice.SettingsInput) {
	n.t.Helper()
	service := shop.New(n.Store, func() time.Time { return time.UnixMilli(n.Clock.Load()) }, ident.NewIdentifiers(time.Now), shop.WithHooks(anyHook))
	_, err := service.SetNotices(n.t.Context(), in)
	n.must(err)
}

// pass moves the clock, and runs a round.
func (n *notified) pass(by time.Duration) time.Duration {
	n.Clock.Add(by.Milliseconds())
	return n.round(n.t.Context())
}

// mails returns the recipients and the texts of all mails so far.
func (n *notified) mails() (all []string) {
	for _, mail := range n.mail.mails() {
		all = append(all, mail.to+" "+mail.subject()+": "+strings.Join(strings.Fields(mail.text), " "))
	}
	return all
}

func (n *notified) wantMails(want ...string) {
	n.t.Helper()
	if got := n.mails(); !slices.Equal(got, want) {
		n.t.Fatalf("mails\n\t%q, and want\n\t%q\n%s", got, want, n.log.String())
	}
}

func anyHook(*url.URL) bool { return true }

func mailTo(addresses ...string) notice.RowInput {
	return notice.RowInput{Mail: input.GivenTexts(addresses...)}
}

// events makes a cause of each kind.
var events = map[notice.Kind]func(n *notified){
	notice.BackupFailed: func(n *notified) { n.sources.Backup = func() string { return "backup: the folder is gone" } },
	notice.TrailAltered: func(n *notified) { n.sources.Trail = func() string { return "aud_1 is not what was sealed" } },
	notice.DiskFull: func(n *notified) {
		n.sources.Disks = func() []LowDisk { return []LowDisk{{Folder: "/data", Free: "1 MiB / 1 GiB"}} }
	},
	notice.InstrumentDue: func(n *notified) { n.instrument("M-1", "2026-02-07") },
	notice.UnitsHeld: func(n *notified) {
		path := n.Route(n.t, card.Strict, "Saw")
		unit := n.Units(n.t, path, 1)[0]
		_, err := n.HoldSerial(n.t.Context(), unit, shop.HoldSerialInput{Reason: input.Given("burr"), UserID: input.Given("ann")})
		n.must(err)
		n.Clock.Add((3 * 24 * time.Hour).Milliseconds())
	},
}

func (n *notified) instrument(number, due string) shop.Instrument {
	n.t.Helper()
	made, err := n.CreateInstrument(n.t.Context(), shop.InstrumentInput{
		Number: input.Given(number), Name: input.Given("Micrometer"), DueDate: input.Given(due), ChangedBy: input.Given("ann"),
	})
	n.must(err)
	return made
}

func TestEveryKindIsDelivered(t *testing.T) {
	t.Parallel()
	if len(finders()) != len(notice.Kinds()) || len(events) != len(notice.Kinds()) {
		t.Fatalf("%d kinds, %d finders, %d events", len(notice.Kinds()), len(finders()), len(events))
	}
	for _, kind := range notice.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			n := open(t)
			row := mailTo(ann, bob)
			row.Hook = input.Given(n.hooks.URL + "/hook")
			n.sendTo(row, kind)
			if n.pass(0); len(n.mails()) > 0 {
				t.Fatalf("without a cause: %q", n.mails())
			}
			n.Clock.Add(time.Hour.Milliseconds())
			events[kind](n)
			n.restart()
			n.pass(0)
			mails, hooks := n.mail.mails(), n.hooks.received()
			if len(mails) != 2 || len(hooks) != 1 || mails[0].to == mails[1].to || mails[0].subject() != string(kind) {
				t.Fatalf("%q, %+v\n%s", n.mails(), hooks, n.log.String())
			}
			hook := hooks[0].body
			if hook.Type != "com.routecard.notice."+string(kind) || hook.Data.Kind != kind || len(hook.Data.Causes) != 1 || hooks[0].id == "" {
				t.Errorf("%+v", hook)
			}
			if _, err := time.Parse(time.RFC3339, hook.Timestamp); err != nil {
				t.Error(err)
			}
			for range 3 {
				n.restart()
				n.pass(time.Hour)
			}
			if len(n.mails()) != 2 || len(n.hooks.received()) != 1 {
				t.Errorf("more than once a day: %q", n.mails())
			}
			n.pass(24 * time.Hour)
			if len(n.mails()) != 4 || len(n.hooks.received()) != 2 {
				t.Errorf("on the next day: %q", n.mails())
			}
			n.set(n.rowsFor(notice.RowInput{Enabled: input.Given(false)}, kind))
			if n.pass(24 * time.Hour); len(n.mails()) != 4 {
				t.Errorf("while it is not enabled: %q", n.mails())
			}
		})
	}
}

// Instruments are notified the days of the settings before they are due, units on hold after the days of the settings, each one by itself.
func TestDaysOfTheSettings(t *testing.T) {
	t.Parallel()
	n := open(t) // on 2026-01-31
	in := n.rowsFor(mailTo(ann), notice.InstrumentDue, notice.UnitsHeld)
	in.DueDays, in.HeldDays = input.Given(2.0), input.Given(1.0)
	n.set(in)
	first, second := n.instrument("M-1", "2026-02-02"), n.instrument("M-2", "2026-02-03")
	n.instrument("M-3", "")
	broken := n.instrument("M-4", "2026-01-01")
	_, err := n.CalibrateInstrument(t.Context(), broken.ID, shop.CalibrateInput{
		Result: input.Given("fail"), DueDate: input.Given("2026-01-31"), UserID: input.Given("ann"),
	})
	n.must(err)
	units := n.Units(t, n.Route(t, card.Strict, "Saw"), 2)
	for _, unit := range units {
		_, err := n.HoldSerial(t.Context(), unit, shop.HoldSerialInput{Reason: input.Given("burr"), UserID: input.Given("ann")})
		n.must(err)
	}
	n.pass(0)
	n.wantMails(ann + " instrument_due: " + first.ID)
	n.pass(24*time.Hour - time.Second) // the day of the shop has changed, and the units are on hold for less than a day
	got := n.mails()
	if len(got) != 2 || !strings.Contains(got[1], first.ID+" "+second.ID) && !strings.Contains(got[1], second.ID+" "+first.ID) {
		t.Fatalf("%q", got)
	}
	if n.pass(10 * time.Minute); len(n.mails()) != 3 || !strings.HasPrefix(n.mails()[2], ann+" units_held: /") {
		t.Errorf("%q", n.mails())
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	n := open(t) // at 9:30
	in := n.rowsFor(mailTo(ann), notice.BackupFailed, notice.DiskFull)
	in.QuietFrom, in.QuietTo = input.Given("09:00"), input.Given("10:15")
	n.set(in)
	disks := []LowDisk{{Folder: "/a"}}
	n.sources.Disks = func() []LowDisk { return disks }
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.pass(0)
	disks = append(disks, LowDisk{Folder: "/b"})
	for range 4 {
		if n.pass(11 * time.Minute); len(n.mails()) > 0 {
			t.Fatalf("in quiet hours: %q", n.mails())
		}
	}
	n.pass(time.Minute) // 10:15
	got := n.mails()
	slices.Sort(got)
	if want := []string{ann + " backup_failed: backup", ann + " disk_nearly_full: host:/a host:/b"}; !slices.Equal(got, want) {
		t.Errorf("%q, and want %q", got, want)
	}
}

// A server that does not accept is asked again after the pauses, while others get theirs. After three days the message is given up.
func TestServerThatDoesNotAccept(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.mail.set(mailConduct{recipient: func(to string) string {
		if to == ann {
			return "451 4.3.0 later"
		}
		return "250 ok"
	}})
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.sendTo(mailTo(ann, bob), notice.BackupFailed)
	began := n.Clock.Load()
	var at []time.Duration
	failures := int64(0)
	for wait := n.pass(0); time.UnixMilli(n.Clock.Load()).Sub(time.UnixMilli(began)) < 80*time.Hour; wait = n.pass(wait) {
		if now := n.Status().Failures; now > failures {
			failures = now
			at = append(at, time.UnixMilli(n.Clock.Load()).Sub(time.UnixMilli(began)))
			n.sources.Backup = nil // only the first day counts here
			n.options.Sources = n.sources
		}
	}
	n.wantMails(bob + " backup_failed: backup")
	want := []time.Duration{0, 5 * time.Second, 65 * time.Second, 365 * time.Second, 2165 * time.Second, 5765 * time.Second}
	if len(at) < len(want) || !slices.Equal(at[:len(want)], want) || at[len(at)-1] < giveUp || len(at) > 80 {
		t.Errorf("%d attempts, at %v", len(at), at)
	}
	latest, err := n.Latest(t.Context())
	n.must(err)
	if len(latest) != 2 {
		t.Fatalf("%+v", latest)
	}
	for _, message := range latest {
		if message.Target == ann && (message.State != notice.GivenUp || !strings.Contains(message.Answer, "4.3.0 later")) ||
			message.Target == bob && message.State != notice.Delivered {
			t.Errorf("%+v", message)
		}
	}
	if text := n.log.String(); !strings.Contains(text, "notice given up") || !strings.Contains(text, "it will be sent again") {
		t.Error(text)
	}
	if n.Degraded() != "" {
		t.Error("nothing waits any more:", n.Degraded())
	}
}

const giveUp = 72 * time.Hour

func TestDegraded(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.hooks.answers = func(string) int { return http.StatusBadGateway }
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.sendTo(notice.RowInput{Hook: input.Given(n.hooks.URL)}, notice.BackupFailed)
	if n.pass(0); n.Degraded() != "" {
		t.Error("after one failure:", n.Degraded())
	}
	if n.pass(6 * time.Second); n.Degraded() != "notices: 1 could not be delivered yet" {
		t.Error("after two failures:", n.Degraded())
	}
	n.hooks.answers = nil
	if n.pass(2 * time.Minute); n.Degraded() != "" || n.Status() != (Status{Delivered: 1, Failures: 2}) {
		t.Errorf("after a success: %s, %+v", n.Degraded(), n.Status())
	}
	ids := n.hooks.received()
	if len(ids) != 3 || ids[0].id != ids[1].id || ids[0].id != ids[2].id {
		t.Errorf("the id changes: %+v", ids)
	}
}

// The address of a web hook may be a secret: the log has its host alone.
func TestLogHasNoPathOfHooks(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.hooks.answers = func(string) int { return http.StatusBadGateway }
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.sendTo(notice.RowInput{Hook: input.Given(n.hooks.URL + "/services/S3cret?key=S3cret")}, notice.BackupFailed)
	n.pass(0)
	n.hooks.answers = nil
	n.pass(6 * time.Second)
	text := n.log.String()
	for _, part := range []string{"it will be sent again", "notice delivered", "to=" + strings.TrimPrefix(n.hooks.URL, "http://")} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	if strings.Contains(text, "S3cret") {
		t.Error(text)
	}
}

// If the process ends after a server has accepted a message and before that is stored, the message is sent again under the same id.
func TestSentAgainAfterTheProcessEnded(t *testing.T) {
	t.Parallel()
	for _, alone := range []bool{true, false} {
		n := open(t)
		n.hooks.answers = func(string) int {
			n.disk.full.Store(true) // nothing is stored from here on
			return http.StatusOK
		}
		n.sources.Backup = func() string { return "the folder is gone" }
		n.restart()
		n.sendTo(notice.RowInput{Hook: input.Given(n.hooks.URL)}, notice.BackupFailed)
		n.pass(0)
		n.disk.full.Store(false)
		n.hooks.answers = nil
		n.restart()
		n.options.Alone = alone
		n.pass(time.Second)
		if got := len(n.hooks.received()); alone && got != 2 || !alone && got != 1 {
			t.Errorf("alone %t: %d requests while the lease of the process lasts", alone, got)
		}
		n.pass(notice.LeaseTime)
		if got := n.hooks.received(); len(got) != 2 || got[0].id != got[1].id {
			t.Errorf("alone %t: %+v", alone, got)
		}
		n.restart()
		if n.pass(time.Hour); len(n.hooks.received()) != 2 {
			t.Error("it was sent after it was delivered")
		}
	}
}

// A full disk is the event for which nothing can be stored: it is delivered from memory, once.
func TestFullDiskIsDelivered(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.sendTo(mailTo(ann), notice.DiskFull)
	n.pass(0) // reads the settings
	n.disk.full.Store(true)
	n.options.Sources.Disks = func() []LowDisk { return []LowDisk{{Folder: "/data"}} }
	n.mail.set(mailConduct{recipient: func(string) string { return "451 4.3.0 later" }})
	n.pass(time.Minute)
	n.mail.set(mailConduct{})
	for range 5 {
		n.pass(time.Minute)
	}
	n.wantMails(ann + " disk_nearly_full: host:/data")
	n.disk.full.Store(false)
	n.pass(time.Minute)
	latest, err := n.Latest(t.Context())
	n.must(err)
	if len(latest) != 1 || latest[0].State != notice.Delivered || latest[0].Attempts != 1 {
		t.Errorf("%+v", latest)
	}
	n.restart()
	n.options.Sources.Disks = func() []LowDisk { return []LowDisk{{Folder: "/data"}} }
	n.pass(time.Minute)
	n.wantMails(ann + " disk_nearly_full: host:/data")
}

// Of several instances on one database, one sends each message.
func TestInstancesSendOnce(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.sources.Backup = func() string { return "the folder is gone" }
	n.sources.Disks = func() []LowDisk { return []LowDisk{{Folder: "/data"}} }
	row := mailTo(ann, bob)
	row.Hook = input.Given(n.hooks.URL)
	n.sendTo(row, notice.BackupFailed, notice.DiskFull)
	var running sync.WaitGroup
	for range 5 {
		instance := n.instance()
		instance.options.Logger = slog.New(slog.DiscardHandler)
		running.Go(func() {
			for range 3 {
				instance.round(t.Context())
			}
		})
	}
	running.Wait()
	got := n.mails()
	slices.Sort(got)
	want := []string{
		ann + " backup_failed: backup", ann + " disk_nearly_full: host:/data", bob + " backup_failed: backup", bob + " disk_nearly_full: host:/data",
	}
	if !slices.Equal(got, want) || len(n.hooks.received()) != 2 {
		t.Errorf("%q, %d hooks", got, len(n.hooks.received()))
	}
}

func TestRemovedAddress(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.mail.set(mailConduct{recipient: func(string) string { return "451 4.3.0 later" }})
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.sendTo(mailTo(ann, bob), notice.BackupFailed)
	n.pass(0)
	n.sendTo(mailTo(bob), notice.BackupFailed)
	n.mail.set(mailConduct{})
	n.pass(time.Minute)
	n.wantMails(bob + " backup_failed: backup")
	latest, err := n.Latest(t.Context())
	n.must(err)
	for _, message := range latest {
		if message.Target == ann && message.State != notice.Removed {
			t.Errorf("%+v", message)
		}
	}
}

// Nothing waits for a server that does not respond: changes are made meanwhile, and a stop ends the attempt.
func TestRequestsDoNotWait(t *testing.T) {
	t.Parallel()
	n := open(t)
	waiting, released := make(chan struct{}), make(chan struct{})
	var once sync.Once
	n.mail.set(mailConduct{greets: func() {
		once.Do(func() { close(waiting) })
		<-released
	}})
	defer close(released)
	n.sources.Backup = func() string { return "the folder is gone" }
	n.restart()
	n.sendTo(mailTo(ann), notice.BackupFailed)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { n.Run(ctx) })
	<-waiting
	n.instrument("M-1", "2026-02-07")
	n.sendTo(mailTo(bob), notice.BackupFailed)
	if _, err := n.Latest(t.Context()); err != nil {
		t.Error(err)
	}
	stop()
	running.Wait()
	if n.Status().Failures > 0 {
		t.Error("a stop counts as a failure of the server")
	}
}

func TestMailsHaveTheLogoOfTheShop(t *testing.T) {
	t.Parallel()
	n := open(t)
	var picture bytes.Buffer
	n.must(png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 60, 30))))
	file, err := n.Keeper.Upload(t.Context(), &picture)
	n.must(err)
	_, err = n.SetOrganization(t.Context(), shop.OrganizationInput{
		Name: input.Given("Müller"), Address: input.Given("Lindau"), Lang: input.Given("de"), Logo: input.Given(file.SHA256),
	})
	n.must(err)
	n.set(n.rowsFor(mailTo(ann), notice.UnitsHeld))
	_, err = n.Try(t.Context(), TrialInput{Kind: input.Given("units_held")})
	n.must(err)
	parts := map[string]string{}
	mail := n.mail.mails()[0]
	collectParts(t, textproto.MIMEHeader(mail.Header), strings.NewReader(mail.text), parts)
	if logo, err := png.DecodeConfig(strings.NewReader(parts["image/png <logo>"])); err != nil || logo.Width != 60 {
		t.Errorf("%+v, %v in %q", logo, err, parts)
	}
}

func TestTrial(t *testing.T) {
	t.Parallel()
	n := open(t)
	row := mailTo(ann, bob)
	row.Hook, row.Enabled = input.Given(n.hooks.URL), input.Given(false)
	in := n.rowsFor(row, notice.UnitsHeld)
	in.QuietFrom, in.QuietTo = input.Given("00:00"), input.Given("23:59")
	n.set(in)
	n.mail.set(mailConduct{recipient: func(to string) string {
		if to == bob {
			return "550 5.1.1 no such user"
		}
		return "250 ok"
	}})
	tried, err := n.Try(t.Context(), TrialInput{Kind: input.Given("units_held")})
	n.must(err)
	if len(tried.Results) != 3 || !tried.Results[0].Delivered || !strings.Contains(tried.Results[0].Answer, "queued as 4711") ||
		tried.Results[1].Delivered || !strings.Contains(tried.Results[1].Answer, "no such user") ||
		!tried.Results[2].Delivered || tried.Results[2].Answer != "200 OK" {
		t.Errorf("%+v", tried)
	}
	if hooks := n.hooks.received(); len(hooks) != 1 || !hooks[0].body.Data.Test {
		t.Errorf("%+v", hooks)
	}
	if _, err := n.Try(t.Context(), TrialInput{Kind: input.Given("backup_failed")}); shoptest.Refused(err) == nil {
		t.Errorf("without an address: %v", err)
	}
	n.options.Mailer, n.options.Hooks = nil, nil
	tried, err = n.Try(t.Context(), TrialInput{Kind: input.Given("units_held")})
	n.must(err)
	if tried.Results[0].Answer != "mails need --smtp-server" || tried.Results[2].Answer != "web hooks need --webhook-secret-file" {
		t.Errorf("without servers: %+v", tried)
	}
}
