package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" help:"The shell: ${enum}." enum:"bash,zsh,fish"`
}

// Run prints a script that completes commands, flags and their values in a shell.
func (c *completionCommand) Run(w *world, parsed *kong.Context) error {
	printed := map[string]func(io.Writer, []describedCommand) error{"bash": printBash, "zsh": printZsh, "fish": printFish}[c.Shell]
	return printed(w.stdout, describe(parsed.Model))
}

// describedCommand is a command, described from its definition. The first described command is the program itself.
type describedCommand struct {
	path     string // its words, such as "config check"; "" for the program
	help     string
	flags    []*kong.Flag
	values   []string // the possible values of its argument, if they are known
	argument string   // the name of its argument, "" for none
	children []*kong.Node
}

// describe lists the program and its commands, each after its parent.
func describe(program *kong.Application) []describedCommand {
	commands := []describedCommand{}
	var add func(node *kong.Node, path string)
	add = func(node *kong.Node, path string) {
		one := describedCommand{path: path, help: node.Help}
		for _, flag := range node.Flags {
			if !flag.Hidden {
				one.flags = append(one.flags, flag)
			}
		}
		for _, argument := range node.Positional {
			one.argument = argument.Name
			one.values = oneOf(argument)
		}
		for _, child := range node.Children {
			if !child.Hidden {
				one.children = append(one.children, child)
			}
		}
		if node.DefaultCmd != nil { // its flags are accepted without its name
			one.flags = append(one.flags, node.DefaultCmd.Flags...)
		}
		commands = append(commands, one)
		for _, child := range one.children {
			add(child, strings.TrimSpace(path+" "+child.Name))
		}
	}
	add(program.Node, "")
	return commands
}

// oneOf lists the possible texts of a value, if they are known.
func oneOf(value *kong.Value) []string {
	if value.Enum == "" {
		return nil
	}
	return strings.Split(value.Enum, ",")
}

// words returns the possible arguments of a command: its subcommands, the values of its argument, and its flags.
func (c *describedCommand) words() []string {
	var words []string
	for _, child := range c.children {
		words = append(words, child.Name)
	}
	words = append(words, c.values...)
	for _, flag := range c.flags {
		words = append(words, "--"+flag.Name)
	}
	return words
}

// paths returns an sh pattern for the words of a command line that select one of the commands.
func paths(commands []describedCommand) string {
	var all []string
	for _, command := range commands[1:] {
		all = append(all, `"`+command.path+`"`)
	}
	return strings.Join(all, "|")
}

// printFlags prints the cases of sh for the values of a flag: known values, put into a format, or any other value.
func printFlags(b *strings.Builder, commands []describedCommand, values, others string) {
	for _, command := range commands {
		for _, flag := range command.flags {
			act := others
			if known := oneOf(flag.Value); known != nil {
				act = fmt.Sprintf(values, strings.Join(known, " "))
			} else if flag.IsBool() {
				continue
			}
			fmt.Fprintf(b, "\t\"%s --%s\") %s ;;\n", command.path, flag.Name, act)
		}
	}
}

func printBash(out io.Writer, commands []describedCommand) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# Completion of routecard in bash: source <(routecard completion bash)
_routecard() {
	local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at="" word words=""
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "${at:+$at }$word" in
		%s) at="${at:+$at }$word" ;;
		esac
	done
	case "$at $prev" in
`, paths(commands))
	printFlags(&b, commands, `words="%s"`, `COMPREPLY=(); return`)
	b.WriteString("\tesac\n\tif [ -z \"$words\" ]; then\n\t\tcase \"$at\" in\n")
	for _, command := range commands {
		fmt.Fprintf(&b, "\t\t\"%s\") words=\"%s\" ;;\n", command.path, strings.Join(command.words(), " "))
	}
	b.WriteString("\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _routecard routecard\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// quoted returns a text quoted for sh.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func printZsh(out io.Writer, commands []describedCommand) error {
	var b strings.Builder
	fmt.Fprintf(&b, `#compdef routecard
# Completion of routecard in zsh: source <(routecard completion zsh)
_routecard() {
	local at="" word prev="${words[CURRENT-1]}"
	local -a entries
	for word in "${(@)words[2,CURRENT-1]}"; do
		case "${at:+$at }$word" in
		%s) at="${at:+$at }$word" ;;
		esac
	done
	case "$at $prev" in
`, paths(commands))
	printFlags(&b, commands, `compadd %s; return`, `_files; return`)
	b.WriteString("\tesac\n\tcase \"$at\" in\n")
	entry := func(name, help string) string { return quoted(name + ":" + strings.ReplaceAll(help, ":", `\:`)) }
	for _, command := range commands {
		var entries []string
		for _, child := range command.children {
			entries = append(entries, entry(child.Name, child.Help))
		}
		for _, value := range command.values {
			entries = append(entries, quoted(value))
		}
		for _, flag := range command.flags {
			entries = append(entries, entry("--"+flag.Name, flag.Help))
		}
		fmt.Fprintf(&b, "\t\"%s\") entries=(%s) ;;\n", command.path, strings.Join(entries, " "))
	}
	b.WriteString("\tesac\n\t_describe routecard entries || _files\n}\n")
	b.WriteString("if [ \"${funcstack[1]}\" = _routecard ]; then _routecard \"$@\"; else compdef _routecard routecard; fi\n")
	_, err := io.WriteString(out, b.String())
	return err
}

func printFish(out io.Writer, commands []describedCommand) error {
	var b strings.Builder
	b.WriteString("# Completion of routecard in fish: routecard completion fish | source\nfunction __routecard_at\n\tset -l at\n" +
		"\tfor word in (commandline -opc)[2..-1]\n\t\tswitch \"$at $word\"\n\t\t\tcase")
	for _, command := range commands[1:] {
		path := command.path
		if !strings.Contains(path, " ") {
			path = " " + path
		}
		fmt.Fprintf(&b, " %s", quoted(path))
	}
	b.WriteString("\n\t\t\t\tset at (string trim \"$at $word\")\n\t\tend\n\tend\n\ttest \"$at\" = \"$argv[1]\"\nend\n")
	// In fish, \' is a quote in a text in single quotes.
	inFish := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
	}
	for _, command := range commands {
		here := "complete -c routecard -n " + inFish(`__routecard_at "`+command.path+`"`)
		for _, child := range command.children {
			fmt.Fprintf(&b, "%s -f -a %s -d %s\n", here, child.Name, inFish(child.Help))
		}
		if command.values != nil {
			fmt.Fprintf(&b, "%s -f -a %s\n", here, inFish(strings.Join(command.values, " ")))
		}
		for _, flag := range command.flags {
			fmt.Fprintf(&b, "%s -l %s -d %s", here, flag.Name, inFish(flag.Help))
			if values := oneOf(flag.Value); values != nil {
				fmt.Fprintf(&b, " -x -a %s", inFish(strings.Join(values, " ")))
			} else if !flag.IsBool() {
				b.WriteString(" -r")
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
