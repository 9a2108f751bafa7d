package shop

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// messageOf returns the message of a refusal, or "".
func messageOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestTexts(t *testing.T) {
	t.Parallel()
	long := func(n int) input.TextInput { return input.Given(strings.Repeat("é", n)) } // two bytes per character
	for _, test := range []struct {
		name               string
		in                 input.TextInput
		required, optional string // the message of each function
		kept               string // the value that the accepting functions return
	}{
		{"absent", input.TextInput{}, "name is required", "", ""},
		{"null", input.Null[string](), "name is required", "", ""},
		{"mistyped", input.Mistyped[string](), "name must be a string", "name must be a string", ""},
		{"empty", input.Given(""), "name is required", "", ""},
		{"blank", input.Given(" \t\r\n\u00a0\u2003"), "name is required", "", ""},
		{"more blanks than the limit", input.Given(strings.Repeat(" ", input.NameLimit+1)), "name is required", "", ""},
		{"a text", input.Given("mill"), "", "", "mill"},
		{"space around", input.Given(" mill "), "", "", " mill "},
		{"as long as it may be", long(input.NameLimit), "", "", strings.Repeat("é", input.NameLimit)},
		{"one character too long", long(input.NameLimit + 1), "name is too long", "name is too long", ""},
		{"four bytes a character", input.Given(strings.Repeat("𝛑", input.NameLimit)), "", "", strings.Repeat("𝛑", input.NameLimit)},
		{"NUL", input.Given("a\x00b"), "name must not contain NUL characters", "name must not contain NUL characters", ""},
		{"only NUL", input.Given("\x00"), "name must not contain NUL characters", "name must not contain NUL characters", ""},
	} {
		value, err := input.RequiredName("name", test.in)
		if messageOf(err) != test.required || (err == nil && value != test.kept) {
			t.Errorf("%s, required: %q, %v, want %q, %q", test.name, value, err, test.kept, test.required)
		}
		value, err = input.OptionalWithin("name", test.in, input.NameLimit)
		if messageOf(err) != test.optional || (err == nil && value != test.kept) {
			t.Errorf("%s, optional: %q, %v, want %q, %q", test.name, value, err, test.kept, test.optional)
		}
		value, err = input.RequiredTrimmed(test.in)
		if messageOf(err) != test.required || (err == nil && value != strings.TrimSpace(test.kept)) {
			t.Errorf("%s, trimmed: %q, %v, want %q, %q", test.name, value, err, strings.TrimSpace(test.kept), test.required)
		}
	}
	if _, err := input.RequiredTrimmed(input.Given(" " + strings.Repeat("é", input.NameLimit) + " ")); err != nil {
		t.Errorf("the space around a name counts: %v", err)
	}
	for n, want := range map[int]string{input.TextLimit: "", input.TextLimit + 1: "name is too long"} {
		if _, err := input.RequiredWithin("name", long(n), input.TextLimit, refusal.Required); messageOf(err) != want {
			t.Errorf("a text of %d characters: %v, want %q", n, err, want)
		}
	}
}

