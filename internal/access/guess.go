package access

import (
	"strings"
	"unicode"

	"github.com/ccojocar/zxcvbn-go"

	"github.com/routecard/routecard/shop"
)

const (
	// guessScore is the lowest allowed score of a password, from 0 to 4: a password with a lower score is found within a hundred million
	// guesses.
	guessScore = 3
	// guessBits is the lowest allowed entropy of a PIN, in bits: a PIN with less is found within a thousand guesses.
	guessBits = 10
	// guessedLength is the number of characters of a password that are evaluated. Further characters do not make it weaker.
	guessedLength = 64
	// wordLeast is the length from which a word of the login or the name must not occur in a password.
	wordLeast = 4
)

// knownWords returns the words that an attacker tries first in a user's password: the login and the name of the user, and the names of the
// shop.
func (s *Service) knownWords(user shop.User) []string {
	return append(words(user.Login, user.Name), s.options.ShopNames...)
}

// knownWordIn returns the first known word that a password contains, "" for none.
func (s *Service) knownWordIn(password string, user shop.User) string {
	plain := strings.ToLower(password)
	for _, word := range s.knownWords(user) {
		if len(word) >= wordLeast && strings.Contains(plain, strings.ToLower(word)) {
			return word
		}
	}
	return ""
}

// tooCommon reports whether a password is common, or similar to a known word.
func (s *Service) tooCommon(password string, user shop.User) bool {
	if runes := []rune(password); len(runes) > guessedLength {
		password = string(runes[:guessedLength])
	}
	return zxcvbn.PasswordStrength(password, s.knownWords(user)).Score < guessScore
}

// words returns the texts, and the single words in them.
func words(texts ...string) (found []string) {
	for _, text := range texts {
		found = append(found, text)
		found = append(found, strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })...)
	}
	return found
}

// easyPIN reports whether a PIN is a common one, or occurs in the login or the name of its user.
func easyPIN(pin string, user shop.User) bool {
	return guessable(pin) || strings.Contains(user.Login, pin) || strings.Contains(user.Name, pin) ||
		zxcvbn.PasswordStrength(pin, nil).Entropy < guessBits
}
