package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// The floor for HTTP is this program in another process, with a handler that only writes bytes: GET /floor/{name} returns the bytes of PUT
// /floor/{name}. No server on net/http can be faster.

// floorVariable is the environment variable that makes the program the floor when it starts itself.
const floorVariable = "ROUTECARD_BENCH_FLOOR"

// runFloor is the main function of the floor's process. It serves requests until it receives a signal to stop.
func runFloor(ctx context.Context, stdout io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "floor on http://%s\n", listener.Addr())
	server := &http.Server{Handler: floorHandler()} //nolint:gosec // only its parent process connects to it
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// answerFloor is the floor's response under one name: a sample of a body, repeated up to its length.
type answerFloor struct {
	sample []byte
	length int64
}

// streamPiece is the size of the pieces in which long responses are written, as in the service.
const streamPiece = 32 << 10

func floorHandler() http.Handler {
	answers := map[string]*answerFloor{} // written before any read, because a case prepares the floor first
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("PUT /floor/{name}", func(_ http.ResponseWriter, r *http.Request) {
		sample, _ := io.ReadAll(r.Body)
		length, _ := strconv.ParseInt(r.URL.Query().Get("length"), 10, 64)
		answers[r.PathValue("name")] = &answerFloor{sample, length}
	})
	mux.HandleFunc("GET /floor/{name}", func(w http.ResponseWriter, r *http.Request) {
		answer := answers[r.PathValue("name")]
		w.Header().Set("Content-Type", "application/json")
		if answer.length == int64(len(answer.sample)) && len(answer.sample) <= streamPiece {
			w.Header().Set("Content-Length", strconv.Itoa(len(answer.sample)))
			_, _ = w.Write(answer.sample)
			return
		}
		for written := int64(0); written < answer.length; {
			from := int(written % int64(len(answer.sample)))
			piece := answer.sample[from:min(from+streamPiece, len(answer.sample))]
			piece = piece[:min(int64(len(piece)), answer.length-written)]
			if _, err := w.Write(piece); err != nil {
				return
			}
			written += int64(len(piece))
		}
	})
	return mux
}

func startFloor(ctx context.Context) (*measured, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, program)
	command.Env = append(os.Environ(), floorVariable+"=http")
	command.Stderr = os.Stderr
	p, err := start(command)
	if err != nil {
		return nil, fmt.Errorf("start the floor: %w", err)
	}
	return p, nil
}

// sampleLimit is the size of the sample that the floor repeats.
const sampleLimit = 1 << 20

// learn makes the floor return the same bytes as the service, and returns the path to request.
func learn(floor *measured, name string, sample []byte, length int64) (path string, err error) {
	path = "/floor/" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPut,
		floor.base+path+"?length="+strconv.FormatInt(length, 10), bytes.NewReader(sample))
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	return path, response.Body.Close()
}

// sampler stores the first bytes of a body.
type sampler struct{ bytes []byte }

func (s *sampler) Write(b []byte) (int, error) {
	s.bytes = append(s.bytes, b[:min(len(b), sampleLimit-len(s.bytes))]...)
	return len(b), nil
}