func TestChangedName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in   input.TextInput
		want string
	}{
		{input.Null[string](), "name cannot be empty"},
		{input.Given(" "), "name cannot be empty"},
		{input.Mistyped[string](), "name must be a string"},
		{input.Given(strings.Repeat("é", input.NameLimit+1)), "name is too long"},
		{input.Given("a\x00"), "name must not contain NUL characters"},
		{input.Given(" Bracket "), ""},
	} {
		value, err := input.ChangedName(test.in, refusal.NameEmpty)
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
		in                       input.NumberInput
		required, changed, whole string
		value                    int64
	}{
		{"absent", input.NumberInput{}, "f is required", "f must be a number", "f must be a number", 0},
		{"null", input.Null[float64](), "f is required", "f must be a number", "f must be a number", 0},
		{"mistyped", input.Mistyped[float64](), "f must be a number", "f must be a number", "f must be a number", 0},
		{"zero", input.Given(0.0), positive, positive, "", 0},
		{"minus zero", input.Given(math.Copysign(0, -1)), positive, positive, "", 0},
		{"negative", input.Given(-3.0), positive, positive, "", -3},
		{"negative fraction", input.Given(-0.5), positive, positive, "f must be an integer", 0},
		{"fraction", input.Given(0.5), "f must be an integer", "f must be an integer", "f must be an integer", 0},
		{"tiny", input.Given(math.SmallestNonzeroFloat64), "f must be an integer", "f must be an integer", "f must be an integer", 0},
		{"one", input.Given(1.0), "", "", "", 1},
		{"the most", input.Given(9007199254740991.0), "", "", "", 9007199254740991},
		{"one more", input.Given(9007199254740992.0), atMost, atMost, atMost, 0},
		{"far more", input.Given(1e300), atMost, atMost, atMost, 0},
		{"infinity", input.Given(math.Inf(1)), atMost, atMost, atMost, 0},
		{"minus infinity", input.Given(math.Inf(-1)), positive, positive, "", -9007199254740991},
		{"far less", input.Given(-1e300), positive, positive, "", -9007199254740991},
	} {
		for kind, judge := range map[string]struct {
			by   func(string, input.NumberInput) (int64, error)
			want string
		}{
			"required": {input.RequiredQuantity, test.required},
			"changed":  {input.ChangedQuantity, test.changed},
			"whole":    {input.Whole, test.whole},
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
	list := func(in input.TextsInput) error {
		_, err := input.RequiredItems("f", in, refusal.ListEmpty)
		return err
	}
	flag := func(in input.FlagInput) error {
		_, err := input.OptionalFlag("f", in)
		return err
	}
	word := func(in input.TextInput) error {
		_, err := input.OneOf("f", in, advancementModes)
		return err
	}
	steps := func(in StepsInput) error {
		_, err := checkSteps(in)
		return err
	}
	step := func(in StepInput) error {
		return steps(input.Given([]input.Input[StepInput]{input.Given(StepInput{Name: input.Given("mill")}), input.Given(in)}))
	}
	entries := func(in BOMEntriesInput) error {
		_, err := checkEntries(in)
		return err
	}
	entry := func(in BOMEntryInput) error {
		return entries(input.Given([]input.Input[BOMEntryInput]{input.Given(in)}))
	}
	named, one := input.Given("mill"), input.Given(1.0)
	long := input.Given(strings.Repeat("é", input.NameLimit+1))
	for _, test := range []struct {
		err  error
		want string
	}{
		{list(input.TextsInput{}), "f must have at least one item"},
		{list(input.Null[[]input.TextInput]()), "f must have at least one item"},
		{list(input.GivenTexts()), "f must have at least one item"},
		{list(input.Mistyped[[]input.TextInput]()), "f must be an array"},
		{list(input.Given([]input.TextInput{named, input.Mistyped[string]()})), "f[1] must be a string"},
		{list(input.Given([]input.TextInput{named, input.Null[string]()})), "f[1] must be a string"},
		{list(input.GivenTexts("a", " ")), "f[1] is required"},
		{list(input.GivenTexts("a\x00")), "f[0] must not contain NUL characters"},
		{list(input.Given([]input.TextInput{long})), "f[0] is too long"},
		{list(input.GivenTexts(strings.Repeat("é", input.NameLimit))), ""},

		{flag(input.FlagInput{}), ""},
		{flag(input.Null[bool]()), ""},
		{flag(input.Given(true)), ""},
		{flag(input.Mistyped[bool]()), "f must be a boolean"},

		{word(named), "f must be one of: strict, flexible, per_step"},
		{word(input.Given("")), "f must be one of: strict, flexible, per_step"},
		{word(input.Given("Strict")), "f must be one of: strict, flexible, per_step"},
		{word(input.Mistyped[string]()), "f must be a string"},
		{word(input.Given("per_step")), ""},

		{steps(input.Mistyped[[]input.Input[StepInput]]()), "steps must be an array"},
		{steps(input.Null[[]input.Input[StepInput]]()), "steps must be an array"},
		{steps(input.Given([]input.Input[StepInput]{})), "steps is required"},
		{steps(input.Given([]input.Input[StepInput]{input.Mistyped[StepInput]()})), "steps[0] must be an object"},
		{step(StepInput{}), "steps[1].name is required"},
		{step(StepInput{Name: input.Mistyped[string]()}), "steps[1].name must be a string"},
		{step(StepInput{Name: long}), "steps[1].name is too long"},
		{step(StepInput{Name: named, Location: input.Mistyped[string]()}), "steps[1].location must be a string"},
		{step(StepInput{Name: named, Optional: input.Mistyped[bool]()}), "steps[1].optional must be a boolean"},
		{
			step(StepInput{Name: named, DependencyType: input.Given("hard")}),
			"steps[1].dependencyType must be one of: physical, preferred, completion_gate",
		},
		{step(StepInput{Name: named, Location: input.Null[string](), Optional: input.Null[bool](), DependencyType: input.Null[string]()}), ""},

		{entries(input.Mistyped[[]input.Input[BOMEntryInput]]()), "entries must be an array"},
		{entries(input.Given([]input.Input[BOMEntryInput]{})), "entries must have at least one item"},
		{entries(input.Given([]input.Input[BOMEntryInput]{{}})), "entries[0] must be an object"},
		{entry(BOMEntryInput{}), "entries[0].partType is required"},
		{entry(BOMEntryInput{PartType: named}), "entries[0].requiredQuantityPerBuild must be greater than 0"},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: input.Mistyped[float64]()}),
			"entries[0].requiredQuantityPerBuild must be a number",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: input.Given(0.0)}),
			"entries[0].requiredQuantityPerBuild must be greater than 0",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: input.Given(math.Inf(1))}),
			"entries[0].requiredQuantityPerBuild must be at most 9007199254740991",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: one, ContributingJobIDs: input.Mistyped[[]input.TextInput]()}),
			"entries[0].contributingJobIds must be an array",
		},
		{
			entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: one, ContributingJobIDs: input.GivenTexts("a", "")}),
			"entries[0].contributingJobIds[1] is required",
		},
		{entry(BOMEntryInput{PartType: named, RequiredQuantityPerBuild: input.Given(0.25)}), ""},

		{input.Mistyped[json.RawMessage]().Typed("metadata"), "metadata must be an object"},
	} {
		if got := messageOf(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// nested returns JSON with this many levels of objects and lists.
func nested(levels int) string {
	return `{"a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`
}

func TestMetadataLimit(t *testing.T) {
	t.Parallel()
	check := func(text string) string {
		_, err := CreateCertificateInput{
			Type: input.Given("material"), Name: input.Given("3.1"), Metadata: input.Given(json.RawMessage(text)),
		}.check(ident.DefaultPrefix)
		return messageOf(err)
	}
	full := `{"a":"` + strings.Repeat("x", input.MetadataLimit-len(`{"a":""}`)) + `"}`
	for _, test := range []struct{ name, text, want string }{
		{"full", full, ""},
		{"full, with space that is not kept", " " + full + " ", ""},
		{"one byte more", full[:len(full)-2] + `x"}`, "metadata is too long"},
		{"as deep as it may be", nested(input.MetadataDepth), ""},
		{"one level more", nested(input.MetadataDepth + 1), "metadata is nested too deeply"},
		{"brackets in a text", `{"a":"\"` + strings.Repeat("[", 2*input.MetadataDepth) + `\\"}`, ""},
		{"side by side", `{"a":[` + strings.Repeat("[],{},", input.MetadataDepth) + `1]}`, ""},
	} {
		if got := check(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
