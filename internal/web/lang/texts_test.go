package lang_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template/parse"

	"golang.org/x/tools/go/packages"

	"github.com/routecard/routecard/internal/web/lang"
)

// found is a text of the catalogue and one place where the source uses it.
type found struct {
	one, many lang.Text
	where     string   // the file and the line
	passed    []string // names of the arguments that are passed; nil if they are not constant
}

// source is the source of the pages: the Go packages with their types, the templates, and the scripts.
type source struct {
	packages  []*packages.Package
	templates map[string]map[string]*parse.Tree // by file
	scripts   map[string][]byte
}

// readSource reads the source of the pages, once for all tests.
func readSource(t *testing.T) source {
	t.Helper()
	read, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

var readOnce = sync.OnceValues(func() (source, error) {
	config := &packages.Config{Dir: "..", Mode: packages.LoadSyntax} //nolint:staticcheck // the bits that it stands for
	loaded, err := packages.Load(config, "./...", "../station", "../as9102", "../dossier")
	if err != nil {
		return source{}, err
	}
	for _, p := range loaded {
		for _, problem := range p.Errors {
			return source{}, problem
		}
	}
	read := source{packages: loaded, templates: map[string]map[string]*parse.Tree{}, scripts: map[string][]byte{}}
	for pattern, least := range map[string]int{
		"../templates/*.html": 5, "../static/*.js": 5, "../../dossier/*.html": 2, "../../dossier/*.js": 1,
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < least {
			return source{}, fmt.Errorf("%s: %d files: %w", pattern, len(files), err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return source{}, err
			}
			folder := filepath.Base(filepath.Dir(file)) + "/"
			if name := filepath.Base(file); filepath.Ext(file) == ".js" {
				if !slices.Contains([]string{"htmx.min.js", "zxing_reader.js", "texts.js"}, name) { // two are not ours, the third defines T
					read.scripts[folder+name] = content
				}
				continue
			}
			trees := map[string]*parse.Tree{}
			tree := parse.New(filepath.Base(file))
			tree.Mode = parse.SkipFuncCheck
			if _, err := tree.Parse(string(content), "", "", trees); err != nil {
				return source{}, err
			}
			read.templates[folder+filepath.Base(file)] = trees
		}
	}
	return read, nil
})

// texts returns all texts of the catalogue.
func (s source) texts(t *testing.T) (all []found) {
	t.Helper()
	for _, p := range s.packages {
		for _, file := range p.Syntax {
			all = append(all, textsInGo(t, p, file)...)
		}
	}
	for file, trees := range s.templates {
		for _, tree := range trees {
			inTemplate(tree, func(call []parse.Node, at parse.Node) {
				location, _ := tree.ErrorContext(at)
				all = append(all, textsInCall(call, path.Dir(file)+"/"+location)...)
			})
		}
	}
	for name, script := range s.scripts {
		for _, text := range lang.ScriptTexts(script) {
			all = append(all, found{one: text.One, many: text.Many, where: name})
		}
	}
	return all
}

// textsInGo returns the texts in a file: its constants of type Text. A text for one and a text for more belong together if they are the
// arguments one and many of a call, or the fields One and Many of a literal.
func textsInGo(t *testing.T, p *packages.Package, file *ast.File) (all []found) {
	t.Helper()
	where := func(node ast.Node) string { return position(p, node) }
	paired := map[ast.Expr]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CompositeLit:
			var one, many ast.Expr
			for _, element := range node.Elts {
				if pair, keyed := element.(*ast.KeyValueExpr); keyed {
					switch fmt.Sprint(pair.Key) {
					case "One":
						one = pair.Value
					case "Many":
						many = pair.Value
					}
				}
			}
			if one != nil && many != nil && isText(p, one) {
				all = append(all, found{one: textOf(p, one), many: textOf(p, many), where: where(node)})
				paired[one], paired[many] = true, true
			}
		case *ast.CallExpr:
			signature, ok := p.TypesInfo.TypeOf(node.Fun).(*types.Signature)
			if !ok {
				if p.TypesInfo.Types[node.Fun].IsType() && isType(p.TypesInfo.TypeOf(node.Fun)) && !isText(p, node) {
					if name := where(node); !slices.ContainsFunc(converted, func(file string) bool { return strings.HasPrefix(name, file) }) {
						t.Errorf("%s converts to lang.Text what is no constant: the catalogue cannot know it", name)
					}
				}
				break
			}
			call := found{where: where(node), passed: passedInGo(p, signature, node)}
			for i, argument := range node.Args {
				if i >= signature.Params().Len() || !isText(p, argument) {
					continue
				}
				switch signature.Params().At(i).Name() {
				case "one":
					call.one = textOf(p, argument)
				case "many":
					call.many = textOf(p, argument)
				default:
					if signature.Variadic() && i == signature.Params().Len()-1 {
						continue
					}
					all = append(all, found{one: textOf(p, argument), where: where(node), passed: call.passed})
				}
				paired[argument] = true
			}
			if call.many != "" {
				all = append(all, call)
			}
		case ast.Expr:
			if isText(p, node) && !paired[node] {
				all = append(all, found{one: textOf(p, node), where: where(node)})
			}
			return !isText(p, node)
		}
		return true
	})
	return slices.DeleteFunc(all, func(text found) bool { return text.one == "" })
}

