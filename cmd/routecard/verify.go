package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

type verifyCommand struct {
	Database   string   `help:"Database to verify: a file, also while a service has it open, or postgres://..." placeholder:"DATABASE" xor:"what"`
	URL        string   `name:"url" help:"Address of a running service to verify." placeholder:"URL" xor:"what" env:"-"`
	Dossier    string   `arg:"" name:"file" optional:"" help:"Dossier of a unit to verify, without database and network." placeholder:"FILE" xor:"what" env:"-"`
	Proof      string   `help:"File with the proof of one entry to verify." placeholder:"FILE" xor:"what"`
	Checkpoint []string `help:"File with a checkpoint that was stored elsewhere." placeholder:"FILE"`
	Key        []string `help:"The log's public key, from the people who run it. Default: the key that the log itself states." placeholder:"KEY"`
	Policy     string   `help:"File that lists the witnesses who must have cosigned, in the tlog-policy format." placeholder:"FILE"`
	TokenFile  string   `help:"With --url: file with a token that may read." placeholder:"FILE"`
	JSON       bool     `name:"json" help:"Print JSON."`
	NoFiles    bool     `help:"Do not compare stored files with their digests."`
	placeSettings
}

// exitError is a failure with an exit status of its own.
type exitError struct {
	error
	status int
}

// Run verifies the ledger. The exit status is 0 if everything is proved, 1 if something is not, and 2 if it could not be checked.
func (c *verifyCommand) Run(w *world) error {
	if c.Dossier != "" {
		return c.verifyDossier(w.stdout)
	}
	result, err := c.verify(w.ctx, w.stdout)
	switch {
	case errors.Is(err, ledger.ErrNotProved) || errors.Is(err, ledger.ErrUnsigned):
		return &exitError{err, 1}
	case err != nil && (result == nil || result.Report == nil || result.OK()):
		return &exitError{fmt.Errorf("could not be checked: %w", err), 2}
	case result == nil: // a single proof, which is valid
		return nil
	}
	if err := c.report(w.stdout, result); err != nil {
		return &exitError{err, 2}
	}
	if err != nil {
		return &exitError{fmt.Errorf("not proved: %s; not all could be checked: %w", result.Findings[0].Text, err), 1}
	}
	if !result.OK() {
		return &exitError{errors.New("not proved: " + result.Findings[0].Text), 1}
	}
	return nil
}

func (c *verifyCommand) verify(ctx context.Context, out io.Writer) (*sealer.Verified, error) {
	evidence := sealer.Evidence{Keys: c.Key}
	for _, file := range c.Checkpoint {
		signed, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		evidence.Checkpoints = append(evidence.Checkpoints, signed)
	}
	if c.Policy != "" {
		var err error
		if evidence.Policy, err = readPolicy(c.Policy); err != nil {
			return nil, err
		}
		if len(evidence.Keys) == 0 {
			evidence.Keys = evidence.Policy.Logs
		}
	}
	switch {
	case c.Database != "":
		return c.verifyDatabase(ctx, evidence)
	case c.URL != "":
		remote := &remoteLog{ctx: ctx, base: strings.TrimSuffix(c.URL, "/"), client: &http.Client{Timeout: time.Minute}}
		if c.TokenFile != "" {
			token, err := os.ReadFile(c.TokenFile)
			if err != nil {
				return nil, err
			}
			remote.token = strings.TrimSpace(string(token))
		}
		return remote.verify(evidence)
	case c.Proof != "":
		return nil, c.verifyProof(out, evidence)
	}
	return nil, errors.New("name what to verify: a dossier, --database, --url or --proof")
}

func (c *verifyCommand) verifyDatabase(ctx context.Context, evidence sealer.Evidence) (result *sealer.Verified, err error) {
	if keys := keyFiles(c.Database, nil); len(keys) > 0 {
		evidence.StateFile, evidence.MissingMark = sealer.StateFile(keys[0]), sealer.MissingMark(keys[0])
	}
	var place files.Place
	if !c.NoFiles {
		if place, err = c.placeToCheck(c.Database); err != nil {
			return nil, err
		}
	}
	err = sqlstore.ReadAltered(ctx, c.Database, func(tx shop.Reader, wrong error) (err error) {
		if result, err = sealer.Verify(tx, evidence); result == nil {
			return errors.Join(wrong, err)
		}
		if wrong != nil {
			result.Add(ledger.Finding{Kind: ledger.WrongRecord, Text: wrong.Error()})
		}
		_, filesErr := checkFiles(ctx, place, tx, func(_, why string) {
			result.Add(ledger.Finding{Kind: ledger.WrongFile, Text: why})
		})
		if place == nil && !c.NoFiles && hasFiles(tx) {
			result.NotChecked = append(result.NotChecked, "the bytes of files, as --files does not say where they are")
		}
		return errors.Join(err, filesErr)
	})
	return result, err
}

