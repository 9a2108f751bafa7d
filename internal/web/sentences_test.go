package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// The words of the shop for the interface's messages, and the field that each is about.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]advice{
		"userId is required": {"userId", 0, "Choose who is working."},
		"entries[0].requiredQuantityPerBuild must be a number":      {"quantity", 0, "Line 1: Quantity per build must be a number."},
		"entries[4].partType is required":                           {"partType", 4, "Line 5: please fill in Part type."},
		"steps[2].name is required":                                 {"step", 2, "Step 3: please fill in Name."},
		"steps[0].location is too long":                             {"location", 0, "Step 1: Location is too long."},
		"goalQuantity must be greater than 0":                       {"goalQuantity", 0, "Goal quantity must be more than 0."},
		"quantity must be at most 100000":                           {"quantity", 0, "Number of units must be at most 100\u202f000."},
		"quantity must be an integer":                               {"quantity", 0, "Number of units must be a whole number."},
		"name is required":                                          {"name", 0, "Please fill in Name."},
		"SerialNumber not found: SN-00007":                          {"", 0, "There is no unit SN-00007."},
		"Can only complete deferred steps — step status is: waived": {"", 0, "The step is not put off any more: it is waived."},
		// Operations on many units say which one refused.
		"Cannot rework to a step after the current position (SN-00742)": {"target", 0, "SN-00742: The unit has not come to that step yet."},
		"Cannot rework a scrapped serial (SN-1000000)":                  {"", 0, "SN-1000000: The unit is scrapped."},
		"Serial is on hold: see (SN-00007)":                             {"", 0, "The unit is on hold: see (SN-00007)"},
		"SN-00007 stands at step index 3, expected 2 (SN-00007)":        {"", 0, "SN-00007: SN-00007 has moved meanwhile. Nothing was done. Look again."},
		"Exactly one of serialIds, ranges, where is required":           {"units", 0, "Name at least one unit."},
		"At most 100000 serials at once":                                {"units", 0, "These are more than 100\u202f000 units at once."},
		"nonsense (SN-00007)":                                           {"", 0, "nonsense (SN-00007)"},
		// What nobody listed is shown as it is.
		"Ticket SHOP-1 is already linked to job job_1": {"", 0, "Ticket SHOP-1 is already linked to job job_1"},
		"nonsense is required":                         {"", 0, "nonsense is required"},
		"name must be one of: a, b":                    {"", 0, "name must be one of: a, b"},
	} {
		if got := adviseOn(message); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", message, got, want)
		}
	}
}

// No page shows the words of the interface that mean nothing to a person there, whichever message of the root package or of
// internal/access it tells. The messages are read from the source, so that a new one is judged too.
func TestNoInterfaceWordsOnPages(t *testing.T) {
	t.Parallel()
	strange := regexp.MustCompile(`(?i)idempotency|\b(dryRun|onRefusal|expected[A-Z]\w*|header|request|selection|step index)\b`)
	seen := 0
	for _, directory := range []string{"../..", "../access"} {
		for _, message := range messagesOf(t, directory) {
			seen++
			for _, shown := range []string{message, message + shop.RepeatAdvice, message + " (SN-00007)"} {
				if text := told(shown); strange.MatchString(text) {
					t.Errorf("pages show %q for %q", text, shown)
				}
			}
		}
	}
	if seen < 150 {
		t.Errorf("only %d messages were found", seen)
	}
	for message, want := range map[string]string{
		"Job was changed since it was read: job_1":                                        "Somebody changed the job meanwhile. Nothing was done. Look again.",
		"TemplateRoute was changed since it was read: template_1":                         "Somebody changed the template meanwhile. Nothing was done. Look again.",
		"The batch was cut off: 1000 of 2500 serials had their turn." + shop.RepeatAdvice: "This broke off: 1\u202f000 of 2\u202f500 units had their turn. Send the same once more: what was done already is not done twice.",
		"A request with this Idempotency-Key is still running":                            "This was sent before, and is still being worked on. Wait a moment, then look whether it is done.",
	} {
		if got := told(message); got != want {
			t.Errorf("%s:\n got %s\nwant %s", message, got, want)
		}
	}
}

// verb is a place in a message that is filled in.
var verb = regexp.MustCompile(`%[a-zA-Z]`)

// messagesOf are the messages with which the package in a directory refuses, with something filled in.
func messagesOf(t *testing.T, directory string) (messages []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	takeText := func(node ast.Expr) {
		text := ""
		ast.Inspect(node, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				piece, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				text += piece
			}
			return true
		})
		if strings.Contains(text, " ") {
			filled := strings.NewReplacer("%d", "3", "%s", "SN-00007", "%q", `"x"`).Replace(text)
			messages = append(messages, verb.ReplaceAllString(filled, "x"))
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if function, ok := node.Fun.(*ast.Ident); ok && refuses[function.Name] && len(node.Args) > 0 {
					takeText(node.Args[0])
				}
			case *ast.CompositeLit:
				if kind, ok := node.Type.(*ast.Ident); ok && kind.Name == "Error" && len(node.Elts) == 2 {
					takeText(node.Elts[1])
				}
				if kind, ok := node.Type.(*ast.SelectorExpr); ok && kind.Sel.Name == "Error" && len(node.Elts) == 2 {
					takeText(node.Elts[1])
				}
			case *ast.ValueSpec: // messages that others than this package refuse with
				for _, value := range node.Values {
					if _, ok := value.(*ast.BasicLit); ok {
						takeText(value)
					}
					if _, ok := value.(*ast.BinaryExpr); ok {
						takeText(value)
					}
				}
			}
			return true
		})
	}
	return messages
}

// refuses are the functions that make refusals.
var refuses = map[string]bool{"invalid": true, "notFound": true, "conflict": true, "uncertain": true, "forbidden": true}