// converted lists the files that may convert values other than constants to Text.
var converted = []string{
	"lang/",                                        // reads translations and scripts
	"site/render.go:",                              // columns; their constants in templates are collected
	"site/entrydetails.go:", "site/signedrows.go:", // names of fields of the interface
	"wording/", // permissions, reasons of refusals, and identifiers of the interface
}

// passedInGo returns the names of the arguments in a call with pairs. It returns nil if there are none or if they are not constant.
func passedInGo(p *packages.Package, signature *types.Signature, call *ast.CallExpr) []string {
	last := signature.Params().Len() - 1
	if !signature.Variadic() || signature.Params().At(last).Name() != "pairs" || call.Ellipsis.IsValid() {
		return nil
	}
	passed := []string{}
	if signature.Params().At(0).Name() == "count" {
		passed = append(passed, "n")
	}
	for i := last; i < len(call.Args); i += 2 {
		value := p.TypesInfo.Types[call.Args[i]].Value
		if value == nil || value.Kind() != constant.String {
			return nil
		}
		passed = append(passed, constant.StringVal(value))
	}
	return passed
}

func isText(p *packages.Package, e ast.Expr) bool {
	known, ok := p.TypesInfo.Types[e]
	return ok && known.Value != nil && isType(known.Type)
}

func isType(of types.Type) bool {
	return of != nil && of.String() == "github.com/routecard/routecard/internal/web/lang.Text"
}

func textOf(p *packages.Package, e ast.Expr) lang.Text {
	value := p.TypesInfo.Types[e].Value
	if value == nil {
		return ""
	}
	return lang.Text(constant.StringVal(value))
}

// position returns the file, relative to internal/web, and the line of a node.
func position(p *packages.Package, node ast.Node) string {
	at := p.Fset.Position(node.Pos())
	_, file, inside := strings.Cut(filepath.ToSlash(at.Filename), "/internal/web/")
	if !inside {
		_, file, _ = strings.Cut(filepath.ToSlash(at.Filename), "/internal/")
	}
	return file + ":" + strconv.Itoa(at.Line)
}