// verifyProof checks one entry and shows it.
func (c *verifyCommand) verifyProof(out io.Writer, evidence sealer.Evidence) error {
	text, err := os.ReadFile(c.Proof)
	if err != nil {
		return err
	}
	proof, err := ledger.ParseProof(text)
	if err != nil {
		return err
	}
	if len(evidence.Keys) == 0 {
		return errors.New("a proof is checked with the log's verifier key: --key, or a policy that has it")
	}
	keys, err := ledger.Verifiers(evidence.Keys...)
	if err != nil {
		return err
	}
	checkpoint, err := proof.Verify(keys)
	if err != nil {
		return err
	}
	if evidence.Policy != nil {
		if _, enough := evidence.Policy.Judge(proof.Checkpoint); !enough {
			return fmt.Errorf("%w: the witnesses that the policy asks for have not cosigned it", ledger.ErrNotProved)
		}
	}
	if c.JSON {
		return json.NewEncoder(out).Encode(struct {
			Proved bool            `json:"proved"`
			Origin string          `json:"origin"`
			Size   int64           `json:"size"`
			Leaf   json.RawMessage `json:"leaf"`
		}{true, checkpoint.Origin, checkpoint.Size, proof.Leaf})
	}
	_, err = fmt.Fprintf(out, "Proved: %s is in the log %s, among the first %d entries:\n%s\n",
		ledger.EntryID(proof.Index), checkpoint.Origin, checkpoint.Size, proof.Leaf)
	return err
}

type verifyAnswer struct {
	Proved      bool                `json:"proved"`
	Origin      string              `json:"origin"`
	Keys        []string            `json:"verifierKeys"`
	KeysGiven   bool                `json:"verifierKeysGiven"`
	Entries     int64               `json:"entries"`
	Sealed      int64               `json:"sealed"`
	StartedWith int64               `json:"startedWith"`
	Restarts    []int64             `json:"restarts,omitempty"`
	Checkpoints int                 `json:"checkpoints"`
	Serials     int64               `json:"serials"`
	Reports     int64               `json:"reports"`
	Unproved    []verify.Unproved   `json:"unproved,omitempty"`
	NotChecked  []string            `json:"notChecked,omitempty"`
	Unwitnessed []shop.EntriesFound `json:"unwitnessed,omitempty"`
	BackInTime  []string            `json:"backInTime,omitempty"`
	Findings    []ledger.Finding    `json:"findings"`
	More        int64               `json:"more,omitempty"`
}

