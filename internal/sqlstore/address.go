package sqlstore

import (
	"net/url"
	"regexp"
	"strings"
)

// IsPostgres reports whether a database's address is for OpenPostgres.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// These expressions find passwords: in addresses that url.Parse cannot read, such as postgres:/user:password@host, in queries, and in
// keyword settings such as host=db password=secret.
var (
	passwordBeforeHost = regexp.MustCompile(`(?s)^((?:\s*[A-Za-z][A-Za-z0-9+.-]*:/+)?.*?[^:/@\s]):.*@`)
	passwordInQuery    = regexp.MustCompile(`(password\s*=)[^\s&]*`)
	passwordInWords    = regexp.MustCompile(`(?s)(password\s*=\s*)(?:'(?:[^'\\]|\\.)*(?:'|\\?$)|(?:[^\s\\]|\\.)*)`)
	credentials        = regexp.MustCompile(`([^\s:/@"'(]*):([^\s/@][^\s@]*)@`)
)

// HideCredentials replaces every password in a text that looks like user:password@, as in an address in an error message.
func HideCredentials(text string) string { return credentials.ReplaceAllString(text, "$1:xxxxx@") }

// Redacted returns a database's address without its passwords, even if the address cannot be parsed.
func Redacted(database string) string {
	if address, err := url.Parse(database); err == nil && IsPostgres(database) {
		if query := address.Query(); query.Has("password") {
			query.Set("password", "xxxxx")
			address.RawQuery = query.Encode()
		}
		database = address.Redacted()
	} else {
		database = passwordBeforeHost.ReplaceAllString(database, "$1:xxxxx@")
	}
	if strings.Contains(database, "://") {
		return passwordInQuery.ReplaceAllString(database, "${1}xxxxx") // even if the query cannot be parsed
	}
	return passwordInWords.ReplaceAllString(database, "${1}xxxxx")
}
