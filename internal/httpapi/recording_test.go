package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recordedAnswers has two digests for each call of the case files from before --auth existed: of the scenario up to the call, and of the
// response. With --auth off the responses must be the same bytes, except for times and random identifiers. Members that were added later
// are removed first: codes and fields of refusals, and the position of the unit in Get Serial. A call whose scenario has changed since is
// not compared.
const recordedAnswers = "testdata/answers.txt"

// recording compares responses with the recorded ones, or records them if ROUTECARD_RECORD has the name of a file.
type recording struct {
	mu       sync.Mutex
	known    map[string]string
	made     map[string]string
	compared int
}

func newRecording(t *testing.T) *recording {
	t.Helper()
	r := &recording{known: map[string]string{}, made: map[string]string{}}
	if text, err := os.ReadFile(recordedAnswers); err == nil {
		for line := range strings.Lines(string(text)) {
			if story, answer, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
				r.known[story] = answer
			}
		}
	}
	t.Cleanup(func() {
		if name := os.Getenv("ROUTECARD_RECORD"); name != "" {
			var text strings.Builder
			for _, story := range slices.Sorted(maps.Keys(r.made)) {
				text.WriteString(story + " " + r.made[story] + "\n")
			}
			if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
			return // only some of the scenarios ran
		}
		if len(r.known) < 500 || r.compared < len(r.known)/2 && !t.Failed() {
			t.Errorf("of %d answers that were recorded, %d were compared", len(r.known), r.compared)
		}
	})
	return r
}

// story is a scenario up to a row.
type story struct {
	recording *recording
	told      [sha256.Size]byte
	drawn     map[string]string
}

func (r *recording) story(name string) *story {
	return &story{recording: r, told: sha256.Sum256([]byte(name)), drawn: map[string]string{}}
}

var (
	toldTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	// Members that were added to Get Serial later: the names of the current and the next step.
	oneSerial    = regexp.MustCompile(`^/api/serials/[^/?]+$`)
	laterMembers = regexp.MustCompile(`,"(currentStepId|currentStepName|nextStepName)":"[^"]*"`)
	drawnID      = regexp.MustCompile(`[a-z]+_[0-9A-HJKMNP-TV-Z]{26}`)
)

func short(sum [sha256.Size]byte) string { return base64.RawURLEncoding.EncodeToString(sum[:9]) }

// tell adds a row, as written in its file, to the digest.
func (s *story) tell(row row) {
	s.told = sha256.Sum256(fmt.Append(s.told[:], "\n", row.sql, "\n", row.method, " ", row.target, "\n", row.header, "\n", row.body))
}

// answered compares the response with the one recorded for the last row.
func (s *story) answered(t *testing.T, row row, got answered) {
	t.Helper()
	body := plain(got.body)
	if oneSerial.MatchString(row.target) {
		body = laterMembers.ReplaceAllString(body, "")
	}
	body = toldTime.ReplaceAllString(body, "TIME")
	body = drawnID.ReplaceAllStringFunc(body, func(id string) string {
		if s.drawn[id] == "" {
			s.drawn[id] = fmt.Sprintf("ID%d", len(s.drawn))
		}
		return s.drawn[id]
	})
	text := fmt.Sprint(got.status, " ", got.header.Get("Content-Type"), " ", got.header.Get("WWW-Authenticate"), "\n", body)
	key, digest := short(s.told), short(sha256.Sum256([]byte(text)))
	s.recording.mu.Lock()
	defer s.recording.mu.Unlock()
	s.recording.made[key] = digest
	if want, ok := s.recording.known[key]; ok {
		s.recording.compared++
		if digest != want {
			t.Errorf("%s: %s %s is answered otherwise than it was recorded:\n%s", row.place, row.method, row.target, text)
		}
	}
}
