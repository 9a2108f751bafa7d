// Package load drives a server from the same machine with little processor time of its own: requests are bytes, responses are counted and
// discarded, and one connection is one caller.
package load

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client is one keep-alive connection that speaks just enough HTTP/1.1 for responses to GET, POST and the like. It is for one goroutine at
// a time.
type Client struct {
	conn   net.Conn
	reader *bufio.Reader
	host   string
	prefix string
	token  string // "" for none
	buffer []byte
}

// Dial connects to a base URL such as http://127.0.0.1:8080. The path of the URL precedes that of every request. A user name in the URL is
// the token, as in http://rcd_...@127.0.0.1:8080.
func Dial(base string) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("%q is not an address of the form http://host:port", base)
	}
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), "80")
	}
	conn, err := net.Dial("tcp", address) //nolint:noctx // a server on the same machine accepts or refuses at once
	if err != nil {
		return nil, err
	}
	client := newClient(conn, u.Host, strings.TrimSuffix(u.EscapedPath(), "/"))
	client.token = u.User.Username()
	return client, nil
}

func newClient(conn net.Conn, host, prefix string) *Client {
	return &Client{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10), host: host, prefix: prefix}
}

// Close ends the connection.
func (c *Client) Close() { _ = c.conn.Close() }

// Request is a request of a caller: a body, or none for "".
type Request struct {
	Method, Path, Body string
	Key                string // the request's Idempotency-Key, "" for none
	Type               string // the content type of the body; "" for JSON
}

// Answer is the result of a request.
type Answer struct {
	Status    int
	Bytes     int64         // the length of the body
	FirstByte time.Duration // from the last byte of the request to the first of the response
}

// errAnswer is the error for bytes that are not an HTTP response.
var errAnswer = errors.New("the answer is not HTTP/1.1")

// Do sends one request and reads its response. The body goes to keep, or nowhere when keep is nil. After an error the connection is of no
// further use.
func (c *Client) Do(r Request, keep io.Writer) (Answer, error) {
	b := c.buffer[:0]
	b = append(b, r.Method...)
	b = append(b, ' ')
	b = append(b, c.prefix...)
	b = append(b, r.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, c.host...)
	if c.token != "" {
		b = append(b, "\r\nAuthorization: Bearer "...)
		b = append(b, c.token...)
	}
	if r.Key != "" {
		b = append(b, "\r\nIdempotency-Key: "...)
		b = append(b, r.Key...)
	}
	if r.Body != "" {
		b = append(b, "\r\nContent-Type: "...)
		b = append(b, cmp.Or(r.Type, "application/json")...)
		b = append(b, "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	}
	b = append(b, "\r\n\r\n"...)
	b = append(b, r.Body...)
	c.buffer = b
	if _, err := c.conn.Write(b); err != nil {
		return Answer{}, err
	}
	if keep == nil {
		keep = io.Discard
	}
	return c.read(time.Now(), keep)
}

func (c *Client) read(sent time.Time, keep io.Writer) (Answer, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return Answer{}, err
	}
	a := Answer{FirstByte: time.Since(sent)}
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return a, errAnswer
	}
	if a.Status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return a, errAnswer
	}
	length, err := c.header()
	if err != nil {
		return a, err
	}
	if length == chunked {
		a.Bytes, err = c.chunks(keep)
	} else {
		a.Bytes, err = io.CopyN(keep, c.reader, length)
	}
	return a, err
}

// chunked stands for the length of a body that comes in pieces.
const chunked = -1

// header reads up to the empty line and returns the length of the body that follows.
func (c *Client) header() (length int64, err error) {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")) && length != chunked:
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil || length < 0 {
				return 0, errAnswer
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = chunked
		}
	}
}

func (c *Client) chunks(keep io.Writer) (total int64, err error) {
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseInt(string(bytes.TrimSpace(digits)), 16, 64)
		if err != nil || size < 0 {
			return total, errAnswer
		}
		if size == 0 {
			_, err := c.header() // fields after the body, of which there are none as a rule
			return total, err
		}
		n, err := io.CopyN(keep, c.reader, size)
		if total += n; err != nil {
			return total, err
		}
		if _, err := c.reader.Discard(len("\r\n")); err != nil {
			return total, err
		}
	}
}
