package lang_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/tools/go/packages"
)

// TestEveryTextIsInTheCatalogue finds texts that a page shows and that are not in the catalogue.
func TestEveryTextIsInTheCatalogue(t *testing.T) {
	t.Parallel()
	read := readSource(t)
	unmarked := map[string][]string{}
	for file, trees := range read.templates {
		for _, name := range slices.Sorted(maps.Keys(trees)) {
			unmarked[file] = append(unmarked[file], unmarkedInTemplate(trees[name])...)
		}
	}
	for _, p := range read.packages {
		for _, file := range p.Syntax {
			name, _, _ := strings.Cut(position(p, file), ":")
			if p.Name != "lang" && !slices.Contains(english, name) {
				unmarked[name] = append(unmarked[name], unmarkedInGo(p, file)...)
			}
		}
	}
	for name, script := range read.scripts {
		unmarked[name] = unmarkedInScript(string(script))
	}
	for _, file := range slices.Sorted(maps.Keys(unmarked)) {
		if len(unmarked[file]) > 0 {
			t.Errorf("%s has texts that are not in the catalogue (docs/translating.md says how to mark them):\n\t%s", file,
				strings.Join(unmarked[file], "\n\t"))
		}
	}
}

// english lists the files whose texts are in English for everybody: the command line, and files that programs read.
var english = []string{"dossier/verify.go", "dossier/bag.go"}

// same matches words that no language translates: the program's name, and keys.
var same = regexp.MustCompile(`\bRoutecard\b|\bCtrl K\b|\bUTC\b|\bQR\b|\bPIN\b|\bGTIN\b|\bCSV\b|\bExcel\b|\bSN-\d+\b|\bNCR-\d+\b|\bJSON\b|\bSHA-256\b`)

// speaks reports whether a text contains words of a language.
func speaks(text string) bool {
	return strings.IndexFunc(same.ReplaceAllString(strings.ReplaceAll(text, inserted, ""), ""), unicode.IsLetter) >= 0
}

// inserted stands for the values that a template inserts.
const inserted = "\uFFFC"

// shownAttributes are the attributes whose text a page displays or a screen reader reads.
var shownAttributes = []string{"placeholder", "title", "alt", "label", "aria-label", "aria-description", "aria-roledescription", "data-label"}

// notShown are the elements whose content is not for people, or the same in every language.
var notShown = []string{"code", "script", "style"}

// unmarkedInTemplate returns the texts of a template that are not in the catalogue: between tags, in attributes, and among the arguments of
// functions.
func unmarkedInTemplate(tree *parse.Tree) (found []string) {
	page := strings.NewReplacer("<noscript>", "", "</noscript>", "").Replace(flat(tree.Root)) // the tokenizer takes what is inside for text
	if regexp.MustCompile(`^\s*[\w:-]+="`).MatchString(page) {
		page = "<x " + page + ">" // the template is a part of a tag
	}
	tokens := html.NewTokenizer(strings.NewReader(page))
	code := 0
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		switch {
		case kind == html.TextToken && code == 0 && speaks(token.Data):
			found = append(found, strings.Join(strings.Fields(token.Data), " "))
		case kind == html.StartTagToken && slices.Contains(notShown, token.Data):
			code++
		case kind == html.EndTagToken && slices.Contains(notShown, token.Data):
			code--
		}
		for _, attribute := range token.Attr {
			words := strings.HasPrefix(attribute.Key, "data-") && regexp.MustCompile(`^[A-Z].*[a-z] [a-z]`).MatchString(attribute.Val)
			if (words || slices.Contains(shownAttributes, attribute.Key)) && speaks(attribute.Val) {
				found = append(found, attribute.Key+"="+attribute.Val)
			}
		}
	}
	inTemplate(tree, func(call []parse.Node, at parse.Node) {
		location, _ := tree.ErrorContext(at)
		for _, text := range unmarkedArguments(call) {
			found = append(found, location+": "+text)
		}
	})
	return found
}

// flat renders a template with all its branches, one after the other.
func flat(list *parse.ListNode) string {
	if list == nil {
		return ""
	}
	var written strings.Builder
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.TextNode:
			written.Write(node.Text)
		case *parse.ActionNode, *parse.TemplateNode:
			written.WriteString(inserted)
		case *parse.IfNode:
			written.WriteString(flat(node.List) + flat(node.ElseList))
		case *parse.RangeNode:
			written.WriteString(flat(node.List) + flat(node.ElseList))
		case *parse.WithNode:
			written.WriteString(flat(node.List) + flat(node.ElseList))
		}
	}
	return written.String()
}

// shownWords matches an argument that a page shows: several words, or one capitalized word.
var shownWords = regexp.MustCompile(`^[A-Z][a-z]|[A-Za-z]\S* \S*[a-z]`)

