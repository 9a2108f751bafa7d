package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/tracker"
)

// configSettings has the name of the file with the other settings.
type configSettings struct {
	Config string `help:"YAML file with settings, named like these flags. Flags override environment variables, which override the file." placeholder:"FILE"`
}

// configCommand has commands that work on settings without the service.
type configCommand struct {
	Check checkConfigCommand `cmd:"" help:"Validate settings and the files they refer to. Exit status 0: valid, 2: not valid."`
	Show  showConfigCommand  `cmd:"" help:"Print all settings with their origin, as a file for --config, without secrets in addresses."`
}

type checkConfigCommand struct{ serveCommand }

// Run validates the settings and opens no database.
func (c *checkConfigCommand) Run(w *world, parsed *kong.Context) error {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	warnOfVariables(parsed, logger)
	if _, err := c.judged(logger); err != nil {
		return wrongSettings(err)
	}
	_, err = fmt.Fprintln(w.stdout, "The settings are right.")
	return err
}

type showConfigCommand struct{ serveCommand }

// Run prints the settings in the order of the flags.
func (c *showConfigCommand) Run(w *world, parsed *kong.Context) error {
	all := &yaml.Node{Kind: yaml.MappingNode}
	for _, flag := range settingsOf(parsed.Selected()) {
		value := &yaml.Node{}
		if err := value.Encode(shownSetting(flag)); err != nil {
			return err
		}
		value.LineComment = sourceOf(flag, parsed, c.Config)
		if value.Kind == yaml.SequenceNode {
			value.Style = yaml.FlowStyle
		}
		all.Content = append(all.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: flag.Name}, value)
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		return err
	}
	_, err = w.stdout.Write(text)
	return err
}

// sourceOf returns the source of a flag's value: the settings file, the command line, a variable, or none.
func sourceOf(flag *kong.Flag, parsed *kong.Context, file string) string {
	for _, part := range parsed.Path {
		if part.Flag == flag && part.Resolved {
			return file
		}
		if part.Flag == flag {
			return "command line"
		}
	}
	if variable, ok := variableOf(flag); ok {
		return variable
	}
	return "default"
}

// variableOf returns the environment variable that sets a flag.
func variableOf(flag *kong.Flag) (name string, ok bool) {
	for _, name := range flag.Envs {
		if _, ok := os.LookupEnv(name); ok {
			return name, true
		}
	}
	return "", false
}

// shownSetting returns the value of a flag, without secrets in addresses.
func shownSetting(flag *kong.Flag) any {
	switch value := flag.Target.Interface().(type) {
	case bool, int, int64:
		return value
	case []string:
		shown := []string{} // an empty list instead of null
		for _, one := range value {
			shown = append(shown, withoutSecrets(one))
		}
		return shown
	case string:
		return withoutSecrets(value)
	default:
		return fmt.Sprint(value)
	}
}

// settingsOf returns the flags of a command that can be set in a file. Flags with the tag beside cannot.
func settingsOf(command *kong.Node) []*kong.Flag {
	return slices.DeleteFunc(slices.Clone(command.Flags), func(flag *kong.Flag) bool {
		return flag.Name == "config" || flag.Name == "help" || flag.Tag.Has("beside")
	})
}

// configFile is a file with settings. It maps the name of a flag to a text or a list of texts.
type configFile map[string]any

// Validate implements kong.Resolver. It checks nothing: readConfig has validated the file.
func (f configFile) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. An environment variable takes precedence over the file.
func (f configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if _, ok := variableOf(flag); ok {
		return nil, nil //nolint:nilnil // kong's way to return none
	}
	return f[flag.Name], nil
}

// readConfig reads a file with settings and validates all of it: errors are reported together, each with its line.
func readConfig(file string, known []*kong.Flag) (configFile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	found, err := parseConfig(text, known)
	if err != nil {
		return nil, fmt.Errorf("--config %s: %w", file, err)
	}
	return found, nil
}

func parseConfig(text []byte, known []*kong.Flag) (configFile, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return configFile{}, nil
	case err != nil:
		return nil, err
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one document in it")
	}
	settings := document.Content[0]
	if settings.Kind == yaml.ScalarNode && settings.Tag == "!!null" { // nothing but comments
		return configFile{}, nil
	}
	if settings.Kind != yaml.MappingNode {
		return nil, errors.New("it must have lines like listen: 127.0.0.1:8080")
	}
	found, wrong := configFile{}, []error{}
	for i := 0; i+1 < len(settings.Content); i += 2 {
		name, value := settings.Content[i], settings.Content[i+1]
		given, err := settingIn(name.Value, value, known)
		if _, twice := found[name.Value]; err == nil && twice {
			err = errors.New("is there twice")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %s %w", name.Line, name.Value, err))
			continue
		}
		found[name.Value] = given
	}
	return found, errors.Join(wrong...)
}

