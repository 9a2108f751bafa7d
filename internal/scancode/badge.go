package scancode

import "regexp"

// badgeWithin finds a badge in a text, also one from a scanner that is set to another keyboard than the device: it types something else
// for the hyphens.
var badgeWithin = regexp.MustCompile(`(?i)RC[^0-9A-Za-z]ID[^0-9A-Za-z][0-9A-Za-z]{8,}`)

// Badges are the badges in a text, as they stand there.
func Badges(text string) []string { return badgeWithin.FindAllString(text, -1) }

// ReplaceBadges is a text with something in the place of every badge in it. A badge is a secret, and stands in a text when somebody scans
// it into a field for something else.
func ReplaceBadges(text, by string) string { return badgeWithin.ReplaceAllLiteralString(text, by) }
