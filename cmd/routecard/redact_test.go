package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSettingsHideSecrets sets every text setting to addresses with secrets. No command that reads settings prints the secrets.
func TestSettingsHideSecrets(t *testing.T) {
	t.Parallel()
	parsed, _, err := parse([]string{"serve"}, &strings.Builder{}, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{"T0kenOfUser", "Passw0rd", "T0kenInQuery", "Fr4gment"}
	var tried int
	for _, flag := range settingsOf(parsed.Selected()) {
		if kind := flag.Target.Type(); kind.Kind() != reflect.String && kind != reflect.TypeFor[[]string]() || flag.Enum != "" {
			continue
		}
		tried++
		t.Run(flag.Name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for _, address := range []string{
				"https://T0kenOfUser@shop.example/x?access_token=T0kenInQuery#Fr4gment", "https://shop:Passw0rd@shop.example",
				"HTTP://T0kenOfUser@[shop.example:port/?apikey=T0kenInQuery&a=b",
				"postgres://shop:Passw0rd@db.invalid/shop?sslpassword=T0kenInQuery&connect_timeout=1",
			} {
				given := []string{"--" + flag.Name + "=" + address, "--error-log=" + filepath.Join(folder, "errors")}
				if flag.Name == "error-log" {
					given = given[:1]
				}
				if flag.Name != "database" {
					given = append(given, "--database="+filepath.Join(folder, "missing", "shop.db"))
				}
				if flag.Name != "listen" {
					given = append(given, "--listen=127.0.0.1:0")
				}
				if strings.HasPrefix(flag.Name, "oidc") {
					given = append(given, "--auth=all")
				}
				ctx, cancel := context.WithCancel(t.Context())
				cancel() // the service need not start
				var out strings.Builder
				for _, command := range [][]string{{"config", "show"}, {"config", "check"}, {"serve"}} {
					run(ctx, append(command, given...), &out, &out)
				}
				given = slices.DeleteFunc(given, func(one string) bool { return strings.HasPrefix(one, "--database=") && flag.Name != "database" })
				if flag.Name != "database" { // with a database that is not a file, the doctor measures no disk
					given = append(given, "--database=:memory:")
				}
				run(ctx, append([]string{"doctor", "--json"}, given...), &out, &out)
				if kept, err := os.ReadFile(filepath.Join(folder, "errors")); err == nil {
					out.Write(kept)
				}
				for _, secret := range secrets {
					for line := range strings.Lines(out.String()) {
						if strings.Contains(line, secret) {
							t.Errorf("%s is shown: %s", secret, line)
						}
					}
				}
			}
		})
	}
	if tried < 20 {
		t.Errorf("%d settings were tried", tried)
	}
}

// Parts of addresses that are no secrets are shown.
func TestWithoutSecrets(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"https://routecard.example.com:8443/shop":                                "https://routecard.example.com:8443/shop",
		"https://shop:pw@jira.example":                                           "https://shop:xxxxx@jira.example",
		"https://token@jira.example/x":                                           "https://xxxxx@jira.example/x",
		"https://jira.example/x?a=1&b=2#c":                                       "https://jira.example/x?a=xxxxx&b=xxxxx#xxxxx",
		"https://jira.example?secret":                                            "https://jira.example?xxxxx",
		"postgres://routecard@db1,db2/routecard?target_session_attrs=read-write": "postgres://routecard@db1,db2/routecard?target_session_attrs=read-write",
		"s3://bucket/shop":                                                       "s3://bucket/shop",
		"/srv/shop#1?.db":                                                        "/srv/shop#1?.db",
		"lead@shop.example":                                                      "lead@shop.example",
	} {
		if got := withoutSecrets(setting); got != want {
			t.Errorf("%s is shown as %s, want %s", setting, got, want)
		}
	}
	for text, want := range map[string]string{
		`Get "https://token@h/x?jql=a&auth_key=b": refused`: `Get "https://xxxxx@h/x?jql=a&auth_key=xxxxx": refused`,
		"mail me@example.com about a=b":                     "mail me@example.com about a=b",
		"open postgres://routecard@db/shop: refused":        "open postgres://routecard@db/shop: refused",
	} {
		if got := hideSecrets(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}
