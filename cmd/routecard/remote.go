package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/routecard/routecard/client"
)

// remoteSettings are the flags for the service that a command calls.
type remoteSettings struct {
	URL       string `name:"url" help:"Address of the service." default:"http://127.0.0.1:8080" env:"ROUTECARD_URL" placeholder:"URL"`
	TokenFile string `help:"File with a token, for a service that requires sign-in." env:"ROUTECARD_TOKEN_FILE" placeholder:"FILE"`
}

// remotePatience is the time for which a command repeats a request that gets no response.
const remotePatience = 15 * time.Second

// connect makes a client of the service. It sends no request.
func (s *remoteSettings) connect() (*client.Client, error) {
	settings := client.Settings{Patience: remotePatience}
	if s.TokenFile != "" {
		token, err := os.ReadFile(s.TokenFile)
		if err != nil {
			return nil, err
		}
		settings.Token = strings.TrimSpace(string(token))
	}
	return client.New(s.URL, settings)
}

// asked sets the exit status for the error of a call: 1 if the service refused the request, and 2 if the service could not be reached. It
// reports no error if the user ended the command.
func asked(ctx context.Context, err error) error {
	switch refused, ok := errors.AsType[*client.Error](err); {
	case err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case ok && refused.StatusCode < 500:
		return &exitError{err, 1}
	default:
		return &exitError{fmt.Errorf("the service could not be asked: %w", err), 2}
	}
}

// onTerminal reports whether a stream is a terminal.
func onTerminal(stream any) bool { return terminal(stream) != nil }

// terminal returns the terminal that a stream writes to, for progress lines that overwrite each other; nil if the stream is not a terminal.
func terminal(stream any) io.Writer {
	if text, ok := stream.(*printable); ok {
		stream = text.to
	}
	if file, ok := stream.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}
