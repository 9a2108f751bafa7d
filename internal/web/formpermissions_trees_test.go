package web

import (
	"slices"
	"testing"
	"text/template/parse"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/office"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// TestTemplatesAskForOperations checks in all templates that the names given to May and Leads are operations. If no test executes the
// branch with a wrong name, it would otherwise fail only for a visitor.
func TestTemplatesAskForOperations(t *testing.T) {
	t.Parallel()
	asked := 0
	for name, view := range site.LoadViews(templateFiles, site.LoadAssets(staticFiles, lang.Languages()), office.Menu(), lang.English()) {
		for _, part := range view().Templates() {
			if part.Tree == nil {
				continue
			}
			for command := range commands(part.Tree.Root) {
				if len(command.Args) != 2 || !slices.Contains([]string{"May", "Leads"}, methodOf(command.Args[0])) {
					continue
				}
				operation, ok := command.Args[1].(*parse.StringNode)
				if !ok {
					continue // a value of the page, whose type is checked
				}
				asked++
				if !shop.Operation(operation.Text).Known() {
					t.Errorf("%s, %s asks whether one may %q, which is no operation", name, part.Name(), operation.Text)
				}
			}
		}
	}
	if asked < 50 {
		t.Errorf("only %d questions were found", asked)
	}
}

// methodOf returns the last name in a call.
func methodOf(called parse.Node) string {
	switch called := called.(type) {
	case *parse.FieldNode:
		return called.Ident[len(called.Ident)-1]
	case *parse.VariableNode:
		return called.Ident[len(called.Ident)-1]
	}
	return ""
}

// commands lists all commands below a node of a template.
func commands(node parse.Node) func(yield func(*parse.CommandNode) bool) {
	return func(yield func(*parse.CommandNode) bool) { visitCommands(node, yield) }
}

func visitCommands(node parse.Node, yield func(*parse.CommandNode) bool) bool {
	var below []parse.Node
	branch := func(b *parse.BranchNode) {
		below = append(below, b.Pipe, b.List)
		if b.ElseList != nil {
			below = append(below, b.ElseList)
		}
	}
	switch node := node.(type) {
	case *parse.ListNode:
		below = node.Nodes
	case *parse.ActionNode:
		below = append(below, node.Pipe)
	case *parse.TemplateNode:
		if node.Pipe != nil {
			below = append(below, node.Pipe)
		}
	case *parse.IfNode:
		branch(&node.BranchNode)
	case *parse.RangeNode:
		branch(&node.BranchNode)
	case *parse.WithNode:
		branch(&node.BranchNode)
	case *parse.PipeNode:
		for _, command := range node.Cmds {
			below = append(below, command)
		}
	case *parse.CommandNode:
		if !yield(node) {
			return false
		}
		below = node.Args
	}
	for _, child := range below {
		if !visitCommands(child, yield) {
			return false
		}
	}
	return true
}