// inTemplate calls visit for each call in a template, with the function and its arguments.
func inTemplate(tree *parse.Tree, visit func(call []parse.Node, at parse.Node)) {
	var walk func(node parse.Node)
	pipe := func(p *parse.PipeNode) {
		if p == nil {
			return
		}
		for _, command := range p.Cmds {
			walk(command)
		}
	}
	list := func(l *parse.ListNode) {
		if l != nil {
			for _, node := range l.Nodes {
				walk(node)
			}
		}
	}
	branch := func(b *parse.BranchNode) {
		pipe(b.Pipe)
		list(b.List)
		list(b.ElseList)
	}
	walk = func(node parse.Node) {
		switch node := node.(type) {
		case *parse.ActionNode:
			pipe(node.Pipe)
		case *parse.TemplateNode:
			pipe(node.Pipe)
		case *parse.IfNode:
			branch(&node.BranchNode)
		case *parse.RangeNode:
			branch(&node.BranchNode)
		case *parse.WithNode:
			branch(&node.BranchNode)
		case *parse.PipeNode:
			pipe(node)
		case *parse.CommandNode:
			visit(node.Args, node)
			for _, argument := range node.Args {
				walk(argument)
			}
		}
	}
	list(tree.Root)
}

// textsInCall returns the texts in a call of a template.
func textsInCall(call []parse.Node, where string) (all []found) {
	name, ok := call[0].(*parse.IdentifierNode)
	if !ok {
		return nil
	}
	literal := func(i int) lang.Text {
		if i < len(call) {
			if text, ok := call[i].(*parse.StringNode); ok {
				return lang.Text(text.Text)
			}
		}
		return ""
	}
	passed := func(from int) (names []string) {
		for i := from; i < len(call); i += 2 {
			names = append(names, string(literal(i)))
		}
		return names
	}
	switch name.Ident {
	case "t", "ts":
		if text := literal(1); text != "" {
			return []found{{one: text, where: where, passed: append([]string{}, passed(2)...)}}
		}
	case "tn":
		if one := literal(2); one != "" {
			return []found{{one: one, many: literal(3), where: where, passed: append([]string{"n"}, passed(4)...)}}
		}
	case "columns":
		for i := 1; i < len(call); i++ {
			if text := strings.TrimSuffix(string(literal(i)), ":num"); text != "" {
				all = append(all, found{one: lang.Text(text), where: where})
			}
		}
	}
	return all
}

// places matches the placeholders of a text.
var places = regexp.MustCompile(`\{/?([A-Za-z]\w*)(?::\w+)?\}`)

// placesOf returns the names of a text's placeholders, sorted and without duplicates.
func placesOf(text string) []string {
	var names []string
	for _, place := range places.FindAllStringSubmatch(text, -1) {
		names = append(names, place[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Each placeholder of a text gets an argument, and each argument has a placeholder.
func TestTextsGetTheirArguments(t *testing.T) {
	t.Parallel()
	all := readSource(t).texts(t)
	if len(all) < 100 {
		t.Errorf("only %d texts were found", len(all))
	}
	for _, text := range all {
		if text.passed == nil {
			continue
		}
		wanted := placesOf(string(text.one + text.many))
		passed := slices.Sorted(slices.Values(text.passed))
		if text.many != "" && !slices.Contains(wanted, "n") {
			wanted = append([]string{"n"}, wanted...) // a text may omit the number
			slices.Sort(wanted)
		}
		if !slices.Equal(wanted, slices.Compact(passed)) {
			t.Errorf("%s: %q has the places %q and gets %q", text.where, text.one, wanted, passed)
		}
	}
}

// A text for one and its text for more have the same placeholders. A text for one always has the same text for more.
func TestTextsWithCounts(t *testing.T) {
	t.Parallel()
	many := map[lang.Text]lang.Text{}
	for _, text := range readSource(t).texts(t) {
		if text.many == "" {
			continue
		}
		if other, known := many[text.one]; known && other != text.many {
			t.Errorf("%s: for more than one, %q is %q and elsewhere %q", text.where, text.one, text.many, other)
		}
		many[text.one] = text.many
		one, more := placesOf(string(text.one)), placesOf(string(text.many))
		if !slices.Equal(slices.DeleteFunc(one, isCount), slices.DeleteFunc(more, isCount)) {
			t.Errorf("%s: %q and %q have other places", text.where, text.one, text.many)
		}
	}
}

func isCount(place string) bool { return place == "n" }
