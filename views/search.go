package views

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Called is a record with its names.
type Called struct {
	ID      string
	Names   []string // in the order of the columns that its kind declares in shop.Record
	Details string   // other text to search; "" for none
}

// Searcher is the database access of the search. It finds the kinds of records that declare names in shop.Record.
type Searcher interface {
	// CalledExactly returns the record with an identifier, or ErrNoRecord.
	CalledExactly(kind ident.RecordKind, id string) (Called, error)
	// CalledFrom returns the records with a name that begins with a text: for each column of names at most limit, by name, newest first for
	// equal names. It ignores the case of the letters A to Z.
	CalledFrom(kind ident.RecordKind, beginning string, limit int) ([]Called, error)
	// CalledLately returns the newest records, newest first.
	CalledLately(kind ident.RecordKind, limit int) ([]Called, error)
}

// lookedThrough is the number of the newest records of a kind that are searched for a text in the middle of a name or in the details.
const lookedThrough = 500

// Search finds at most limit records of a kind that match a text, the likeliest first. The record whose identifier or name is the text
// comes first, then records with a name that begins with the text, then the newest records that contain each word of the text. It takes the
// same time however many records there are. exact is the number of leading records whose identifier or name equals the text.
func (v *Views) Search(ctx context.Context, kind ident.RecordKind, text string, limit int) (found []Called, exact int, err error) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || limit <= 0 {
		return nil, 0, nil
	}
	var byGTIN []Called
	err = v.store.Look(ctx, func(tx Reader) (err error) {
		if found, byGTIN = nil, nil; kind == shop.RecordJob {
			if byGTIN, err = calledByGTIN(tx, text); err != nil {
				return err
			}
		}
		one, err := tx.CalledExactly(kind, text)
		if err == nil {
			found = append(found, one)
		} else if !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		for _, beginning := range spellings(text) {
			some, err := tx.CalledFrom(kind, beginning, limit)
			if err != nil {
				return err
			}
			found = append(found, some...)
		}
		lately, err := tx.CalledLately(kind, lookedThrough)
		found = append(found, lately...)
		return err
	})
	found, exact = likeliest(found, text)
	if len(byGTIN) > 0 {
		others := found
		found, exact = byGTIN, len(byGTIN)
		for _, other := range others {
			if !slices.ContainsFunc(found, func(one Called) bool { return one.ID == other.ID }) {
				found = append(found, other)
			}
		}
	}
	return found[:min(len(found), limit)], min(exact, limit), err
}

// spellings returns spellings of a text that differ in the case of letters beyond A to Z, because a database ignores only the case of A to
// Z. It tries one capital letter and none, as in most names.
func spellings(text string) []string {
	lower, upper := strings.ToLower(text), strings.ToUpper(text)
	if lower == upper || !slices.ContainsFunc([]rune(text), func(r rune) bool { return r > '~' }) {
		return []string{lower}
	}
	runes, first := []rune(lower), []rune(upper)
	if len(runes) != len(first) { // a letter without a capital of one letter, such as ß
		return []string{lower, text}
	}
	if runes[0] <= '~' {
		return []string{lower, text}
	}
	return []string{lower, string(first[:1]) + string(runes[1:])}
}

// likeliest sorts matches by likelihood and drops duplicates and records that do not match. exact is the number of matches that equal the
// text.
func likeliest(found []Called, text string) (meant []Called, exact int) {
	text = strings.ToLower(text)
	words := strings.Fields(text)
	type ranked struct {
		Called
		rank int
	}
	var likely []ranked
	known := map[string]bool{}
	for _, one := range found {
		if known[one.ID] {
			continue
		}
		known[one.ID] = true
		if rank := likelihood(one, text, words); rank < impossible {
			likely = append(likely, ranked{one, rank})
		}
	}
	slices.SortStableFunc(likely, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for _, one := range likely {
		meant = append(meant, one.Called)
		if one.rank == calledSo {
			exact++
		}
	}
	return meant, exact
}

// anywhere is the length, in bytes, from which a text is also searched for in the middle of words.
const anywhere = 3

// Likelihoods that a text means a record, most likely first.
const (
	calledSo = iota
	beginsSo
	wordBeginsSo
	hasWords
	impossible
)

// likelihood returns how likely a text in lower case means a record.
func likelihood(one Called, text string, words []string) int {
	best := impossible
	all := strings.ToLower(strings.Join(one.Names, "\n") + "\n" + one.Details)
	if len(text) >= anywhere && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) }) {
		best = hasWords
	}
	if strings.EqualFold(one.ID, text) {
		return calledSo
	}
	for _, name := range one.Names {
		name = strings.ToLower(strings.Join(strings.Fields(name), " "))
		switch {
		case name == text:
			return calledSo
		case strings.HasPrefix(name, text):
			best = min(best, beginsSo)
		case strings.Contains(" "+name, " "+text):
			best = min(best, wordBeginsSo)
		}
	}
	return best
}

// SearchUnits finds at most limit units that match a text. First come the unit with that identifier and the units that have or had the text
// as their own number. Then come the newest units whose identifier begins with the text, and the units whose own number begins with the
// text. exact is the number of leading units that equal the text. A text without a digit matches no identifier.
func (v *Views) SearchUnits(ctx context.Context, text string, limit int) (items []shop.SerialListItem, exact int, err error) {
	text = strings.TrimSpace(text)
	ranges, begins := numbersBeginning(v.SerialPrefix(), text)
	begins = begins && strings.ContainsAny(text, "0123456789")
	if text == "" || limit <= 0 {
		return nil, 0, nil
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		numbered, just, err := searchNumbered(tx, text, limit)
		if err != nil {
			return err
		}
		var found, others []shop.ListedSerial
		if number := numberMeant(tx.SerialPrefix(), text); begins && number > 0 {
			only := SerialSearch{Numbers: []ident.NumberRange{{First: number, Last: number}}, Before: math.MaxInt64, Limit: 1}
			if found, err = tx.SearchSerials(only); err != nil {
				return err
			}
		}
		if begins {
			if others, err = tx.SearchSerials(SerialSearch{Numbers: ranges, Before: math.MaxInt64, Limit: limit}); err != nil {
				return err
			}
		}
		known := map[int64]bool{}
		ordered := []shop.ListedSerial{}
		for i, some := range [][]shop.ListedSerial{found, numbered[:just], others, numbered[just:]} {
			for _, unit := range some {
				if !known[unit.Number] {
					known[unit.Number] = true
					ordered = append(ordered, unit)
				}
			}
			if i == 1 { // the numbers of the other units only begin with the text
				exact = min(len(ordered), limit)
			}
		}
		found = ordered
		items, err = nameSerials(tx, found[:min(len(found), limit)])
		return err
	})
	return items, exact, err
}

// numberMeant returns the number of the unit that a text identifies: SN-00417, sn-417 or 417; 0 for none.
func numberMeant(prefix ident.Prefix, text string) int64 {
	mark := prefix.Mark()
	digits, prefixed := strings.CutPrefix(strings.ToUpper(text), mark)
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number < 0 || prefixed && digits[0] == '0' && prefix.SerialID(number) != mark+digits {
		return 0 // a text that begins with zeros is the beginning of an identifier
	}
	return number
}
