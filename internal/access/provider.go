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

// ProviderOptions are the settings of a provider of OpenID Connect with which people sign in on pages.
type ProviderOptions struct {
	Issuer      string // the address of the provider, exactly as in its tokens
	Client      string // the client id of Routecard at the provider
	Secret      string // "" for a client without a secret
	Name        string // the provider's name on pages
	Callback    string // the address to which the provider redirects people after signing in
	Scopes      []string
	LoginClaim  string // the claim that becomes the login of a new person
	GroupsClaim string
	Roles       []GroupRole // if empty, Routecard's administrators assign all roles
	Create      bool        // create a user at the first sign-in
}

// GroupRole gives a role to the members of a provider's group.
type GroupRole struct{ Group, Role string }

// Check validates the settings. It sends no request to the provider.
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

// confidential reports whether requests to an address are safe from being read or changed on the way.
func confidential(address *url.URL) bool {
	return address.Scheme == "https" || address.Scheme == "http" && thisMachine(address.Hostname())
}

func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

const (
	providerTime   = 10 * time.Second
	providerAnswer = 1 << 20     // bytes; lists of keys and of a person's groups are much shorter
	providerPause  = time.Minute // between checks of a provider that does not respond
	clockSkew      = 2 * time.Minute
)

// provider is the client of a provider of OpenID Connect. It reads the metadata again at each sign-in, so that an outdated copy locks no
// user out.
type provider struct {
	ProviderOptions
	clock  ident.Clock
	logger *slog.Logger

	logouts chan struct{} // has a slot for each logout token that may be verified at the same time
	answers *keptAnswers  // for verifying logout tokens

	mu      sync.Mutex
	silent  bool          // the provider did not respond to the last request
	silence chan struct{} // signaled when silent becomes true
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

// errand is a series of requests to the provider. It reads at most providerAnswer bytes of a response, and records whether the provider
// responded at all.
type errand struct {
	unanswered atomic.Bool
	kept       *keptAnswers // nil to send every request
}

// RoundTrip implements http.RoundTripper.
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

// redirects is the maximum number of redirects that an errand follows.
const redirects = 5

// followConfidential follows redirects of a provider only to addresses that are confidential: a request for a token contains the secret of
// the client.
func followConfidential(next *http.Request, via []*http.Request) error {
	if len(via) > redirects || !confidential(next.URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

// errProviderSilent is shown to users who cannot sign in because the provider does not respond. The log has the reason.
var errProviderSilent = refusal.Refuse(reasonSilent)

// discover requests the provider's addresses and keys.
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

// checkEndpoints refuses a provider if the metadata has an address without https. The service sends its secret to these addresses, and
// loads the keys of the provider from them.
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

// providerPerson is the provider's description of a person. Only the subject is permanent.
type providerPerson struct {
	subject string
	login   string
	name    string
	groups  []string
	session string // the id of the person's session at the provider; "" if the provider sends none
}

var (
	errNotSignedIn     = &RefusalError{Refusal: refusal.Refuse(reasonNotSignedIn), Challenge: realm}
	errGroupsElsewhere = refusal.Refuse(reasonManyGroups)
)

// exchange redeems the code of a returning visitor at the provider. It accepts a person only if the provider confirms the person with a
// signature for this very attempt.
func (p *provider) exchange(ctx context.Context, code string, a attempt) (providerPerson, error) {
	at, err := p.discover(ctx)
	if err != nil {
		return providerPerson{}, err
	}
	e := &errand{}
	ctx = e.context(ctx)
	granted, err := p.config(at).Exchange(ctx, code, oauth2.VerifierOption(a.verifier()))
	if err != nil {
		return providerPerson{}, p.failed(ctx, e, "the provider of OpenID Connect did not take a code", err)
	}
	signed, ok := granted.Extra("id_token").(string)
	if !ok {
		return providerPerson{}, p.failed(ctx, e, "the provider of OpenID Connect sent no ID token", nil)
	}
	// Clocks differ, so a small difference is allowed in both directions.
	token, err := at.VerifierContext(ctx, &oidc.Config{
		ClientID: p.Client, Now: func() time.Time { return p.clock().Add(-clockSkew) },
	}).Verify(ctx, signed)
	if err != nil {
		return providerPerson{}, p.failed(ctx, e, "an ID token is not valid", err)
	}
	switch {
	case token.IssuedAt.After(p.clock().Add(clockSkew)):
		return providerPerson{}, p.failed(ctx, e, "an ID token is from the future: compare the clocks", nil)
	case !same(token.Nonce, a.nonce()):
		return providerPerson{}, p.failed(ctx, e, "an ID token is not for this attempt to sign in", nil)
	case token.Subject == "":
		return providerPerson{}, p.failed(ctx, e, "an ID token says nothing of whom it is about", nil)
	}
	claims := map[string]any{}
	if err := token.Claims(&claims); err != nil {
		return providerPerson{}, p.failed(ctx, e, "an ID token cannot be read", err)
	}
	if !p.authorized(claims) {
		return providerPerson{}, p.failed(ctx, e, "an ID token was issued to another client", nil)
	}
	if err := p.complete(ctx, e, at, granted, token.Subject, claims); err != nil {
		return providerPerson{}, err
	}
	return p.read(token.Subject, claims)
}

// authorized reports whether a token was issued to this client according to its claims. A provider may omit that claim.
func (p *provider) authorized(claims map[string]any) bool {
	party, told := claims["azp"]
	return !told || party == p.Client
}

// complete requests the claims that the token omits.
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

// read returns the person that the claims describe. A missing groups claim means no groups, but read fails if the claims refer to groups
// that are stored elsewhere.
func (p *provider) read(subject string, claims map[string]any) (providerPerson, error) {
	person := providerPerson{subject: subject}
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
			return providerPerson{}, errGroupsElsewhere
		}
	}
	return person, nil
}

// failed logs why a sign-in failed, and returns the error for the user: a provider that does not respond is unavailable, anything else is a
// refusal.
func (p *provider) failed(ctx context.Context, e *errand, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() // the visitor has disconnected
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

// granted lists the roles of a person: roles that groups give follow the groups, and the others stay.
func (p *provider) granted(roles, groups []string) []string {
	return slices.DeleteFunc(roleNames(), func(role string) bool {
		given, ours := false, false
		for _, rule := range p.Roles {
			if rule.Role == role {
				ours = true
				given = given || slices.Contains(groups, rule.Group)
			}
		}
		if !ours { // no group gives this role: administrators assign it
			given = slices.Contains(roles, role)
		}
		return !given
	})
}

// ProviderName returns the provider's name on the sign-in page, "" if there is no provider.
func (s *Service) ProviderName() string {
	if s.provider == nil {
		return ""
	}
	return s.provider.Name
}

// ProviderTrouble describes why users cannot sign in with the provider at present; "" if they can.
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

// WatchProvider checks at the start whether the provider responds. While the provider does not respond, it repeats the check until it does,
// so that the status of the service is right without a user's attempt. It returns when the context ends.
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
