package access

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// relyingParty is the service as authenticators know it: a passkey is good for one name of a host, and the browser puts
// the address of the page into what it has signed.
type relyingParty struct {
	origin   string // "" when there can be no passkeys
	webauthn *webauthn.WebAuthn
}

// newRelyingParty takes the address by which people reach the service. Browsers offer passkeys to pages from https and
// from localhost only, and for a name only, not for an address; with any other origin there are none.
func newRelyingParty(origin string) (relyingParty, error) {
	address, err := url.Parse(strings.TrimSuffix(origin, "/"))
	if err != nil || address.Hostname() == "" || net.ParseIP(address.Hostname()) != nil ||
		address.Scheme != "https" && (address.Scheme != "http" || !local(address.Hostname())) {
		return relyingParty{}, nil //nolint:nilerr // an address without passkeys is an address like others
	}
	origin = address.Scheme + "://" + strings.ToLower(address.Host)
	w, err := webauthn.New(&webauthn.Config{
		RPID: strings.ToLower(address.Hostname()), RPDisplayName: "Routecard", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: challengeLife, TimeoutUVD: challengeLife},
			Registration: webauthn.TimeoutConfig{Timeout: challengeLife, TimeoutUVD: challengeLife},
		},
	})
	if err != nil {
		return relyingParty{}, fmt.Errorf("there are no passkeys at %s, as browsers need a name with a dot: %w", origin, err)
	}
	return relyingParty{origin, w}, nil
}

// CheckPasskeys returns why there can be no passkeys at a public https address, or nil.
func CheckPasskeys(origin string) error {
	_, err := newRelyingParty(origin)
	return err
}

func local(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

var errNoPasskeys = refusal.Refuse(reasonNoPasskeys)

// refusal is why there can be no passkeys, nil when there can.
func (p relyingParty) refusal() error {
	if p.webauthn == nil {
		return errNoPasskeys
	}
	return nil
}

// PasskeyOrigin is the address at which passkeys work, "" when there can be none.
func (s *Service) PasskeyOrigin() string { return s.party.origin }

// holder is a user as package webauthn knows one.
type holder struct {
	user     shop.User
	passkeys []Passkey
}

func (h holder) WebAuthnID() []byte          { return []byte(h.user.ID) }
func (h holder) WebAuthnName() string        { return h.user.Login }
func (h holder) WebAuthnDisplayName() string { return h.user.Name }

// WebAuthnCredentials omits credentials that cannot be read, which then belong to no user.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	var credentials []webauthn.Credential
	for _, passkey := range h.passkeys {
		var credential webauthn.Credential
		if json.Unmarshal([]byte(passkey.Credential), &credential) == nil {
			credential.Authenticator.SignCount = uint32(passkey.SignCount) //nolint:gosec // it was one
			credentials = append(credentials, credential)
		}
	}
	return credentials
}

func (h holder) descriptors() []protocol.CredentialDescriptor {
	var descriptors []protocol.CredentialDescriptor
	for _, credential := range h.WebAuthnCredentials() {
		descriptors = append(descriptors, credential.Descriptor())
	}
	return descriptors
}

// kept is a credential in the form in which it is kept. What the authenticator said about its make is left out.
func kept(credential webauthn.Credential) string {
	credential.Attestation = webauthn.CredentialAttestation{}
	return string(metadata(credential))
}
