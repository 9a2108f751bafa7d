package scancode

import (
	"fmt"
	"regexp"

	"github.com/routecard/routecard/shop"
)

// Badges returns the badges in a text, as they stand there.
func Badges(text string) []string { return shop.BadgeWithin.FindAllString(text, -1) }

// cutBadge matches a badge without its first characters.
var cutBadge = regexp.MustCompile(fmt.Sprintf(`(?i)^\s*(((C?\W)?I)?D)?\W[0-9A-Z]{%d}\s*$`, shop.BadgeRandom))

// IsCutBadge reports whether a text is a badge whose first characters were lost, because they were typed before the page arrived.
func IsCutBadge(text string) bool { return cutBadge.MatchString(text) }

// ReplaceBadges replaces every badge in a text. A badge is a secret, and gets into a text when it is scanned into a field for something
// else.
func ReplaceBadges(text, by string) string { return shop.BadgeWithin.ReplaceAllLiteralString(text, by) }
