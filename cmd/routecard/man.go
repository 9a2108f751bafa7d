package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type manCommand struct{}

// Run prints the manual page of the program.
func (manCommand) Run(w *world, parsed *kong.Context) error {
	return printManual(w.stdout, parsed.Model)
}

func printManual(out io.Writer, program *kong.Application) error {
	commands := describe(program)
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ROUTECARD 1 2026-01-01 routecard\n.SH NAME\nroutecard \\- %s\n", roff(strings.TrimSuffix(program.Help, ".")))
	b.WriteString(".SH SYNOPSIS\n.B routecard\n.RI [ COMMAND ]\n.RI [ FLAGS ]\n.SH COMMANDS\n")
	for _, command := range commands[1:] {
		heading := command.path
		if command.argument != "" {
			heading += " " + strings.ToUpper(command.argument)
		}
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff(heading), roff(command.help))
		for _, flag := range command.flags {
			b.WriteString(".TP\n.B \\-\\-" + roff(flag.Name))
			if !flag.IsBool() {
				placeholder := flag.PlaceHolder
				if placeholder == "" {
					placeholder = strings.ToUpper(flag.Name)
				}
				fmt.Fprintf(&b, " %s", roff(placeholder))
			}
			b.WriteString("\n" + roff(flag.Help))
			if flag.HasDefault && flag.Default != "" {
				fmt.Fprintf(&b, "\nOtherwise %s.", roff(flag.Default))
			}
			if len(flag.Envs) > 0 {
				fmt.Fprintf(&b, "\nAlso %s.", roff("$"+strings.Join(flag.Envs, ", $")))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString(".SH EXIT STATUS\n0 when the command did its work, 1 when it failed, 2 when the command line or a setting is wrong.\n" +
		"Of commands that ask a service, 1 says that it refused, and 2 that it could not be asked.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// roff returns a text escaped for a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
