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
	// Secure means that people reach the service with https. Browsers then send cookies only over https.
	Secure bool
	// Origin is the address at which people reach the service, such as https://routecard.example.com. Passkeys work only at this address,
	// if they are possible there.
	Origin string
	// ShopNames are the names of the shop and of the service. Passwords must not contain them.
	ShopNames []string
	// StationIdle is the idle time after which a station signs the user out: ten minutes if it is 0.
	StationIdle time.Duration
	Logger      *slog.Logger
	// Security is the log of sign-ins, refusals and changes of accounts. Nil for none.
	Security *slog.Logger
	// Locked is called once for each account, address or station that is locked after too many wrong attempts. It may be nil.
	Locked func()
	// Provider is the provider of OpenID Connect with which people can sign in. Nil for none.
	Provider *ProviderOptions
}

// Service authenticates callers, and manages accounts, sessions and tokens. It is safe for concurrent use.
type Service struct {
	store   Store
	options Options
	hasher  *hasher
	crowd   crowd

	provider *provider // nil when there is none
	party    relyingParty

	touching sync.Map // tokens whose use is being recorded, by hash
}

// New makes a Service. It refuses a pepper other than the one that the database's hashes were made with.
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
	s.party, _ = newRelyingParty(options.Origin) // without passkeys if that fails: CheckPasskeys returns the reason
	if err := s.checkPepper(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Mode returns which requests need an identity.
func (s *Service) Mode() Mode { return s.options.Mode }

// Secure reports whether people reach the service with https.
func (s *Service) Secure() bool { return s.options.Secure }

func (s *Service) now() ident.Timestamp { return ident.TimestampOf(s.options.Clock()) }

func (s *Service) newID(prefix string) string { return prefix + s.options.IDs.Next() }

// since returns the current time minus ago.
func (s *Service) since(ago time.Duration) ident.Timestamp {
	return ident.TimestampOf(s.options.Clock().Add(-ago))
}

// StationIdle returns the idle time after which a station signs the user out.
func (s *Service) StationIdle() time.Duration { return s.options.StationIdle }
