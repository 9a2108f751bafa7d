package shop

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/refusal"
)

// messageOf is what a refusal says, "" for none.
func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestTexts(t *testing.T) {
	t.Parallel()
	long := func(n int) TextInput { return Given(strings.Repeat("é", n)) } // two bytes a character
	for _, test := range []struct {
		name               string
		in                 TextInput
		required, optional string // what each says
		kept               string // by those that accept it
	}{
		{"absent", TextInput{}, "name is required", "", ""},
		{"null", Null[string](), "name is required", "", ""},
		{"mistyped", Mistyped[string](), "name must be a string", "name must be a string", ""},
		{"empty", Given(""), "name is required", "", ""},
		{"blank", Given(" \t\r\n\u00a0\u2003"), "name is required", "", ""},
		{"more blanks than the limit", Given(strings.Repeat(" ", NameLimit+1)), "name is required", "", ""},
		{"a text", Given("mill"), "", "", "mill"},
		{"space around", Given(" mill "), "", "", " mill "},
		{"as long as it may be", long(NameLimit), "", "", strings.Repeat("é", NameLimit)},
		{"one character too long", long(NameLimit + 1), "name is too long", "name is too long", ""},
		{"four bytes a character", Given(strings.Repeat("𝛑", NameLimit)), "", "", strings.Repeat("𝛑", NameLimit)},
		{"NUL", Given("a\x00b"), "name must not contain NUL characters", "name must not contain NUL characters", ""},
		{"only NUL", Given("\x00"), "name must not contain NUL characters", "name must not contain NUL characters", ""},
	} {
		value, err := RequiredName("name", test.in)
		if messageOf(err) != test.required || (err == nil && value != test.kept) {
			t.Errorf("%s, required: %q, %v, want %q, %q", test.name, value, err, test.kept, test.required)
		}
		value, err = optionalText("name", test.in, NameLimit)
		if messageOf(err) != test.optional || (err == nil && value != test.kept) {
			t.Errorf("%s, optional: %q, %v, want %q, %q", test.name, value, err, test.kept, test.optional)
		}
		value, err = requiredTrimmed(test.in)
		if messageOf(err) != test.required || (err == nil && value != strings.TrimSpace(test.kept)) {
			t.Errorf("%s, trimmed: %q, %v, want %q, %q", test.name, value, err, strings.TrimSpace(test.kept), test.required)
		}
	}
	if _, err := requiredTrimmed(Given(" " + strings.Repeat("é", NameLimit) + " ")); err != nil {
		t.Errorf("the space around a name counts: %v", err)
	}
	for n, want := range map[int]string{TextLimit: "", TextLimit + 1: "name is too long"} {
		if _, err := requiredText("name", long(n), TextLimit, refusal.Required); messageOf(err) != want {
			t.Errorf("a text of %d characters: %v, want %q", n, err, want)
		}
	}
}