func (c *verifyCommand) report(out io.Writer, r *sealer.Verified) error {
	if c.JSON {
		return json.NewEncoder(out).Encode(verifyAnswer{
			Proved: r.OK(), Origin: r.Origin, Keys: r.Keys, KeysGiven: r.KeysGiven, Entries: r.Entries, Sealed: r.Sealed,
			StartedWith: r.Started, Restarts: r.Restarts, Checkpoints: r.Checkpoints, Serials: r.Serials, Reports: r.Reports,
			Unproved: r.Unproved, NotChecked: r.NotChecked, Unwitnessed: r.Unwitnessed, BackInTime: r.BackInTime,
			Findings: append([]ledger.Finding{}, r.Findings...), More: r.More,
		})
	}
	var b strings.Builder
	say := func(format string, args ...any) { // each finding is one line, even if the stored text in it has line breaks
		for i, arg := range args {
			if text, ok := arg.(string); ok {
				args[i] = oneStoredLine(text)
			}
		}
		fmt.Fprintf(&b, format, args...)
	}
	if r.OK() {
		say("Proved: the first %d entries of %s are what was signed; they were compared with %d checkpoints.\n",
			r.Sealed, r.Origin, r.Checkpoints)
	} else {
		say("NOT PROVED: of %s, %s.\n", r.Origin, failedParts(r.Findings))
		for _, finding := range r.Findings {
			say("- %s\n", finding.Text)
		}
		if r.More > 0 {
			say("- and %d more\n", r.More)
		}
	}
	if unsealed := r.Entries - r.Sealed; unsealed > 0 && r.OK() {
		say("%d entries behind them are not sealed yet.\n", unsealed)
	}
	if r.Started > 0 {
		say("%d entries were there before the ledger was begun: of these it is known that they have not changed since.\n",
			r.Started)
	}
	for _, restart := range r.Restarts {
		say("The ledger began anew after %d entries; %s says why.\n", restart, ledger.EntryID(restart))
	}
	for _, found := range r.Unwitnessed {
		say("The service did not stop in order before a start found %s to %s: that it wrote them itself is not proved.\n",
			found.First, found.Last)
	}
	if r.Serials > 0 {
		say("%d serials were compared with their entries.\n", r.Serials)
	}
	if r.Reports > 0 {
		say("%d reports of nonconformances were compared with their entries.\n", r.Reports)
	}
	for _, unproved := range r.Unproved {
		say("Unproved: what %d records of the kind %s have, since their entries are from before entries had hashes: %s%s\n",
			unproved.Count, unproved.Kind, strings.Join(unproved.First, ", "), more(unproved.Count-int64(len(unproved.First))))
	}
	if len(r.BackInTime) > 0 {
		say("A clock was set back, or the clocks of instances are apart: "+
			"of %d serials the times are not in the order of their entries.\n", len(r.BackInTime))
		for _, serial := range r.BackInTime {
			say("- %s\n", serial)
		}
	}
	for _, witness := range r.Witnesses {
		if !witness.At.IsZero() {
			say("The witness %s cosigned at %s.\n", witness.Witness, witness.At.Format(time.RFC3339))
		}
	}
	where := ""
	if c.URL != "" {
		where = " from outside"
	}
	for _, what := range r.NotChecked {
		say("Not checked%s: %s.\n", where, what)
	}
	if !r.KeysGiven {
		say("No --key was given, so that the keys are what was found with the trail: %s\n", strings.Join(r.Keys, " "))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// failedParts lists which of the trail, the records and the files have findings.
func failedParts(findings []ledger.Finding) string {
	var trail, records, files bool
	for _, finding := range findings {
		switch finding.Kind {
		case ledger.WrongSerial, ledger.WrongReport, ledger.WrongRecord, ledger.UnreadableRow:
			records = true
		case ledger.WrongFile:
			files = true
		default:
			trail = true
		}
	}
	var failed []string
	for _, part := range []struct {
		failed bool
		text   string
	}{
		{trail, "the trail is not what was signed"}, {records, "records do not follow from the trail"},
		{files, "files are missing or altered"},
	} {
		if part.failed {
			failed = append(failed, part.text)
		}
	}
	return strings.Join(failed, ", ")
}

// more returns a text with the number of findings that are not listed.
func more(count int64) string {
	if count == 0 {
		return "."
	}
	return fmt.Sprintf(" and %d more.", count)
}

// remoteLog is the log of a running service.
type remoteLog struct {
	ctx    context.Context
	base   string
	client *http.Client
	token  string
}

// remoteLimit limits the size of one response: a bundle of the largest entries.
const remoteLimit = 32 << 20

func (l *remoteLog) get(path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, l.base+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	if l.token != "" {
		request.Header.Set("Authorization", "Bearer "+l.token)
	}
	response, err := l.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, remoteLimit))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s answers %s", l.base+path, response.Status)
	}
	return content, err
}

