package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/access"
)

// openIDSettings are the flags for signing in with a provider of OpenID Connect.
type openIDSettings struct {
	Issuer      string   `name:"oidc-issuer" help:"Address of the OpenID Connect provider for signing in on pages. Default: none." placeholder:"URL"`
	Client      string   `name:"oidc-client" help:"Client ID of Routecard at the provider." placeholder:"ID"`
	SecretFile  string   `name:"oidc-secret-file" help:"File with the client secret, and nothing else." placeholder:"FILE"`
	Name        string   `name:"oidc-name" help:"Name of the provider on the sign-in page. Default: the provider's host." placeholder:"NAME"`
	Scopes      []string `name:"oidc-scope" help:"Scopes to request in addition to openid." default:"profile" placeholder:"SCOPE"`
	LoginClaim  string   `name:"oidc-login-claim" help:"Claim with the login of a new user." default:"preferred_username" placeholder:"CLAIM"`
	GroupsClaim string   `name:"oidc-groups-claim" help:"Claim with the user's groups." default:"groups" placeholder:"CLAIM"`
	Roles       []string `name:"oidc-role" help:"Role for the members of a group. Repeat it for several groups." sep:"none" placeholder:"GROUP=ROLE"`
	Create      bool     `name:"oidc-create" help:"Create a user when somebody signs in for the first time."`
}

// returnPath is the path to which the provider redirects people after signing in.
const returnPath = "/sign-in/return"

// options returns the settings of the provider for internal/access, or nil without a provider.
func (s openIDSettings) options(publicURL string, logger *slog.Logger) (*access.ProviderOptions, error) {
	if s.Issuer == "" {
		if s.Client != "" || s.SecretFile != "" || len(s.Roles) > 0 || s.Create {
			return nil, errors.New("--oidc-issuer is missing")
		}
		return nil, nil //nolint:nilnil // a service without a provider is allowed
	}
	if publicURL == "" {
		return nil, errors.New("--oidc-issuer needs --public-url: the provider has to know where to send people back to")
	}
	options := &access.ProviderOptions{
		Issuer: s.Issuer, Client: s.Client, Name: s.Name, Callback: strings.TrimSuffix(publicURL, "/") + returnPath,
		Scopes: s.Scopes, LoginClaim: s.LoginClaim, GroupsClaim: s.GroupsClaim, Create: s.Create,
	}
	if address, err := url.Parse(s.Issuer); err == nil && options.Name == "" {
		options.Name = address.Hostname()
	}
	for _, rule := range s.Roles {
		at := strings.LastIndex(rule, "=") // names of groups may contain an equals sign
		if at < 0 {
			return nil, fmt.Errorf("--oidc-role must be like quality-team=quality, not %q", rule)
		}
		options.Roles = append(options.Roles, access.GroupRole{Group: rule[:at], Role: rule[at+1:]})
	}
	if s.SecretFile != "" {
		secret, err := readToken(s.SecretFile, "the provider of OpenID Connect", logger)
		if err != nil {
			return nil, fmt.Errorf("--oidc-secret-file: %w", err)
		}
		options.Secret = string(secret)
	}
	if err := options.Check(); err != nil {
		return nil, fmt.Errorf("OpenID Connect: %w", err)
	}
	return options, nil
}

// providerTrouble reports the trouble of the provider for the health of the service.
func providerTrouble(door *access.Service) func() string {
	if door == nil {
		return nil
	}
	return door.ProviderTrouble
}