func TestChangedName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in   TextInput
		want string
	}{
		{Null[string](), "name cannot be empty"},
		{Given(" "), "name cannot be empty"},
		{Mistyped[string](), "name must be a string"},
		{Given(strings.Repeat("é", NameLimit+1)), "name is too long"},
		{Given("a\x00"), "name must not contain NUL characters"},
		{Given(" Bracket "), ""},
	} {
		value, err := changedName(test.in, refusal.NameEmpty)
		if messageOf(err) != test.want || (err == nil && value != "Bracket") {
			t.Errorf("%+v: %q, %v, want %q", test.in, value, err, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	const atMost = "f must be at most 9007199254740991"
	const positive = "f must be greater than 0"
	for _, test := range []struct {
		name                     string
		in                       NumberInput
		required, changed, whole string
		value                    int64
	}{
		{"absent", NumberInput{}, "f is required", "f must be a number", "f must be a number", 0},
		{"null", Null[float64](), "f is required", "f must be a number", "f must be a number", 0},
		{"mistyped", Mistyped[float64](), "f must be a number", "f must be a number", "f must be a number", 0},
		{"zero", Given(0.0), positive, positive, "", 0},
		{"minus zero", Given(math.Copysign(0, -1)), positive, positive, "", 0},
		{"negative", Given(-3.0), positive, positive, "", -3},
		{"negative fraction", Given(-0.5), positive, positive, "f must be an integer", 0},
		{"fraction", Given(0.5), "f must be an integer", "f must be an integer", "f must be an integer", 0},
		{"tiny", Given(math.SmallestNonzeroFloat64), "f must be an integer", "f must be an integer", "f must be an integer", 0},
		{"one", Given(1.0), "", "", "", 1},
		{"the most", Given(9007199254740991.0), "", "", "", 9007199254740991},
		{"one more", Given(9007199254740992.0), atMost, atMost, atMost, 0},
		{"far more", Given(1e300), atMost, atMost, atMost, 0},
		{"infinity", Given(math.Inf(1)), atMost, atMost, atMost, 0},
		{"minus infinity", Given(math.Inf(-1)), positive, positive, "", -9007199254740991},
		{"far less", Given(-1e300), positive, positive, "", -9007199254740991},
	} {
		for kind, judge := range map[string]struct {
			by   func(string, NumberInput) (int64, error)
			want string
		}{
			"required": {requiredQuantity, test.required},
			"changed":  {ChangedQuantity, test.changed},
			"whole":    {wholeNumber, test.whole},
		} {
			value, err := judge.by("f", test.in)
			if messageOf(err) != judge.want || (err == nil && value != test.value) {
				t.Errorf("%s, %s: %d, %v, want %d, %q", test.name, kind, value, err, test.value, judge.want)
			}
		}
	}
}

func TestListsAndFlagsAndWords(t *testing.T) {
	t.Parallel()
	list := func(in TextsInput) error {
		_, err := requiredTexts("f", in, refusal.ListEmpty)
		return err
	}
	flag := func(in FlagInput) error {
		_, err := optionalFlag("f", in)
		return err
	}
	word := func(in TextInput) error {
		_, err := oneOf("f", in, advancementModes)
		return err
	}
	steps := func(in StepsInput) error {
		_, err := checkSteps(in)
		return err
	}
	step := func(in StepInput) error {
		return steps(Given([]Input[StepInput]{Given(StepInput{Name: Given("mill")}), Given(in)}))
	}
	entries := func(in BOMEntriesInput) error {
		_, err := checkEntries(in)
		return err
	}
	entry := func(in BOMEntryInput) error { return entries(Given([]Input[BOMEntryInput]{Given(in)})) }
	named, one := Given("mill"), Given(1.0)
	long := Given(strings.Repeat("é", NameLimit+1))
	for _, test := range []struct {
		err  error
		want string
	}{
		{list(TextsInput{}), "f must have at least one item"},
		{list(Null[[]TextInput]()), "f must have at least one item"},
		{list(GivenTexts()), "f must have at least one item"},
		{list(Mistyped[[]TextInput]()), "f must be an array"},
		{list(Given([]TextInput{named, Mistyped[string]()})), "f[1] must be a string"},
		{list(Given([]TextInput{named, Null[string]()})), "f[1] must be a string"},
		{list(GivenTexts("a", " ")), "f[1] is required"},
		{list(GivenTexts("a\x00")), "f[0] must not contain NUL characters"},
		{list(Given([]TextInput{long})), "f[0] is too long"},
		{list(GivenTexts(strings.Repeat("é", NameLimit))), ""},

		{flag(FlagInput{}), ""},
		{flag(Null[bool]()), ""},
		{flag(Given(true)), ""},
		{flag(Mistyped[bool]()), "f must be a boolean"},

		{word(named), "f must be one of: strict, flexible, per_step"},
		{word(Given("")), "f must be one of: strict, flexible, per_step"},
		{word(Given("Strict")), "f must be one of: strict, flexible, per_step"},
		{word(Mistyped[string]()), "f must be a string"},
		{word(Given("per_step")), ""},

		{steps(Mistyped[[]Input[StepInput]]()), "steps must be an array"},
		{steps(Null[[]Input[StepInput]]()), "steps must be an array"},
		{steps(Given([]Input[StepInput]{})), "steps is required"},
		{steps(Given([]Input[StepInput]{Mistyped[StepInput]()})), "steps[0] must be an object"},
		{step(StepInput{}), "steps[1].name is required"},
		{step(StepInput{Name: Mistyped[string]()}), "steps[1].name must be a string"},
		{step(StepInput{Name: long}), "steps[1].name is too long"},
		{step(StepInput{Name: named, Location: Mistyped[string]()}), "steps[1].location must be a string"},
		{step(StepInput{Name: named, Optional: Mistyped[bool]()}), "steps[1].optional must be a boolean"},
		{
			step(StepInput{Name: named, DependencyType: Given("hard")}),
			"steps[1].dependencyType must be one of: physical, preferred, completion_gate",
		},
		{step(StepInput{Name: named, Location: Null[string](), Optional: Null[bool](), DependencyType: Null[string]()}), ""},

		{entries(Mistyped[[]Input[BOMEntryInput]]()), "entries must be an array"},
		{entries(Given([]Input[BOMEntryInput]{})), "entries must have at least one item"},
		{entries(Given([]Input[BOMEntryInput]{{}})), "entries[0] must be an object"},
		{entry(BOMEntryInput{}), "entries[0].partType is required"},
		{entry(BOMEntryInput{PartType: named}), "entries[0].requiredQuantityPerBuild must be greater than 0"},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: Mistyped[float64]()}),
			"entries[0].requiredQuantityPerBuild must be a number",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: Given(0.0)}),
			"entries[0].requiredQuantityPerBuild must be greater than 0",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: Given(math.Inf(1))}),
			"entries[0].requiredQuantityPerBuild must be at most 9007199254740991",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: one, ContributingJobIDs: Mistyped[[]TextInput]()}),
			"entries[0].contributingJobIds must be an array",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: one, ContributingJobIDs: GivenTexts("a", "")}),
			"entries[0].contributingJobIds[1] is required",
		},
		{entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: Given(0.25)}), ""},

		{Mistyped[json.RawMessage]().typed("metadata"), "metadata must be an object"},
	} {
		if got := messageOf(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// nested is an object with this many levels, lists among them.
func nested(levels int) string {
	return `{"a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`
}

func TestMetadataLimit(t *testing.T) {
	t.Parallel()
	check := func(text string) string {
		_, err := CreateCertificateInput{
			Type: Given("material"), Name: Given("3.1"), Metadata: Given(json.RawMessage(text)),
		}.check()
		return messageOf(err)
	}
	full := `{"a":"` + strings.Repeat("x", metadataLimit-len(`{"a":""}`)) + `"}`
	for _, test := range []struct{ name, text, want string }{
		{"full", full, ""},
		{"full, with space that is not kept", " " + full + " ", ""},
		{"one byte more", full[:len(full)-2] + `x"}`, "metadata is too long"},
		{"as deep as it may be", nested(metadataDepth), ""},
		{"one level more", nested(metadataDepth + 1), "metadata is nested too deeply"},
		{"brackets in a text", `{"a":"\"` + strings.Repeat("[", 2*metadataDepth) + `\\"}`, ""},
		{"side by side", `{"a":[` + strings.Repeat("[],{},", metadataDepth) + `1]}`, ""},
	} {
		if got := check(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
