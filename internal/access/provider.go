package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// ProviderOptions are the settings of a provider of OpenID Connect, by which people sign in on pages.
type ProviderOptions struct {
	Issuer      string // its address, as it stands in what it signs
	Client      string // what Routecard is called there
	Secret      string // "" for a client without one
	Name        string // the provider's name on pages
	Callback    string // the address to which it sends people back
	Scopes      []string
	LoginClaim  string // what a new person's login is made from
	GroupsClaim string
	Roles       []GroupRole // none leaves roles to Routecard's administrators
	Create      bool        // create a user at the first sign-in
}

// GroupRole gives a role to the members of a provider's group.
type GroupRole struct{ Group, Role string }

// Check validates the settings, without asking the provider.
func (o ProviderOptions) Check() error {
	issuer, err := url.Parse(o.Issuer)
	switch {
	case err != nil || issuer.Host == "" || issuer.User != nil || issuer.RawQuery != "" || issuer.Fragment != "" ||
		issuer.Scheme != "https" && issuer.Scheme != "http":
		return errors.New("the issuer must be an address like https://sso.example.com/realms/shop")
	case !confidential(issuer):
		return errors.New("the issuer must be reached by https, so that nobody between can answer for it")
	case o.Client == "":
		return errors.New("the client is missing")
	}
	for _, given := range o.Roles {
		if given.Group == "" || !slices.Contains(roleNames(), given.Role) {
			return fmt.Errorf("the role of the group %q must be one of: %s", given.Group, strings.Join(roleNames(), ", "))
		}
	}
	return nil
}

// confidential reports whether requests to an address cannot be read or changed on the way.
func confidential(address *url.URL) bool {
	return address.Scheme == "https" || address.Scheme == "http" && thisMachine(address.Hostname())
}

func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

const (
	providerTime   = 10 * time.Second
	providerAnswer = 1 << 20     // bytes; lists of keys and of a person's groups are far below
	providerPause  = time.Minute // between checks of a provider that does not respond
	clockSkew      = 2 * time.Minute
)

// provider is the client of a provider of OpenID Connect. It reads the metadata again at each sign-in, so that an outdated copy locks no
// user out.
type provider struct {
	ProviderOptions
	clock  ident.Clock
	logger *slog.Logger

	logouts chan struct{} // has a place for each logout token that may be verified now
	answers *keptAnswers  // for verifying those

	mu      sync.Mutex
	silent  bool          // it did not respond to the last request
	silence chan struct{} // signaled when that begins
}

func newProvider(options ProviderOptions, clock ident.Clock, logger *slog.Logger) (*provider, error) {
	if err := options.Check(); err != nil {
		return nil, err
	}
	return &provider{
		ProviderOptions: options, clock: clock, logger: logger, silence: make(chan struct{}, 1),
		logouts: make(chan struct{}, logoutsAtOnce), answers: &keptAnswers{clock: clock},
	}, nil
}

// errand is a series of requests to the provider. It reads no more of a response than an honest provider sends, and remembers whether there
// was one at all.
type errand struct {
	unanswered atomic.Bool
	kept       *keptAnswers // nil to ask again each time
}

