package statement

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/account"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

// Update is the transaction that both engines pass to the function of an Update.
type Update interface {
	db.Querier
	shop.Tx
	access.Tx
}

var _ Update = (*Tx)(nil)

// Tx has the statements of all nouns, over one core. It is the transaction that the function of an Update gets.
type Tx struct {
	db.Core
	account.Statements
	nouns
}

// New returns the transaction of an Update.
func New(c db.Core) *Tx {
	t := &Tx{}
	t.Over(c)
	return t
}

// Over sets the core of all nouns. The nouns point to the core in the Tx, so a Tx must not be copied.
func (t *Tx) Over(c db.Core) {
	t.Core = c
	t.Statements, t.nouns = account.Over(&t.Core), nounsOver(&t.Core)
}

type nouns struct {
	jobs
	tickets
	comments
	paths
	reroutes
	serials
	ownNumbers
	Cards
	overrides
	selections
	batches
	holds
	certificates
	notes
	files
	voids
	nonconformances
	boms
	instruments
	lots
	externalIDs
	characteristics
	requirements
	measurements
	components
	shipments
	conformances
	firstArticles
	genealogies
	charted
	baselines
	sampling
	library
	signatures
	organizations
	notices
	templates
	counts
	Keys
	Trail
	ledger
}

func nounsOver(at *db.Core) nouns {
	return nouns{
		jobs:            jobs{at},
		tickets:         tickets{at},
		comments:        comments{at},
		paths:           paths{at},
		reroutes:        reroutes{at},
		serials:         serials{at},
		ownNumbers:      ownNumbers{at},
		Cards:           Cards{at},
		overrides:       overrides{at},
		selections:      selections{at},
		batches:         batches{at},
		holds:           holds{at},
		certificates:    certificates{at},
		notes:           notes{at},
		files:           files{at},
		voids:           voids{at},
		nonconformances: nonconformances{at},
		boms:            boms{at},
		instruments:     instruments{at},
		lots:            lots{at},
		externalIDs:     externalIDs{at},
		characteristics: characteristics{at},
		requirements:    requirements{at},
		measurements:    measurements{at},
		components:      components{at},
		shipments:       shipments{at},
		conformances:    conformances{at},
		firstArticles:   firstArticles{at},
		genealogies:     genealogies{at},
		charted:         charted{at},
		baselines:       baselines{at},
		sampling:        sampling{at},
		library:         library{at},
		signatures:      signatures{at},
		organizations:   organizations{at},
		notices:         notices{at},
		templates:       templates{at},
		counts:          counts{at},
		Keys:            Keys{at},
		Trail:           Trail{at},
		ledger:          ledger{at},
	}
}