// unmarkedArguments returns the texts among the arguments of a call in a template.
func unmarkedArguments(call []parse.Node) (found []string) {
	name := ""
	if identifier, ok := call[0].(*parse.IdentifierNode); ok {
		name = identifier.Ident
	}
	if slices.Contains([]string{"t", "ts", "tn", "columns", "eq", "ne", "asset", "index", "element"}, name) {
		return nil
	}
	for i, argument := range call {
		text, ok := argument.(*parse.StringNode)
		isName := name == "record" && i%2 == 1
		if ok && !isName && speaks(text.Text) && (name == "plural" || shownWords.MatchString(text.Text)) && !strings.Contains(text.Text, "%") {
			found = append(found, text.Text)
		}
	}
	return found
}

// forProgrammers lists the functions whose texts no page shows: errors of the program, log messages, names of headers and fields.
var forProgrammers = []string{
	"Errorf", "New", "panic", "MustCompile", "Handle", "Error", "Warn", "Info", "Log", "Debug", "Get", "Set", "Add", "Del", "Values", "Has",
	"SetCookie", "Contains", "HasPrefix", "HasSuffix", "TrimPrefix", "TrimSuffix", "CutPrefix", "CutSuffix", "Cut", "Replace", "ReplaceAll", "NewReplacer",
	"Parse", "ParseInLocation", "NewReason",
}

// spoken matches a constant that may be a text: several words, or one capitalized word.
var spoken = regexp.MustCompile(`\pL[\pL,.:;'’“”{}]* [\pL{“]|^ ?[A-Z][a-z]+[.:?! ]*$|^ [a-z]+|[a-z] $`)

// unmarkedInGo returns the constants in a file that a page may show and that are not of type Text. A comment "not a text:" with the reason
// excepts its line.
func unmarkedInGo(p *packages.Package, file *ast.File) (found []string) {
	excepted := map[int]bool{}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if strings.Contains(comment.Text, "not a text:") {
				excepted[p.Fset.Position(comment.Pos()).Line] = true
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.StructType:
			return false // tags
		case *ast.CallExpr:
			called := ""
			switch function := node.Fun.(type) {
			case *ast.SelectorExpr:
				called = function.Sel.Name
			case *ast.Ident:
				called = function.Name
			}
			switch signature, ok := p.TypesInfo.TypeOf(node.Fun).(*types.Signature); {
			case called == "Plural":
				found = append(found, position(p, node)+": Plural: use TN")
			case ok && len(node.Args) > 0 && p.TypesInfo.Types[node.Args[0]].IsNil() && !excepted[p.Fset.Position(node.Pos()).Line] &&
				strings.HasSuffix(signature.Params().At(0).Type().String(), "/lang.Language"):
				found = append(found, position(p, node)+": "+called+": pass the language")
			}
			return !slices.Contains(forProgrammers, called)
		case ast.Expr:
			known := p.TypesInfo.Types[node]
			if known.Value == nil || known.Value.Kind() != constant.String {
				return true
			}
			if _, isName := node.(*ast.Ident); isName || isText(p, node) {
				return false
			}
			if _, isField := node.(*ast.SelectorExpr); isField {
				return false
			}
			text := constant.StringVal(known.Value)
			ignored := strings.Contains(text, " /") || strings.HasPrefix(text, "<") || excepted[p.Fset.Position(node.Pos()).Line]
			if !ignored && spoken.MatchString(text) && speaks(text) && known.Type.String() == "string" {
				found = append(found, fmt.Sprintf("%s: %q", position(p, node), text))
			}
			return false
		}
		return true
	})
	return found
}

// technical matches strings in scripts that no page shows: names of keys, headers, classes, elements and kinds of data.
var technical = regexp.MustCompile(`^"(?:use strict|Shift|Control|Alt|Meta|Fn|Dead|Process|Unidentified|Enter|Tab|Escape|Space|Backspace|Delete|Home|End|` +
	`Files|Plain|Accept|Routecard-Live|Routecard-Signed-Out|Content-[A-Z][a-z]+|Idempotency-Key|result bad|button primary|` +
	`[, ]*(?:(?:main )?(?:a|button|input|select|label|summary|textarea)[, ]*)+)"$`)

// unmarkedInScript returns the texts in a script that are not arguments of T or TN.
func unmarkedInScript(script string) (found []string) {
	literals := regexp.MustCompile("(?m)//.*$|\\b(?:T|TN|TNodes)\\([^()]*|/(?:[^/\\n\\\\ ]|\\\\.)+/[a-z]*|\"(?:[^\"\\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	isText := regexp.MustCompile(`^["\x60] ?[A-Z][a-z]+[ .",:;!?\x60-]|^["\x60][^<#.\[\]=]*[A-Za-z,.:] [a-zA-Z][^=\[\]<#]*["\x60]$|: \w`)
	for number, line := range strings.Split(script, "\n") {
		if strings.Contains(line, "not a text:") {
			continue
		}
		for _, literal := range literals.FindAllString(line, -1) {
			if (literal[0] == '"' || literal[0] == '`') && isText.MatchString(literal) && speaks(literal) && !technical.MatchString(literal) {
				found = append(found, fmt.Sprintf("line %d: %s", number+1, literal))
			}
		}
	}
	return found
}
