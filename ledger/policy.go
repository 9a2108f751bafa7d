package ledger

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// Policy defines the witnesses that must cosign a checkpoint. Its file has the format tlog-policy of C2SP.
type Policy struct {
	Logs      []string // verifier keys
	Witnesses []Witness
	quorum    *group // nil if no witness is required
}

// Witness cosigns a checkpoint if it continues the checkpoint that the witness saw before.
type Witness struct {
	Name string
	URL  string // "" if only its signature is to be checked
	cosigner
}

// group is satisfied if a sufficient number of its members is satisfied. A witness is a group of one.
type group struct {
	witness *Witness
	needed  int
	members []*group
}

// ParsePolicy reads a policy.
func ParsePolicy(text []byte) (*Policy, error) {
	p := &Policy{}
	named := map[string]*group{}
	decided := false
	for i, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := p.line(fields, named, &decided); err != nil {
			return nil, fmt.Errorf("line %d of the policy: %w", i+1, err)
		}
	}
	if !decided {
		return nil, errors.New("the policy has no quorum")
	}
	return p, nil
}

func (p *Policy) line(fields []string, named map[string]*group, decided *bool) error {
	switch {
	case fields[0] == "log" && (len(fields) == 2 || len(fields) == 3):
		if _, err := Verifiers(fields[1]); err != nil {
			return err
		}
		p.Logs = append(p.Logs, fields[1])
	case fields[0] == "witness" && (len(fields) == 3 || len(fields) == 4):
		return p.witness(fields, named)
	case fields[0] == "group" && len(fields) >= 4:
		return defineGroup(fields, named)
	case fields[0] == "quorum" && len(fields) == 2:
		if *decided {
			return errors.New("the quorum is there twice")
		}
		*decided = true
		if fields[1] == "none" {
			return nil
		}
		quorum, ok := named[fields[1]]
		if !ok {
			return fmt.Errorf("%q is not defined", fields[1])
		}
		p.quorum = quorum
	default:
		return fmt.Errorf("%q is not understood", strings.Join(fields, " "))
	}
	return nil
}

func (p *Policy) witness(fields []string, named map[string]*group) error {
	if err := unused(fields[1], named); err != nil {
		return err
	}
	cosigner, err := newCosigner(fields[2])
	if err != nil {
		return err
	}
	w := Witness{Name: fields[1], cosigner: *cosigner}
	if len(fields) == 4 {
		address, err := url.Parse(fields[3])
		if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			return fmt.Errorf("%q is no address of a witness", fields[3])
		}
		w.URL = strings.TrimSuffix(fields[3], "/")
	}
	for _, other := range p.Witnesses {
		if other.public.Equal(w.public) {
			return fmt.Errorf("the witnesses %s and %s have one key", other.Name, w.Name)
		}
	}
	p.Witnesses = append(p.Witnesses, w)
	named[fields[1]] = &group{witness: &w, needed: 1}
	return nil
}

func defineGroup(fields []string, named map[string]*group) error {
	if err := unused(fields[1], named); err != nil {
		return err
	}
	made := &group{}
	for _, name := range fields[3:] {
		member, ok := named[name]
		if !ok {
			return fmt.Errorf("%q is not defined", name)
		}
		if slices.Contains(made.members, member) {
			return fmt.Errorf("%q is twice in the group", name)
		}
		made.members = append(made.members, member)
	}
	switch fields[2] {
	case "any":
		made.needed = 1
	case "all":
		made.needed = len(made.members)
	default:
		needed, err := strconv.Atoi(fields[2])
		if err != nil || needed < 1 || needed > len(made.members) {
			return fmt.Errorf("%q of %d members cannot be asked for", fields[2], len(made.members))
		}
		made.needed = needed
	}
	named[fields[1]] = made
	return nil
}

// unused refuses a name that already has a meaning.
func unused(name string, named map[string]*group) error {
	if _, taken := named[name]; taken || slices.Contains([]string{"log", "witness", "group", "quorum", "any", "all", "none"}, name) {
		return fmt.Errorf("%q cannot be used as a name here", name)
	}
	return nil
}

// Cosigned is a witness and the time at which it cosigned a checkpoint.
type Cosigned struct {
	Witness string
	At      time.Time // zero if it did not
}

// Judge reports which witnesses cosigned a checkpoint, and whether they are enough. Keys.Open checks whether the log signed it.
func (p *Policy) Judge(signed []byte) (witnesses []Cosigned, enough bool) {
	signers := map[string]bool{}
	for i := range p.Witnesses {
		w := &p.Witnesses[i]
		at := w.Cosigned(signed)
		signers[w.Name] = !at.IsZero()
		witnesses = append(witnesses, Cosigned{Witness: w.Name, At: at})
	}
	return witnesses, p.quorum == nil || p.quorum.satisfied(signers)
}

func (g *group) satisfied(signers map[string]bool) bool {
	if g.witness != nil {
		return signers[g.witness.Name]
	}
	count := 0
	for _, member := range g.members {
		if member.satisfied(signers) {
			count++
		}
	}
	return count >= g.needed
}

// KeyName returns the name in the witness's key, which its signatures have too.
func (w *Witness) KeyName() string { return w.name }

// Cosigned returns the time when the witness cosigned a checkpoint, or the zero time if it did not.
func (w *Witness) Cosigned(signed []byte) time.Time {
	opened, err := note.Open(signed, note.VerifierList(&w.cosigner))
	if err != nil || len(opened.Sigs) == 0 {
		return time.Time{}
	}
	return cosignedAt(opened.Sigs[0])
}
