package main

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore"
)

// hidden replaces text that may be a secret.
const hidden = "xxxxx"

// Parts of addresses that may be secrets. A token may be the name of a user, and so is hidden unless a password follows it.
var (
	userOfAddress   = regexp.MustCompile(`((?i:https?|s3|ftp|wss?)://)([^\s/?#@:"'\\]+)@`)
	secretParameter = regexp.MustCompile(`(?i)([?&;][a-z0-9_.-]*` +
		`(?:token|key|secret|password|passwd|pwd|auth|sig|signature|credential|code)[a-z0-9_.-]*=)[^\s&;#"'\\]+`)
	fragmentOfAddress = regexp.MustCompile(`(://[^\s#"'\\]*)#[^\s"'\\]+`)
	queryAndFragment  = regexp.MustCompile(`[?#].*$`)
	parameterValue    = regexp.MustCompile(`=[^&;#]*`)
)

// withoutSecrets returns a setting without the passwords, tokens and query values that it has if it is an address.
func withoutSecrets(setting string) string {
	if sqlstore.IsPostgres(setting) || !strings.Contains(setting, "://") {
		return sqlstore.Redacted(setting)
	}
	setting = queryAndFragment.ReplaceAllStringFunc(setting, func(end string) string {
		query, _, fragment := strings.Cut(end, "#")
		if strings.Contains(query, "=") {
			query = parameterValue.ReplaceAllString(query, "="+hidden)
		} else if query != "" {
			query = "?" + hidden
		}
		if fragment {
			query += "#" + hidden
		}
		return query
	})
	if userOfAddress.MatchString(setting) {
		return userOfAddress.ReplaceAllString(setting, "${1}"+hidden+"@")
	}
	return sqlstore.Redacted(setting)
}

// hideSecrets returns a text, such as an error, without the passwords and tokens in the addresses that it mentions.
func hideSecrets(text string) string {
	if !strings.ContainsAny(text, "@=#") {
		return text
	}
	text = fragmentOfAddress.ReplaceAllString(text, "${1}#"+hidden)
	text = userOfAddress.ReplaceAllString(sqlstore.HideCredentials(text), "${1}"+hidden+"@")
	return secretParameter.ReplaceAllString(text, "${1}"+hidden)
}

// withoutSecretsInLog is the ReplaceAttr of a log: it hides secrets in texts and errors.
func withoutSecretsInLog(_ []string, attr slog.Attr) slog.Attr {
	var text string
	switch value := attr.Value.Any().(type) {
	case string:
		text = value
	case error:
		text = value.Error()
	case fmt.Stringer:
		return attr // times, durations, levels and counters
	default:
		return attr
	}
	if shown := hideSecrets(text); shown != text {
		return slog.String(attr.Key, shown)
	}
	return attr
}
