package scancode

import "github.com/routecard/routecard/shop"

// Badges returns the badges in a text, as they stand there.
func Badges(text string) []string { return shop.BadgeWithin.FindAllString(text, -1) }

// ReplaceBadges replaces every badge in a text. A badge is a secret, and gets into a text when it is scanned into a field for something
// else.
func ReplaceBadges(text, by string) string { return shop.BadgeWithin.ReplaceAllLiteralString(text, by) }
