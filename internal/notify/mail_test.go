package notify

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"time"

	gomail "github.com/wneessen/go-mail"
)

func mailerOf(t *testing.T, options MailOptions) *Mailer {
	t.Helper()
	mailer, err := NewMailer(options)
	if err != nil {
		t.Fatal(err)
	}
	return mailer
}

var aLetter = letter{
	id: "ntc_1", to: "ann@shop.example", sender: "Müller & Söhne", subject: "Sicherung fehlgeschlagen – Ölwanne", text: "Zeile 1\n.\nLänge\n",
	at: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC),
}

func TestMail(t *testing.T) {
	t.Parallel()
	server := startMail(t, true)
	server.set(mailConduct{auth: "routecard s3cret"})
	answer, delivered, err := mailerOf(t, server.options()).send(t.Context(), aLetter)
	if err != nil || !delivered || !strings.Contains(answer, "queued as 4711") {
		t.Fatalf("%q, %t, %v", answer, delivered, err)
	}
	got := server.mails()
	if len(got) != 1 || !got[0].encrypted || got[0].user != "routecard" || got[0].to != "ann@shop.example" {
		t.Fatalf("%+v", got)
	}
	if got[0].subject() != aLetter.subject || got[0].text != aLetter.text {
		t.Errorf("%s: %q", got[0].subject(), got[0].text)
	}
	for name, want := range map[string]string{
		"Message-ID": "<ntc_1@shop.example>", "Date": "Sat, 31 Jan 2026 09:30:00 +0000", "Auto-Submitted": "auto-generated",
		"To": "<ann@shop.example>", "Content-Type": "text/plain; charset=UTF-8",
	} {
		if got := got[0].Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	from, err := got[0].Header.AddressList("From")
	if err != nil || len(from) != 1 || from[0].Name != aLetter.sender || from[0].Address != "routecard@shop.example" {
		t.Errorf("from %v, %v", from, err)
	}
}

// A text from the database cannot add a header or a recipient.
func TestMailHasNoInjectedHeaders(t *testing.T) {
	t.Parallel()
	server := startMail(t, false)
	evil := "x\r\nBcc: eve@evil.example\r\n\r\nbody\u2028y\x00"
	l := aLetter
	l.sender, l.subject = evil, evil
	if _, _, err := mailerOf(t, server.options()).send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	got := server.mails()[0]
	names := []string{}
	for name := range got.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{
		"Auto-Submitted", "Content-Transfer-Encoding", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To",
		"User-Agent", "X-Mailer",
	}
	if !slices.Equal(names, want) || got.text != aLetter.text {
		t.Errorf("headers %q, text %q", names, got.text)
	}
	for _, to := range []string{"ann@shop.example\r\nBcc: eve@evil.example", "ann@shop.example, eve@evil.example", ""} {
		l.to = to
		if _, delivered, err := mailerOf(t, server.options()).send(t.Context(), l); err == nil || delivered {
			t.Errorf("%q is a recipient", to)
		}
	}
}

func TestMailIsEncrypted(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]gomail.TLSPolicy{
		"mail.example.com:587": gomail.TLSMandatory, "10.0.0.1:25": gomail.TLSMandatory, "localhost:25": gomail.TLSOpportunistic,
		"127.0.0.1:25": gomail.TLSOpportunistic, "[::1]:25": gomail.TLSOpportunistic, "localhost.example.com:25": gomail.TLSMandatory,
	} {
		options := MailOptions{Server: server, From: "a@b.example"}
		if got := mailerOf(t, options).policy; got != want {
			t.Errorf("%s: %v", server, got)
		}
		options.ClearText = true
		if got := mailerOf(t, options).policy; got != gomail.TLSOpportunistic {
			t.Errorf("%s with clear text: %v", server, got)
		}
	}
	plain := startMail(t, false)
	mailer := mailerOf(t, plain.options())
	mailer.policy = gomail.TLSMandatory
	if _, delivered, err := mailer.send(t.Context(), aLetter); err == nil || delivered || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("without STARTTLS: %t, %v", delivered, err)
	}
	plain.set(mailConduct{auth: "routecard s3cret"})
	if _, delivered, err := mailerOf(t, plain.options()).send(t.Context(), aLetter); err == nil || delivered {
		t.Error("the password was sent unencrypted")
	}
	stranger := startMail(t, true)
	options := stranger.options()
	options.TLS = nil
	if _, delivered, err := mailerOf(t, options).send(t.Context(), aLetter); err == nil || delivered || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with an unknown certificate: %t, %v", delivered, err)
	}
	if len(plain.mails())+len(stranger.mails()) > 0 {
		t.Error("a mail was delivered")
	}
}