// RoundTrip is that of an http.RoundTripper.
func (e *errand) RoundTrip(r *http.Request) (*http.Response, error) {
	keeps := e.kept != nil && r.Method == http.MethodGet
	if keeps {
		if kept, ok := e.kept.find(r); ok {
			return kept, nil
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || response.StatusCode >= http.StatusInternalServerError {
		e.unanswered.Store(true)
	}
	if err == nil {
		response.Body = http.MaxBytesReader(nil, response.Body, providerAnswer)
		if keeps && response.StatusCode == http.StatusOK {
			return e.kept.keep(r, response)
		}
	}
	return response, err
}

func (e *errand) context(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, &http.Client{Timeout: providerTime, Transport: e, CheckRedirect: followConfidential})
}

// redirects is how many redirects an errand follows.
const redirects = 5

// followConfidential follows redirects of a provider, but none that others can read: a request for a token has the secret of the client.
func followConfidential(next *http.Request, via []*http.Request) error {
	if len(via) > redirects || !confidential(next.URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

// errProviderSilent is shown to users who cannot sign in because the provider does not respond. The log has the reason.
var errProviderSilent = refusal.Refuse(reasonSilent)

// discover asks the provider for its addresses and keys.
func (p *provider) discover(ctx context.Context) (*oidc.Provider, error) {
	return p.discoverBy(ctx, &errand{})
}

func (p *provider) discoverBy(ctx context.Context, e *errand) (*oidc.Provider, error) {
	found, err := oidc.NewProvider(e.context(ctx), p.Issuer)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err() // the caller went away
	}
	if err == nil {
		err = checkEndpoints(found)
	}
	p.heard(ctx, err)
	if err != nil {
		return nil, errProviderSilent
	}
	return found, nil
}

// checkEndpoints refuses a provider that names an address that is not reached by https. The service sends its secret to these
// addresses, and takes the keys of the provider from there.
func checkEndpoints(found *oidc.Provider) error {
	//nolint:tagliatelle // names of OpenID Connect
	var said struct {
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
		Keys          string `json:"jwks_uri"`
		UserInfo      string `json:"userinfo_endpoint"`
	}
	if err := found.Claims(&said); err != nil {
		return err
	}
	for _, address := range []string{said.Authorization, said.Token, said.Keys, said.UserInfo} {
		if address == "" {
			continue // a missing field fails where it is needed
		}
		if parsed, err := url.Parse(address); err != nil || !confidential(parsed) {
			return fmt.Errorf("it names the address %q, which is not reached by https", address)
		}
	}
	return nil
}

// heard stores whether the provider responded.
func (p *provider) heard(ctx context.Context, err error) {
	p.mu.Lock()
	before := p.silent
	p.silent = err != nil
	p.mu.Unlock()
	switch {
	case err != nil && !before:
		p.logger.WarnContext(ctx, "the provider of OpenID Connect does not answer as it should", "issuer", p.Issuer, "error", err)
		select {
		case p.silence <- struct{}{}:
		default: // already signaled
		}
	case err == nil && before:
		p.logger.InfoContext(ctx, "the provider of OpenID Connect answers again", "issuer", p.Issuer)
	}
}

func (p *provider) config(at *oidc.Provider) *oauth2.Config {
	endpoint := at.Endpoint()
	if p.Secret == "" {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: p.Client, ClientSecret: p.Secret, Endpoint: endpoint, RedirectURL: p.Callback,
		Scopes: append([]string{oidc.ScopeOpenID}, p.Scopes...),
	}
}

// told is the provider's description of a person. Only the subject is permanent.
type told struct {
	subject string
	login   string
	name    string
	groups  []string
	session string // what the provider calls their session there, "" when it does not say
}

var (
	errNotSignedIn     = &RefusalError{Refusal: refusal.Refuse(reasonNotSignedIn), Challenge: realm}
	errGroupsElsewhere = refusal.Refuse(reasonManyGroups)
)

// exchange asks the provider who came back with a code, and believes only what it signed for this very attempt.
func (p *provider) exchange(ctx context.Context, code string, a attempt) (told, error) {
	at, err := p.discover(ctx)
	if err != nil {
		return told{}, err
	}
	e := &errand{}
	ctx = e.context(ctx)
	granted, err := p.config(at).Exchange(ctx, code, oauth2.VerifierOption(a.verifier()))
	if err != nil {
		return told{}, p.failed(ctx, e, "the provider of OpenID Connect did not take a code", err)
	}
	signed, ok := granted.Extra("id_token").(string)
	if !ok {
		return told{}, p.failed(ctx, e, "the provider of OpenID Connect sent no ID token", nil)
	}
	// Clocks differ: a little before and after is let pass.
	token, err := at.VerifierContext(ctx, &oidc.Config{
		ClientID: p.Client, Now: func() time.Time { return p.clock().Add(-clockSkew) },
	}).Verify(ctx, signed)
	if err != nil {
		return told{}, p.failed(ctx, e, "an ID token is not valid", err)
	}
	switch {
	case token.IssuedAt.After(p.clock().Add(clockSkew)):
		return told{}, p.failed(ctx, e, "an ID token is from the future: compare the clocks", nil)
	case !same(token.Nonce, a.nonce()):
		return told{}, p.failed(ctx, e, "an ID token is not for this attempt to sign in", nil)
	case token.Subject == "":
		return told{}, p.failed(ctx, e, "an ID token says nothing of whom it is about", nil)
	}
	claims := map[string]any{}
	if err := token.Claims(&claims); err != nil {
		return told{}, p.failed(ctx, e, "an ID token cannot be read", err)
	}
	if !p.authorized(claims) {
		return told{}, p.failed(ctx, e, "an ID token was issued to another client", nil)
	}
	if err := p.complete(ctx, e, at, granted, token.Subject, claims); err != nil {
		return told{}, err
	}
	return p.read(token.Subject, claims)
}

// authorized reports whether the claims of a token name this client as the one that the token was issued to. A provider may leave that out.
func (p *provider) authorized(claims map[string]any) bool {
	party, told := claims["azp"]
	return !told || party == p.Client
}

// complete asks for what the token leaves out.
func (p *provider) complete(ctx context.Context, e *errand, at *oidc.Provider, granted *oauth2.Token, subject string,
	claims map[string]any,
) error {
	wanted := []string{p.LoginClaim, "name"}
	if len(p.Roles) > 0 {
		wanted = append(wanted, p.GroupsClaim)
	}
	missing := slices.ContainsFunc(wanted, func(name string) bool { return claims[name] == nil })
	if !missing || at.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := at.UserInfo(ctx, oauth2.StaticTokenSource(granted))
	if err != nil {
		return p.failed(ctx, e, "the provider of OpenID Connect tells nothing about a person", err)
	}
	if info.Subject != subject {
		return p.failed(ctx, e, "the provider of OpenID Connect tells of somebody else", nil)
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return p.failed(ctx, e, "what the provider of OpenID Connect tells about a person cannot be read", err)
	}
	for name, value := range more {
		if claims[name] == nil {
			claims[name] = value
		}
	}
	return nil
}

// read takes the fields that Routecard uses from the claims. A missing groups claim means no groups, but a reference to a claim that is
// elsewhere does not.
func (p *provider) read(subject string, claims map[string]any) (told, error) {
	person := told{subject: subject}
	person.login, _ = claims[p.LoginClaim].(string)
	person.name, _ = claims["name"].(string)
	person.session, _ = claims["sid"].(string)
	switch groups := claims[p.GroupsClaim].(type) {
	case []any:
		for _, group := range groups {
			if name, ok := group.(string); ok {
				person.groups = append(person.groups, name)
			}
		}
	case string:
		person.groups = []string{groups}
	case nil:
		elsewhere, _ := claims["_claim_names"].(map[string]any)
		if elsewhere[p.GroupsClaim] != nil && len(p.Roles) > 0 {
			return told{}, errGroupsElsewhere
		}
	}
	return person, nil
}

// failed logs why a sign-in failed, and returns the error for the user: a provider that does not respond is unavailable, anything else is a
// refusal.
func (p *provider) failed(ctx context.Context, e *errand, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() // they went away
	}
	if e.unanswered.Load() {
		p.heard(ctx, cmp.Or(err, errors.New(what)))
		return errProviderSilent
	}
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok { // its text has the whole response, which may contain anything
		err = fmt.Errorf("it answers %d %q", refused.Response.StatusCode, refused.ErrorCode)
	}
	p.logger.WarnContext(ctx, "somebody was not signed in", "why", what, "issuer", p.Issuer, "error", err)
	return errNotSignedIn
}

// granted lists the roles that a person has by their groups.
func (p *provider) granted(roles, groups []string) []string {
	return slices.DeleteFunc(roleNames(), func(role string) bool {
		given, ours := false, false
		for _, rule := range p.Roles {
			if rule.Role == role {
				ours = true
				given = given || slices.Contains(groups, rule.Group)
			}
		}
		if !ours { // no group gives it: administrators do
			given = slices.Contains(roles, role)
		}
		return !given
	})
}

// ProviderName is the provider's name on the sign-in page, "" when there is only a password.
func (s *Service) ProviderName() string {
	if s.provider == nil {
		return ""
	}
	return s.provider.Name
}

// ProviderTrouble describes why the provider cannot sign users in at present, or is "".
func (s *Service) ProviderTrouble() string {
	if s.provider == nil {
		return ""
	}
	s.provider.mu.Lock()
	defer s.provider.mu.Unlock()
	if s.provider.silent {
		return "The provider of OpenID Connect does not answer: people can sign in with a password only"
	}
	return ""
}

// WatchProvider checks once at first whether the provider responds, and while it does not until it does again, so that the status of the
// service is right before and after users notice. It returns when the context ends.
func (s *Service) WatchProvider(ctx context.Context, pause func(context.Context, time.Duration) error) {
	if s.provider == nil {
		return
	}
	for {
		if _, err := s.provider.discover(ctx); err == nil {
			select {
			case <-s.provider.silence:
			case <-ctx.Done():
				return
			}
		}
		if pause(ctx, providerPause) != nil {
			return
		}
	}
}
