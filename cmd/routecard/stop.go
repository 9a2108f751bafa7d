package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// untilSignal returns a context that ends at the first SIGINT or SIGTERM. After that, signals have their default effect again.
func untilSignal(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// The time for which a command may continue after the first signal. The service lets requests finish for stopTimeout; the systemd unit
// waits two seconds longer than serviceEnd.
const (
	stopTimeout = 10 * time.Second
	commandEnd  = 5 * time.Second
	serviceEnd  = 18 * time.Second
)

// endLate ends the process if a command has not returned within a limit after the signal that asks it to stop. The command may be waiting
// for a network share that does not respond, and no context can interrupt that.
func endLate(ctx context.Context, limit time.Duration, stderr io.Writer) (returned func()) {
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		select {
		case <-ended:
		case <-time.After(limit):
			fmt.Fprintf(stderr, "routecard: it did not stop within %s and was ended\n", limit)
			os.Exit(1) //nolint:revive // nothing else can end a goroutine that waits in a system call
		}
	})
	return func() { close(ended) }
}

// serve responds to requests until the process is asked to stop, and then lets the requests in flight finish. If they take too long, it
// calls cutOff.
func serve(w *world, server *http.Server, listener net.Listener, logger *slog.Logger, cutOff func()) error {
	failed := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			failed <- server.ServeTLS(listener, "", "")
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err := <-failed:
		return errors.Join(err, server.Close())
	case <-w.ctx.Done():
	}
	w.urgent()
	logger.Info("stopping; a second signal ends it at once")
	stopping, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		cutOff()
		logger.Warn("requests were still in flight and are cut off", "error", err)
		if err := server.Close(); err != nil {
			logger.Warn("closing connections", "error", err)
		}
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
