package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/internal/webhook"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// noticeSettings are the flags of the servers that notices go to. Administrators set the recipients under /settings/notices.
type noticeSettings struct {
	SMTPServer        string   `name:"smtp-server" help:"Mail server that notices go to, with STARTTLS. Default: none." placeholder:"HOST:PORT"`
	SMTPUser          string   `name:"smtp-user" help:"User name at the mail server. Default: no authentication." placeholder:"NAME"`
	SMTPPasswordFile  string   `name:"smtp-password-file" help:"File with the password, and nothing else." placeholder:"FILE"`
	SMTPFrom          string   `name:"smtp-from" help:"Mail address of the sender." placeholder:"ADDRESS"`
	SMTPClearText     bool     `name:"smtp-clear-text" help:"Send mails without encryption if the server offers none. Passwords are never sent unencrypted."`
	WebhookSecretFile string   `help:"File with the secret that signs web hooks: whsec_ and 24 to 64 bytes in Base64. Default: no web hooks." placeholder:"FILE"`
	WebhookAllow      []string `help:"Networks and host names that web hooks may go to although they are private or unencrypted." placeholder:"NETWORK"`
}

// noticeServers are the servers in the settings.
type noticeServers struct {
	mailer *notify.Mailer  // nil without a mail server
	hooks  *webhook.Sender // nil without a secret
	policy webhook.Policy
}

// servers reads the settings and their files, and connects to nothing.
func (s *noticeSettings) servers(logger *slog.Logger) (found noticeServers, err error) {
	if found.policy, err = webhook.ParsePolicy(s.WebhookAllow); err != nil {
		return found, fmt.Errorf("--webhook-allow: %w", err)
	}
	if s.WebhookSecretFile != "" {
		text, err := readToken(s.WebhookSecretFile, "web hooks", logger)
		if err != nil {
			return found, fmt.Errorf("--webhook-secret-file: %w", err)
		}
		secret, err := webhook.ParseSecret(string(text))
		if err != nil {
			return found, fmt.Errorf("--webhook-secret-file %s: %w", s.WebhookSecretFile, err)
		}
		found.hooks = &webhook.Sender{Policy: found.policy, Secret: secret}
	}
	if s.SMTPServer == "" {
		if s.SMTPUser != "" || s.SMTPPasswordFile != "" || s.SMTPFrom != "" {
			return found, errors.New("notices: --smtp-server is missing")
		}
		return found, nil
	}
	options := notify.MailOptions{Server: s.SMTPServer, User: s.SMTPUser, From: s.SMTPFrom, ClearText: s.SMTPClearText}
	if s.SMTPPasswordFile != "" {
		password, err := readPassword(s.SMTPPasswordFile, "the mail server", logger)
		if err != nil {
			return found, fmt.Errorf("--smtp-password-file: %w", err)
		}
		options.Password = string(password)
	}
	found.mailer, err = notify.NewMailer(options)
	return found, err
}

// notifier makes the notifier of the service.
func (c *serveCommand) notifier(
	service *shop.Service, shown *views.Views, servers noticeServers, languages []*lang.Language, seals *sealer.Sealer,
	backups *backup.Keeper, logger *slog.Logger,
) *notify.Notifier {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	sources := notify.Sources{Disks: c.lowDisks, Host: host, Held: shown.LongestHeld}
	if backups != nil {
		sources.Backup = backups.Degraded
	}
	if seals != nil {
		sources.Trail = func() string { return alteredTrail(seals.Status()) }
	}
	return notify.New(notify.Options{
		Service: service, Sources: sources, Mailer: servers.mailer, Hooks: servers.hooks, Logger: logger,
		URL: strings.TrimSuffix(withoutSecrets(c.PublicURL), "/"), Alone: !sqlstore.IsPostgres(c.Database),
		Write: func(letter notify.Letter) (subject, text string) { return wording.NoticeLetter(languages, letter) },
	})
}

// alteredTrail describes how the trail differs from what was sealed; "" if it does not.
func alteredTrail(status sealer.Status) string {
	switch {
	case status.Trouble != "":
		return status.Trouble
	case len(status.Findings) > 0:
		return status.Findings[0].Text
	}
	return ""
}

// lowDisks returns the folders of the service whose disks are nearly full, by the rule of doctor.
func (c *serveCommand) lowDisks() (low []notify.LowDisk) {
	for _, one := range foldersOf(c.Database, c.Files, c.BackupDir) {
		folder := one[1]
		space, err := roomIn(folder)
		if err != nil {
			continue // the system cannot be asked, or the folder is missing, which other parts of the service report
		}
		if v, _ := space.verdict(); v != allWell {
			low = append(low, notify.LowDisk{Folder: folder, Free: bytesText(space.free) + " / " + bytesText(space.total)})
		}
	}
	return low
}

// foldersOf returns the folders that a service writes to, each with its purpose.
func foldersOf(database, attached, backups string) (all [][2]string) {
	if !sqlstore.IsPostgres(database) {
		all = append(all, [2]string{"database", filepath.Dir(database)})
	}
	if attached != "" && !files.IsS3(attached) {
		all = append(all, [2]string{"files", attached})
	}
	if backups != "" && !files.IsS3(backups) {
		all = append(all, [2]string{"backups", backups})
	}
	return all
}
