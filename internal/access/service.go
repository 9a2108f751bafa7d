package access

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

// Options are the settings of a Service.
type Options struct {
	Mode   Mode // Writes or All
	Clock  ident.Clock
	IDs    ident.Identifiers
	Pepper []byte
	Cost   Cost // of a hash; the zero Cost is DefaultCost
	Places int  // hashes at once; 0 is half the cores
	// Secure says that people reach the service with https: their cookies are then sent with nothing else.
	Secure bool
	// Origin is the address at which people reach the service, such as https://routecard.example.com: the one at which
	// passkeys work, if they do there.
	Origin string
	// ShopNames are names of the shop and of the service, which are no good for a password.
	ShopNames []string
	// StationIdle is how long a station may be idle before it signs the user out. 0 is ten minutes.
	StationIdle time.Duration
	Logger      *slog.Logger
	// Security is the log of who comes in and who is turned away. Nil for none.
	Security *slog.Logger
	// Locked is called when too many wrong attempts lock an account, address or station, once for each. It may be nil.
	Locked func()
	// Provider lets people sign in with a provider of OpenID Connect too. Nil for with none.
	Provider *ProviderOptions
}

// Service knows who is asking. It is safe for concurrent use.
type Service struct {
	store   Store
	options Options
	hasher  *hasher
	crowd   crowd

	provider *provider // nil when there is none
	party    relyingParty

	touching sync.Map // tokens whose use is being recorded, by hash
}

// New makes a Service. It refuses a pepper that is not the one of the database.
func New(ctx context.Context, store Store, options Options) (*Service, error) {
	if options.Cost == (Cost{}) {
		options.Cost = DefaultCost
	}
	if options.Places == 0 {
		options.Places = runtime.NumCPU() / 2
	}
	if options.StationIdle == 0 {
		options.StationIdle = stationIdle
	}
	if options.Locked == nil {
		options.Locked = func() {}
	}
	if options.Security == nil {
		options.Security = slog.New(slog.DiscardHandler)
	}
	s := &Service{options: options, hasher: newHasher(options.Pepper, options.Cost, options.Places)}
	s.store = tellingStore{meant{signedStore{store, options.Clock, options.IDs}}, s.committed}
	if options.Provider != nil {
		var err error
		if s.provider, err = newProvider(*options.Provider, options.Clock, options.Logger); err != nil {
			return nil, fmt.Errorf("OpenID Connect: %w", err)
		}
	}
	s.party, _ = newRelyingParty(options.Origin) // without passkeys when that fails: CheckPasskeys says why
	if err := s.checkPepper(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Mode says for what an identity is needed.
func (s *Service) Mode() Mode { return s.options.Mode }

// Secure says that people reach the service with https.
func (s *Service) Secure() bool { return s.options.Secure }

func (s *Service) now() ident.Timestamp { return ident.TimestampOf(s.options.Clock()) }

func (s *Service) newID(prefix string) string { return prefix + s.options.IDs.Next() }

// since is the time so long ago.
func (s *Service) since(ago time.Duration) ident.Timestamp {
	return ident.TimestampOf(s.options.Clock().Add(-ago))
}

// StationIdle is how long a station may be idle before it signs the user out.
func (s *Service) StationIdle() time.Duration { return s.options.StationIdle }
