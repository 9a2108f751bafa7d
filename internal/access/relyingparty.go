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

// relyingParty identifies the service to authenticators: a passkey is valid for one host name, and the authenticator signs the origin of
// the page.
type relyingParty struct {
	origin   string // "" if passkeys are not possible
	webauthn *webauthn.WebAuthn
}

// newRelyingParty returns the relying party for the address at which people reach the service. Browsers offer passkeys only to pages from
// https or from localhost, and only for host names, not for IP addresses. For any other origin the result is zero.
func newRelyingParty(origin string) (relyingParty, error) {
	address, err := url.Parse(strings.TrimSuffix(origin, "/"))
	if err != nil || address.Hostname() == "" || net.ParseIP(address.Hostname()) != nil ||
		address.Scheme != "https" && (address.Scheme != "http" || !local(address.Hostname())) {
		return relyingParty{}, nil //nolint:nilerr // such an address is allowed, but has no passkeys
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

// CheckPasskeys returns the reason why passkeys are not possible at a public https address, or nil.
func CheckPasskeys(origin string) error {
	_, err := newRelyingParty(origin)
	return err
}

func local(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

var errNoPasskeys = refusal.Refuse(reasonNoPasskeys)

// refusal returns the reason why the service cannot offer passkeys, or nil if it can.
func (p relyingParty) refusal() error {
	if p.webauthn == nil {
		return errNoPasskeys
	}
	return nil
}

// PasskeyOrigin returns the address at which passkeys work; "" if passkeys are not possible.
func (s *Service) PasskeyOrigin() string { return s.party.origin }

// holder is a user in the form that package webauthn needs.
type holder struct {
	user     shop.User
	passkeys []Passkey
}

func (h holder) WebAuthnID() []byte          { return []byte(h.user.ID) }
func (h holder) WebAuthnName() string        { return h.user.Login }
func (h holder) WebAuthnDisplayName() string { return h.user.Name }

// WebAuthnCredentials omits credentials that cannot be read. Such credentials then belong to no user.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	var credentials []webauthn.Credential
	for _, passkey := range h.passkeys {
		var credential webauthn.Credential
		if json.Unmarshal([]byte(passkey.Credential), &credential) == nil {
			credential.Authenticator.SignCount = uint32(passkey.SignCount) //nolint:gosec // the stored count was a uint32
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

// kept returns the stored form of a credential. It omits the authenticator's attestation of its model.
func kept(credential webauthn.Credential) string {
	credential.Attestation = webauthn.CredentialAttestation{}
	return string(metadata(credential))
}