func TestMailServersThatDoNotAccept(t *testing.T) {
	t.Parallel()
	refusing := startMail(t, false)
	refusing.set(mailConduct{recipient: func(string) string { return "550 5.1.1 no such user" }})
	full := startMail(t, false)
	full.set(mailConduct{accepts: func(string) string { return "452 4.2.2 mailbox full" }})
	closing := startMail(t, false)
	closing.set(mailConduct{accepts: func(string) string { return "" }})
	lying := startMail(t, false)
	lying.set(mailConduct{accepts: func(string) string { return "what?" }})
	locked := startMail(t, true)
	locked.set(mailConduct{auth: "routecard other"})
	wrong := locked.options()
	wrong.Password = "wrong"
	for name, one := range map[string]struct {
		options MailOptions
		want    string
	}{
		"refusing": {refusing.options(), "no such user"}, "full": {full.options(), "mailbox full"}, "closing": {closing.options(), "EOF"},
		"lying": {lying.options(), "what?"}, "locked": {wrong, "wrong password"},
	} {
		if _, delivered, err := mailerOf(t, one.options).send(t.Context(), aLetter); err == nil || delivered || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: %t, %v", name, delivered, err)
		}
	}
	accepting := startMail(t, false)
	accepting.set(mailConduct{closesAfter: true})
	if answer, delivered, _ := mailerOf(t, accepting.options()).send(t.Context(), aLetter); !delivered || !strings.Contains(answer, "4711") {
		t.Errorf("a mail that was accepted counts as not delivered: %q", answer)
	}
}

// A server that accepts a connection and then says nothing occupies the sender until the context ends, and no longer.
func TestSilentMailServer(t *testing.T) {
	t.Parallel()
	server := startMail(t, false)
	ctx, cancel := context.WithCancel(t.Context())
	released := make(chan struct{})
	defer close(released)
	server.set(mailConduct{greets: func() {
		cancel()
		<-released
	}})
	if _, delivered, err := mailerOf(t, server.options()).send(ctx, aLetter); err == nil || delivered {
		t.Errorf("%t, %v", delivered, err)
	}
}

func TestMailSettings(t *testing.T) {
	t.Parallel()
	for _, wrong := range []MailOptions{
		{}, {Server: "mail.example.com", From: "a@b.example"}, {Server: "mail.example.com:0", From: "a@b.example"}, {Server: ":25", From: "a@b.example"},
		{Server: "mail.example.com:25"}, {Server: "mail.example.com:25", From: "Ann <a@b.example>"}, {Server: "mail.example.com:25", From: "x"},
		{Server: "mail.example.com:25", From: "a@b.example", User: "u"}, {Server: "mail.example.com:25", From: "a@b.example", Password: "p"},
	} {
		if _, err := NewMailer(wrong); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := MailOptions{Server: listener.Addr().String(), From: "a@b.example", User: "u", Password: "s3cret"}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	mailer := mailerOf(t, dead)
	if _, delivered, err := mailer.send(t.Context(), aLetter); err == nil || delivered || strings.Contains(err.Error()+mailer.String(), "s3cret") {
		t.Errorf("%t, %v", delivered, err)
	}
}

// A letter with a logo is text for programs that show no pictures, and the same text under the logo for others.
func TestMailHasTheLogo(t *testing.T) {
	t.Parallel()
	server := startMail(t, true)
	l := aLetter
	l.text, l.logo = "Gauge <7> is due\nCalibrate it\n", []byte("\x89PNG logo")
	if _, _, err := mailerOf(t, server.options()).send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	collectParts(t, textproto.MIMEHeader(server.mails()[0].Header), strings.NewReader(server.mails()[0].text), parts)
	if got := strings.ReplaceAll(parts["text/plain"], "\r\n", "\n"); got != l.text {
		t.Errorf("the text is %q", got)
	}
	if html := parts["text/html"]; !strings.Contains(html, `src="cid:logo"`) || !strings.Contains(html, `alt="Müller &amp; Söhne"`) ||
		!strings.Contains(html, "Gauge &lt;7&gt; is due") {
		t.Errorf("the page is %q", html)
	}
	if got := parts["image/png <logo>"]; got != string(l.logo) {
		t.Errorf("the logo is %q in %q", got, parts)
	}
}

// collectParts collects the parts of a mail by type and Content-ID.
func collectParts(t *testing.T, header textproto.MIMEHeader, body io.Reader, parts map[string]string) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		if header.Get("Content-Transfer-Encoding") == "base64" {
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		parts[strings.TrimSpace(kind+" "+header.Get("Content-Id"))] = string(text)
		return
	}
	for reader := multipart.NewReader(body, parameters["boundary"]); ; {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		collectParts(t, part.Header, part, parts)
	}
}
