package faulttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
)

// identifier matches the identifiers of the service in its responses.
var identifier = regexp.MustCompile(`^([a-z]+_)(?:[0-9A-Z]{26}|[0-9]{16})$|^(SN-|NCR-|SHP-)[0-9]{5,}$`)

// kindOf returns the common prefix of the identifiers of a kind, or "" for a text that is not an identifier.
func kindOf(text string) string {
	match := identifier.FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	return match[1] + match[2]
}

// digestKind stands for the digests of files that were uploaded, which have no prefix.
const digestKind = "sha256:"

const (
	knownOfKind = 300 // the number of stored identifiers of one kind; the oldest is dropped
	knownBeside = 12  // the number of those that were in a response together with one other identifier
)

// known has the identifiers of each kind in the responses so far, and records which of them belong together.
type known struct {
	kinds  map[string][]string            // in the order of their first occurrence
	beside map[string]map[string][]string // by identifier and kind; the newest is the last
	spared map[string]bool                // never drawn
	open   [][2]string                    // pairs of a serial and a deferred step
	over   [2]string                      // the last serial and step that were overridden
}

func newKnown() *known {
	return &known{kinds: map[string][]string{}, beside: map[string]map[string][]string{}, spared: map[string]bool{}}
}

// learn records the identifiers in a response. Those in an object belong together with the identifier of the object or, if it has none,
// with the serials in it.
func (k *known) learn(answer []byte) {
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		k.walk(value)
	}
}

// walk returns the identifiers in a value.
func (k *known) walk(value any) (found []string) {
	switch value := value.(type) {
	case string:
		if kind := kindOf(value); kind != "" && !k.spared[value] {
			k.add(kind, value)
			return []string{value}
		}
	case []any:
		for _, item := range value[:min(len(value), 2*knownBeside)] {
			found = append(found, k.walk(item)...)
		}
	case map[string]any:
		var own []string
		k.keepOpen(value)
		for _, name := range slices.Sorted(maps.Keys(value)) {
			inside := k.walk(value[name])
			if name == "id" || name == "serialId" {
				own = append(own, inside...)
			}
			found = append(found, inside...)
		}
		found = found[:min(len(found), 4*knownBeside)]
		for _, id := range found {
			if own == nil && kindOf(id) == "SN-" {
				own = []string{id}
			}
		}
		for _, id := range own {
			for _, other := range found {
				k.join(id, other)
				k.join(other, id)
			}
		}
	}
	return found
}

// keepOpen records the steps that are deferred or overridden in a response about one serial, and the digests of files.
func (k *known) keepOpen(answer map[string]any) {
	if answer["active"] == true && answer["serialId"] != nil && answer["stepId"] != nil {
		k.over = [2]string{fmt.Sprint(answer["serialId"]), fmt.Sprint(answer["stepId"])}
	}
	if digest, ok := answer["sha256"].(string); ok && answer["existed"] != nil { // the response describes an uploaded file
		k.add(digestKind, digest)
	}
	id, steps := answer["id"], answer["openDeferredStepIds"]
	if serial, ok := answer["serial"].(map[string]any); ok {
		id, steps = serial["id"], answer["bypassed"]
	}
	list, _ := steps.([]any)
	for _, step := range list {
		if bypassed, ok := step.(map[string]any); ok {
			if step = bypassed["stepId"]; bypassed["classification"] != "deferred" {
				continue
			}
		}
		k.open = append(k.open[max(0, len(k.open)-knownBeside):], [2]string{fmt.Sprint(id), fmt.Sprint(step)})
	}
}

func (k *known) add(kind, id string) {
	if !slices.Contains(k.kinds[kind], id) {
		k.kinds[kind] = append(k.kinds[kind], id)
	}
	if all := k.kinds[kind]; len(all) > knownOfKind {
		delete(k.beside, all[0])
		k.kinds[kind] = slices.Clone(all[1:])
	}
}

func (k *known) join(id, other string) {
	if id == other {
		return
	}
	if k.beside[id] == nil {
		k.beside[id] = map[string][]string{}
	}
	kind := kindOf(other)
	others := slices.DeleteFunc(k.beside[id][kind], func(s string) bool { return s == other })
	others = append(others, other)
	k.beside[id][kind] = others[max(0, len(others)-knownBeside):]
}

// pick draws an identifier of a kind: usually one that belongs to the identifiers in the request, otherwise a recent one; "" if none is
// known.
func (k *known) pick(random *rand.Rand, kind string, request []string) string {
	if random.IntN(10) > 0 {
		for i := range request {
			given := request[len(request)-1-i]
			if near := k.beside[given][kind]; len(near) > 0 {
				return late(random, near)
			}
			for _, between := range []string{"path_", "job_"} {
				for _, middle := range k.beside[given][between] {
					if near := k.beside[middle][kind]; len(near) > 0 {
						return late(random, near)
					}
				}
			}
		}
	}
	if all := k.kinds[kind]; len(all) > 0 {
		return late(random, all)
	}
	return ""
}

// late draws an element of a list, usually one near its end.
func late(random *rand.Rand, list []string) string {
	last := len(list)
	switch random.IntN(4) {
	case 0:
	case 1:
		last = 10
	default:
		last = 3
	}
	list = list[max(0, len(list)-last):]
	return list[random.IntN(len(list))]
}