// settingIn returns the value of a flag in a settings file: a text, or a list of texts.
func settingIn(name string, value *yaml.Node, known []*kong.Flag) (any, error) {
	at := slices.IndexFunc(known, func(flag *kong.Flag) bool { return flag.Name == name })
	if at < 0 {
		return nil, unknownSetting(name, known)
	}
	flag := known[at]
	var given any
	switch {
	case value.Kind == yaml.ScalarNode && value.Tag == "!!null":
		return nil, errors.New("has no value")
	case value.Kind == yaml.ScalarNode:
		given = value.Value
	case value.Kind == yaml.SequenceNode && flag.IsSlice():
		list := []any{}
		for _, one := range value.Content {
			if one.Kind != yaml.ScalarNode || one.Tag == "!!null" {
				return nil, errors.New("must be a list of values")
			}
			list = append(list, one.Value)
		}
		given = list
	case flag.IsSlice():
		return nil, errors.New("must be a value or a list of values")
	default:
		return nil, errors.New("must be one value")
	}
	scan := kong.Scan().PushTyped(given, kong.FlagValueToken)
	if err := flag.Parse(scan, reflect.New(flag.Target.Type()).Elem()); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "--"+name+": "))
	}
	if flag.Enum != "" && !slices.Contains(flag.EnumSlice(), value.Value) {
		return nil, fmt.Errorf("must be one of %s", strings.Join(flag.EnumSlice(), ", "))
	}
	return given, nil
}

// unknownSetting returns the error for an unknown setting. It suggests the known setting with the most similar name.
func unknownSetting(name string, known []*kong.Flag) error {
	names := []string{}
	for _, flag := range known {
		names = append(names, flag.Name)
	}
	nearest := nearestOf(name, names)
	if nearest == "" {
		return errors.New("is no setting")
	}
	return fmt.Errorf("is no setting; %s is one", nearest)
}

// nearestOf returns the name that is most similar to a misspelled one, or "" if none is similar.
func nearestOf(name string, names []string) string {
	nearest, least := "", max(2, len(name)/3)+1
	for _, one := range names {
		if apart := editsBetween(name, one); apart < least {
			nearest, least = one, apart
		}
	}
	return nearest
}

const variablePrefix = "ROUTECARD_"

// warnOfVariables warns of variables whose names are similar to those of settings, because the user would not notice that the program
// ignores them. Other variables get no warning: Kubernetes, for example, derives some from the name of a service, such as
// ROUTECARD_SERVICE_HOST.
func warnOfVariables(parsed *kong.Context, logger *slog.Logger) {
	known := variablesOf(parsed.Model.Node)
	for _, variable := range os.Environ() {
		variable, _, _ = strings.Cut(variable, "=")
		bare, ours := strings.CutPrefix(variable, variablePrefix)
		if !ours || slices.Contains(known, bare) {
			continue
		}
		if nearest := nearestOf(bare, known); nearest != "" {
			logger.Warn("this variable is no setting", "variable", variable, "nearest", variablePrefix+nearest)
		}
	}
}

// variablesOf returns the environment variables of a command and its subcommands, without the prefix.
func variablesOf(command *kong.Node) []string {
	var names []string
	for _, flag := range command.Flags {
		for _, variable := range flag.Envs {
			names = append(names, strings.TrimPrefix(variable, variablePrefix))
		}
	}
	for _, child := range command.Children {
		names = append(names, variablesOf(child)...)
	}
	return names
}

// editsBetween returns the edit distance of two words: insertions, deletions and replacements of letters.
func editsBetween(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			exchanged := diagonal
			if a[i] != b[j] {
				exchanged++
			}
			diagonal = row[j+1]
			row[j+1] = min(exchanged, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// judgedSettings are the contents of the files and addresses in the settings.
type judgedSettings struct {
	encryption *tls.Config
	jira       *tracker.Jira
	provider   *access.ProviderOptions
	sealed     *sealer.Config
	place      files.Place
	notices    noticeServers
}

// judged reads and validates the settings for a start of the service.
func (c *serveCommand) judged(logger *slog.Logger) (judgedSettings, error) {
	var read judgedSettings
	if err := c.check(); err != nil {
		return read, err
	}
	var err error
	if read.encryption, err = c.tlsSettings.config(logger); err != nil {
		return read, err
	}
	if read.jira, err = c.Tracker.connect(logger); err != nil {
		return read, err
	}
	if read.provider, err = c.Access.provider(c.PublicURL, logger); err != nil {
		return read, err
	}
	if read.sealed, err = c.ledgerSettings.config(c.Database); err != nil {
		return read, err
	}
	if read.place, err = c.place(c.Database); err != nil {
		return read, err
	}
	if read.notices, err = c.servers(logger); err != nil {
		return read, err
	}
	if err := access.CheckPasskeys(c.PublicURL); err != nil && access.Mode(c.Access.Auth) != access.Off {
		logger.Warn("the service has no passkeys", "error", err)
	}
	c.warnOfOpenSecrets(logger)
	return read, nil
}
