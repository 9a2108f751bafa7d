package notify

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"
)

// mailServer is an SMTP server for tests.
type mailServer struct {
	t        *testing.T
	listener net.Listener
	config   *tls.Config // nil: it offers no STARTTLS
	roots    *x509.CertPool
	serving  sync.WaitGroup

	mu sync.Mutex
	mailConduct
	got  []receivedMail
	open map[net.Conn]bool
}

// mailConduct has the responses of a server on the connections that begin from now on.
type mailConduct struct {
	auth        string                   // user and password that it asks for, with a blank between them; "" for none
	recipient   func(to string) string   // the response to RCPT; nil for 250
	accepts     func(text string) string // the response to a mail; "" closes the connection; nil for 250
	greets      func()                   // called before the greeting; nil: it greets at once
	closesAfter bool                     // it closes the connection once it has accepted a mail
}

// set changes how the server responds.
func (s *mailServer) set(conduct mailConduct) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mailConduct = conduct
}

// receivedMail is a mail that the server has accepted.
type receivedMail struct {
	from, to  string
	encrypted bool
	user      string
	*mail.Message

	text string
}

// startMail starts a server. It stops with the test.
func startMail(t *testing.T, encrypted bool) *mailServer {
	t.Helper()
	s := &mailServer{t: t, open: map[net.Conn]bool{}}
	if encrypted {
		s.certify()
	}
	var err error
	if s.listener, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.listener.Close()
		s.mu.Lock()
		for connection := range s.open {
			_ = connection.Close()
		}
		s.mu.Unlock()
		s.serving.Wait()
	})
	s.serving.Go(func() {
		for {
			connection, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open[connection] = true
			s.mu.Unlock()
			s.serving.Go(func() { _ = s.serve(connection); _ = connection.Close() })
		}
	})
	return s
}

func (s *mailServer) certify() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	if err != nil {
		s.t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		s.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		s.t.Fatal(err)
	}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(certificate)
	s.config = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// options are the settings of a client of the server.
func (s *mailServer) options() MailOptions {
	options := MailOptions{Server: s.listener.Addr().String(), From: "routecard@shop.example"}
	if s.config != nil {
		options.TLS = &tls.Config{RootCAs: s.roots, ServerName: "127.0.0.1"}
	}
	options.User, options.Password, _ = strings.Cut(s.auth, " ")
	return options
}

// mails returns the mails that were accepted so far.
func (s *mailServer) mails() []receivedMail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]receivedMail(nil), s.got...)
}

// serve speaks SMTP on one connection.
func (s *mailServer) serve(connection net.Conn) error {
	s.mu.Lock()
	conduct := s.mailConduct
	s.mu.Unlock()
	if conduct.greets != nil {
		conduct.greets()
	}
	var to, from string
	encrypted, user := false, ""
	lines := bufio.NewReader(connection)
	say := func(text string) { _, _ = fmt.Fprintf(connection, "%s\r\n", text) }
	say("220 mail.example ESMTP")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb, rest, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "EHLO":
			offers := []string{"mail.example", "8BITMIME"}
			if s.config != nil && !encrypted {
				offers = append(offers, "STARTTLS")
			}
			if conduct.auth != "" {
				offers = append(offers, "AUTH PLAIN LOGIN")
			}
			for i, offer := range offers {
				if i < len(offers)-1 {
					say("250-" + offer)
				} else {
					say("250 " + offer)
				}
			}
		case "STARTTLS":
			say("220 go ahead")
			connection = tls.Server(connection, s.config)
			lines, encrypted = bufio.NewReader(connection), true
		case "AUTH":
			given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			parts := strings.Split(string(given), "\x00")
			if err != nil || len(parts) != 3 || parts[1]+" "+parts[2] != conduct.auth {
				say("535 5.7.8 wrong password")
				continue
			}
			user = parts[1]
			say("235 welcome")
		case "MAIL":
			from = rest
			say("250 ok")
		case "RCPT":
			to = strings.Trim(strings.TrimPrefix(rest, "TO:"), "<>")
			if conduct.recipient != nil {
				say(conduct.recipient(to))
				continue
			}
			say("250 ok")
		case "DATA":
			say("354 go ahead")
			text, err := readMail(lines)
			if err != nil {
				return err
			}
			response := "250 2.0.0 queued as 4711"
			if conduct.accepts != nil {
				response = conduct.accepts(text)
			}
			if response == "" {
				return errors.New("closed")
			}
			if strings.HasPrefix(response, "250") {
				s.keep(receivedMail{from: from, to: to, encrypted: encrypted, user: user}, text)
			}
			say(response)
			if conduct.closesAfter {
				return errors.New("closed")
			}
		case "QUIT":
			say("221 bye")
			return nil
		default:
			say("250 ok")
		}
	}
}

// readMail reads a mail up to its final dot.
func readMail(lines *bufio.Reader) (string, error) {
	var text strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", err
		}
		if line == ".\r\n" {
			return text.String(), nil
		}
		text.WriteString(strings.TrimPrefix(line, "."))
	}
}

func (s *mailServer) keep(received receivedMail, text string) {
	message, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		s.t.Errorf("the mail cannot be read: %v\n%s", err, text)
		return
	}
	var body io.Reader = message.Body
	if message.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	read, err := io.ReadAll(body)
	if err != nil {
		s.t.Error(err)
	}
	received.Message, received.text = message, strings.ReplaceAll(string(read), "\r\n", "\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, received)
}

// subject returns the decoded subject.
func (m receivedMail) subject() string {
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err.Error()
	}
	return subject
}
