package dossier_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/web/lang"
)

// firefox is a headless Firefox, driven by its protocol Marionette: each message is its length, a colon, and JSON.
type firefox struct {
	*testing.T
	conn net.Conn
	from *bufio.Reader
	sent int
}

// openFirefox starts Firefox with an empty profile, or skips the test.
func openFirefox(t *testing.T) *firefox {
	t.Helper()
	program := process.Find(t, "firefox-esr", "firefox-esr", "firefox")
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(`user_pref("marionette.port", 0);`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	command := exec.CommandContext(ctx, program, "--headless", "--marionette", "--no-remote", "--profile", profile)
	command.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // it was killed
	})
	f := &firefox{T: t}
	lines := bufio.NewScanner(output)
	for f.conn == nil && lines.Scan() {
		_, port, found := strings.Cut(lines.Text(), "Listening on port ")
		if !found {
			continue
		}
		dialer := net.Dialer{}
		if f.conn, err = dialer.DialContext(ctx, "tcp", "127.0.0.1:"+strings.TrimSpace(port)); err != nil {
			t.Fatal(err)
		}
	}
	if f.conn == nil {
		t.Fatal("Firefox does not listen")
	}
	go func() { _, _ = io.Copy(io.Discard, output) }() // ends with the program
	t.Cleanup(func() { _ = f.conn.Close() })
	if deadline, limited := ctx.Deadline(); limited {
		err = f.conn.SetDeadline(deadline)
	}
	f.from = bufio.NewReader(f.conn)
	if _, greetErr := f.message(); err != nil || greetErr != nil {
		t.Fatal(err, greetErr)
	}
	f.do("WebDriver:NewSession", map[string]any{}, nil)
	return f
}

func (f *firefox) message() ([]byte, error) {
	length, err := f.from.ReadString(':')
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	text := make([]byte, size)
	_, err = io.ReadFull(f.from, text)
	return text, err
}

// do sends a command and reads the value of its response.
func (f *firefox) do(command string, parameters map[string]any, value any) {
	f.Helper()
	f.sent++
	text, err := json.Marshal([]any{0, f.sent, command, parameters})
	if err == nil {
		_, err = fmt.Fprintf(f.conn, "%d:%s", len(text), text)
	}
	if err == nil {
		text, err = f.message()
	}
	var answer [4]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || string(answer[2]) != "null" {
		f.Fatalf("%s: %v %s", command, err, answer[2])
	}
	if value != nil {
		err = json.Unmarshal(answer[3], &struct{ Value any }{value})
	}
	if err != nil {
		f.Fatalf("%s: %v: %s", command, err, answer[3])
	}
}

// In Firefox the page proves a dossier, and proves neither a changed one nor one with another key.
func TestVerifyPageInFirefox(t *testing.T) {
	t.Parallel()
	f := openFirefox(t)
	german, _ := lang.Find(lang.Languages(), "de")
	page, err := dossier.VerifyPage(german)
	file := filepath.Join(t.TempDir(), "verify.html")
	if err == nil {
		err = os.WriteFile(file, page, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, other := aShop(t, "shop.example"), aShop(t, "shop.example")
	archive := written(t, l.content(10))
	changed := []byte(strings.Replace(string(archive), "flange.png", "flange.PNG", 1))
	f.do("WebDriver:Navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: file}).String()}, nil)
	for _, test := range []struct {
		archive    []byte
		key, state string
		heading    string
	}{
		{archive, l.key, "proved", "Nachgewiesen: das Dossier zu SN-00001"},
		{changed, l.key, "not-proved", "NICHT NACHGEWIESEN: das Dossier zu SN-00001"},
		{archive, other.key, "not-proved", "NICHT NACHGEWIESEN: das Dossier zu SN-00001"},
	} {
		var shown []string
		f.do("WebDriver:ExecuteAsyncScript", map[string]any{
			"script": `const [text, key, done] = arguments;
				const files = new DataTransfer(), result = document.querySelector("#result");
				files.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "dossier.zip"));
				document.querySelector("#zip").files = files.files;
				document.querySelector("#key").value = key;
				const watch = new MutationObserver(() => {
					const heading = result.querySelector("h2");
					if (heading && result.className !== "") { watch.disconnect(); done([result.className, heading.textContent]); }
				});
				result.className = "";
				result.replaceChildren();
				watch.observe(result, { childList: true, subtree: true });
				document.querySelector("#verify").click();`,
			"args": []any{base64.StdEncoding.EncodeToString(test.archive), test.key},
		}, &shown)
		if len(shown) != 2 || shown[0] != test.state || shown[1] != test.heading {
			t.Errorf("%q, want %s: %s", shown, test.state, test.heading)
		}
	}
}