// verify reads all entries of the log from the service.
func (l *remoteLog) verify(evidence sealer.Evidence) (*sealer.Verified, error) {
	result := &sealer.Verified{Keys: evidence.Keys, KeysGiven: len(evidence.Keys) > 0}
	if !result.KeysGiven {
		answer, err := l.get("/api/ledger")
		if err != nil {
			return nil, err
		}
		var told struct {
			VerifierKeys []string `json:"verifierKeys"`
		}
		if err := json.Unmarshal(answer, &told); err != nil {
			return nil, fmt.Errorf("%s/api/ledger: %w", l.base, err)
		}
		result.Keys = told.VerifierKeys
	}
	keys, err := ledger.Verifiers(result.Keys...)
	if err != nil {
		return nil, err
	}
	signed, err := l.get("/ledger/checkpoint")
	if err != nil {
		return nil, err
	}
	newest, err := keys.Open(signed)
	if err != nil {
		return nil, err
	}
	checkpoints := []ledger.Checkpoint{newest}
	for _, kept := range evidence.Checkpoints {
		opened, err := keys.Open(kept)
		if err != nil {
			return nil, fmt.Errorf("a checkpoint that was kept: %w", err)
		}
		checkpoints = append(checkpoints, opened)
	}
	var missing []ledger.Finding
	if evidence.Policy != nil {
		cosigned, _ := l.get("/ledger/cosigned") // if this fails, no checkpoint is cosigned
		witnesses, enough := evidence.Policy.Judge(cosigned)
		result.Witnesses = witnesses
		if opened, err := keys.Open(cosigned); err == nil {
			checkpoints = append(checkpoints, opened)
		}
		if !enough {
			missing = append(missing, ledger.Finding{
				Kind: ledger.NoWitness, Text: "the witnesses that the policy asks for have not cosigned a checkpoint",
			})
		}
	}
	outside := sealer.NewOutside()
	result.Report, err = ledger.Verify(ledger.Trail{
		Entries: l.entries(newest.Size, outside.Leaf), Checkpoints: checkpoints, Sealed: newest.Size,
		Tile: func(level int, number int64) ([]ledger.Hash, error) {
			place := ledger.Place{Level: level, Number: number}
			if place.Width = place.WidthAt(newest.Size); place.Width == 0 {
				return nil, nil
			}
			data, err := l.get("/ledger/" + place.Path())
			if err != nil {
				return nil, err
			}
			return ledger.ParseHashes(data)
		},
	})
	if err != nil {
		return nil, err
	}
	result.Origin, result.Checkpoints = newest.Origin, len(checkpoints)
	if err := l.askFor(outside); err != nil {
		return nil, err
	}
	for _, finding := range append(missing, outside.Findings()...) {
		result.Add(finding)
	}
	result.Unwitnessed, result.NotChecked = outside.Unwitnessed(), notCheckedOutside()
	return result, nil
}

// notCheckedOutside lists what a verification from outside cannot find.
func notCheckedOutside() []string {
	return []string{
		"whether serials, reports and other records are what the entries tell, and whether signatures hold and none is missing; " +
			"routecard verify --database does",
		"entries that somebody has added while the service ran, or while it was stopped when no mark of the stop was left; nobody can",
	}
}

// askFor requests the entries that describe the findings of a verification from outside.
func (l *remoteLog) askFor(outside *sealer.Outside) error {
	const page = 500
	if !outside.Asks() {
		return nil
	}
	for _, action := range sealer.AskedActions() {
		for before := ""; ; {
			query := url.Values{"action": {string(action)}, "limit": {strconv.Itoa(page)}}
			if before != "" {
				query.Set("before", before)
			}
			answer, err := l.get("/api/audit/search?" + query.Encode())
			if err != nil {
				return err
			}
			var entries []json.RawMessage
			if err := json.Unmarshal(answer, &entries); err != nil {
				return fmt.Errorf("%s/api/audit/search: %w", l.base, err)
			}
			for _, entry := range entries {
				outside.Entry(entry)
			}
			if len(entries) < page {
				break
			}
			var last struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(entries[len(entries)-1], &last); err != nil {
				return err
			}
			before = last.ID
		}
	}
	return nil
}

// entries yields the entries of the log, and passes the leaf of each to seen.
func (l *remoteLog) entries(size int64, seen func(leaf []byte)) func(func(ledger.Entry, error) bool) {
	return func(yield func(ledger.Entry, error) bool) {
		for first := int64(0); first < size; first += ledger.TileWidth {
			place := ledger.Place{Level: ledger.EntriesLevel, Number: first / ledger.TileWidth}
			place.Width = place.WidthAt(size)
			data, err := l.get("/ledger/" + place.Path())
			var leaves [][]byte
			if err == nil {
				leaves, err = ledger.ParseEntries(data)
			}
			if err != nil {
				yield(ledger.Entry{}, err)
				return
			}
			for i, leaf := range leaves {
				seen(leaf)
				if !yield(ledger.Entry{Index: first + int64(i), Leaf: leaf}, nil) {
					return
				}
			}
		}
	}
}
