package shop

import "github.com/routecard/routecard/shop/card"

// CardStore is where route cards are read; Store.ChangeCard and the stores of the nouns change them.
type CardStore interface {
	// card.Card loads one card. Its Path is the zero Path when it cannot be resolved.
	RouteCard(serialID string) (card.Card, error)
	// RouteCards loads the cards of up to a thousand serials; unknown ones are left out.
	RouteCards(serialIDs []string) (map[string]card.Card, error)
}
