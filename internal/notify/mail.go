package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// MailOptions are the settings of a mail server.
type MailOptions struct {
	Server   string // host:port
	User     string // "" for a server without authentication
	Password string
	From     string // the address of the sender
	// ClearText allows mails to a server that offers no encryption. Passwords are never sent unencrypted.
	ClearText bool
	TLS       *tls.Config // nil for the usual configuration
}

// Mailer sends mails with SMTP. It is safe for concurrent use: each mail has its own connection.
type Mailer struct {
	options MailOptions
	host    string
	port    int
	policy  gomail.TLSPolicy
	form    *template.Template
}

// NewMailer checks the settings, and connects to nothing.
func NewMailer(options MailOptions) (*Mailer, error) {
	host, portText, err := net.SplitHostPort(options.Server)
	port, wrong := strconv.ParseUint(portText, 10, 16)
	if err != nil || wrong != nil || host == "" || port == 0 {
		return nil, fmt.Errorf("--smtp-server must be a host and a port such as mail.example.com:587, not %q", options.Server)
	}
	if from, err := mail.ParseAddress(options.From); err != nil || from.Name != "" || from.Address != options.From {
		return nil, fmt.Errorf("--smtp-from must be a mail address such as routecard@example.com, not %q", options.From)
	}
	if (options.User == "") != (options.Password == "") {
		return nil, errors.New("--smtp-user and --smtp-password-file belong together")
	}
	form, err := template.New("letter").Parse(letterForm)
	if err != nil {
		return nil, err
	}
	m := &Mailer{options: options, host: host, port: int(port), policy: gomail.TLSMandatory, form: form}
	if ip := net.ParseIP(host); options.ClearText || host == "localhost" || ip != nil && ip.IsLoopback() {
		m.policy = gomail.TLSOpportunistic
	}
	return m, nil
}

// String describes the server without its secrets.
func (m *Mailer) String() string { return m.options.Server + ", " + m.options.From }

// mailTime is the time limit for sending one mail.
const mailTime = 20 * time.Second

// letter is a mail.
type letter struct {
	id, to  string
	sender  string // the name of the sender
	subject string
	text    string
	logo    []byte // a PNG; nil for a mail of text alone
	at      time.Time
}

// letterForm is the form of a letter with a logo.
const letterForm = `<p><img src="cid:logo" alt="{{.Sender}}" style="max-height:64px;max-width:240px"></p>
<div style="white-space:pre-wrap;font-family:sans-serif">{{.Text}}</div>`

// send sends a letter, and returns the response of the server. delivered is true if the server has accepted the letter; there may be an
// error nevertheless.
func (m *Mailer) send(ctx context.Context, l letter) (answer string, delivered bool, err error) {
	message, err := m.message(l)
	if err != nil {
		return "", false, err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	client, err := gomail.NewClient(m.host, append(m.clientOptions(), gomail.WithDialContextFunc(dialing(ctx)))...)
	if err != nil {
		return "", false, err
	}
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err == nil {
		if err = client.SendWithSMTPClient(connection, message); err == nil {
			_ = client.CloseWithSMTPClient(connection) // the letter was accepted
		}
	}
	if message.IsDelivered() {
		return shortened(message.ServerResponse()), true, err
	}
	if ctx.Err() != nil && errors.Is(err, net.ErrClosed) {
		err = fmt.Errorf("the server did not respond within %s: %w", mailTime, ctx.Err())
	}
	if err == nil {
		err = errors.New("the mail was not delivered")
	}
	return "", false, err
}

func (m *Mailer) clientOptions() []gomail.Option {
	options := []gomail.Option{
		gomail.WithPort(m.port), gomail.WithTLSPolicy(m.policy), gomail.WithTimeout(mailTime),
	}
	if m.options.TLS != nil {
		options = append(options, gomail.WithTLSConfig(m.options.TLS))
	}
	if m.options.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(m.options.User),
			gomail.WithPassword(m.options.Password))
	}
	return options
}

// dialing returns a function that connects. The connection is closed when ctx ends, so that a server that accepts a connection and never
// speaks occupies nothing: the library has no time limit for its greeting.
func dialing(ctx context.Context) gomail.DialContextFunc {
	return func(dial context.Context, network, address string) (net.Conn, error) {
		connection, err := (&net.Dialer{}).DialContext(dial, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { _ = connection.Close() })
		}
		return connection, err
	}
}

// message returns a letter in the form of MIME. Headers have no control characters, so that a text cannot add a header.
func (m *Mailer) message(l letter) (*gomail.Msg, error) {
	message := gomail.NewMsg()
	if err := message.FromFormat(oneLine(l.sender), m.options.From); err != nil {
		return nil, fmt.Errorf("the sender: %w", err)
	}
	if err := message.To(l.to); err != nil {
		return nil, fmt.Errorf("the recipient: %w", err)
	}
	domain := m.options.From[strings.LastIndexByte(m.options.From, '@')+1:]
	message.SetMessageIDWithValue(l.id + "@" + domain)
	message.SetDateWithValue(l.at)
	message.Subject(oneLine(l.subject))
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, l.text)
	if l.logo == nil {
		return message, nil
	}
	if err := message.AddAlternativeHTMLTemplate(m.form, map[string]string{"Sender": l.sender, "Text": l.text}); err != nil {
		return nil, err
	}
	err := message.EmbedReader("logo.png", bytes.NewReader(l.logo),
		gomail.WithFileContentID("<logo>"), gomail.WithFileContentType("image/png"))
	return message, err
}

// oneLine replaces control characters by blanks.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			return ' '
		}
		return c
	}, text)
}

// shortened returns the beginning of a response on one line.
func shortened(text string) string {
	const most = 1 << 10
	text = strings.TrimSpace(oneLine(strings.ToValidUTF8(text, "�")))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
