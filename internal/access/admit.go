package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Identity is the user that a request comes from, and the proof of that.
type Identity struct {
	User        shop.User
	Permissions []shop.Permission
	TokenID     string // "" for a session
	Session     Session
	Logins      map[string]bool // logins that the identity may act for; nil: none
	Confirmed   bool            // whether a secret was given within the last minutes
	MustChange  SecretKind      // the secret that has to be replaced before anything else, "" for none
	// Ended are the permissions that the user lost because roles from groups have ended.
	Ended []shop.Permission
	// Second is the step of the second factor that the identity must take before it may do anything else.
	Second SecondStep

	admittedAt ident.Timestamp
}

// Caller returns the identity as operations see it.
func (i *Identity) Caller() shop.Caller {
	return shop.Caller{
		Login: i.User.Login, Permissions: i.Permissions, Means: i.means(), Confirmed: i.Confirmed, Logins: i.Logins,
	}
}

// AtStation reports whether the identity signed in at a station.
func (i *Identity) AtStation() bool { return i.Session.StationID != "" }

type identityKey struct{}

// IdentityOf returns the identity of a request that was admitted; nil when it has none.
func IdentityOf(ctx context.Context) *Identity {
	identity, _ := ctx.Value(identityKey{}).(*Identity)
	return identity
}

func withIdentity(ctx context.Context, identity *Identity) context.Context {
	return shop.WithCaller(context.WithValue(ctx, identityKey{}, identity), identity.Caller())
}

// The times after which sessions end by themselves.
const (
	sessionIdle = 8 * time.Hour
	sessionMost = 12 * time.Hour
	stationIdle = 10 * time.Minute
)

// touchEvery is the precision of the stored time of a token's last use.
const touchEvery = 5 * time.Minute

// Admit decides whether a request has a permission that its destination needs. No other function decides this. It returns the request with
// its identity, if it has one, even if it refuses the request.
func (s *Service) Admit(r *http.Request, needs shop.Permission) (*http.Request, error) {
	admitted, err := s.admit(r, needs)
	if identity := IdentityOf(admitted.Context()); err != nil && (identity != nil || r.Header.Get("Authorization") != "") {
		s.turnedAway(r, identity, err)
	}
	return admitted, err
}

func (s *Service) admit(r *http.Request, needs shop.Permission) (*http.Request, error) {
	identity, err := s.identify(r)
	if identity != nil {
		identity.admittedAt = s.now()
		remote.Of(r).Identify(identity.User.ID, identity.User.Login)
	}
	if needs != shop.Anyone && (s.options.Mode != Writes || needs != shop.Read) {
		remote.Of(r).Guard()
	}
	if needs == shop.Anyone {
		// Wrong credentials do not prevent signing in.
		var refusal *RefusalError
		if err != nil && !errors.As(err, &refusal) {
			return r, err
		}
		if identity != nil {
			r = r.WithContext(withIdentity(r.Context(), identity))
		}
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if identity == nil {
		if s.options.Mode == Writes && needs == shop.Read {
			return r, nil
		}
		return r, authenticationRequired()
	}
	if err := s.nameOthers(r, identity); err != nil {
		return r, err
	}
	r = r.WithContext(withIdentity(r.Context(), identity))
	switch {
	case needs == shop.Arrived:
	case identity.Second == GiveSecond && needs == shop.Entering:
	case identity.Second == GiveSecond:
		return r, ErrGiveSecond
	case identity.MustChange != "":
		return r, mustReplace(identity.MustChange)
	case needs == shop.Entering:
	case identity.Second == SetUpSecond:
		return r, ErrSetUpSecond
	case s.options.Mode == Writes && needs == shop.Read: // readable without an identity
	case len(identity.Permissions) == 0 && len(identity.Ended) > 0:
		return r, s.signInAgain()
	case needs == shop.SignedIn:
	case !slices.Contains(identity.Permissions, needs):
		return r, s.lacks(needs, identity.Ended)
	}
	return r, nil
}

// nameOthers loads the logins for which an identity with act-for may act. It does so before the request changes anything, so that no
// transaction waits for it.
func (s *Service) nameOthers(r *http.Request, identity *Identity) (err error) {
	if r.Method != http.MethodGet && slices.Contains(identity.Permissions, shop.ActFor) {
		identity.Logins, err = s.store.ActiveLogins(r.Context())
	}
	return err
}

// Still reports whether an admitted request would be admitted again. Handlers call it while they write a long response.
func (s *Service) Still(r *http.Request, needs shop.Permission) bool {
	_, err := s.Admit(r, needs)
	return err == nil
}

// arrivesWithin is the longest time in which a body may arrive without the request being admitted again.
const arrivesWithin = time.Second

// Arrived admits a request again if its body took longer than arrivesWithin to arrive, and returns the request with its current identity.
// So a session that ended meanwhile cannot carry out the request.
func (s *Service) Arrived(r *http.Request, needs shop.Permission) (*http.Request, error) {
	identity := IdentityOf(r.Context())
	if identity == nil || needs == shop.Anyone {
		return r, nil
	}
	if took := s.now() - identity.admittedAt; took >= 0 && took < ident.Timestamp(arrivesWithin.Milliseconds()) {
		return r, nil
	}
	return s.Admit(r, needs)
}

// stillEvery is the shortest time between two checks whether a long response may continue.
const stillEvery = 10 * time.Second

// Watched returns a writer for the response to an admitted request. Once the request would no longer be admitted, the writer accepts
// nothing more: a long download ends soon after its token does.
func (s *Service) Watched(w http.ResponseWriter, r *http.Request, needs shop.Permission) http.ResponseWriter {
	return &watched{ResponseWriter: w, door: s, r: r, needs: needs, asked: s.now()}
}

type watched struct {
	http.ResponseWriter

	door  *Service
	r     *http.Request
	needs shop.Permission
	asked ident.Timestamp
}

var errNotAnyMore = errors.New("whoever asked may not read any more")

func (w *watched) Write(piece []byte) (int, error) {
	if w.asked <= w.door.since(stillEvery) {
		w.asked = w.door.now()
		if !w.door.Still(w.r, w.needs) {
			return 0, errNotAnyMore
		}
	}
	return w.ResponseWriter.Write(piece)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Affects reports whether an audit entry records a change that can end an admission.
func Affects(action trail.Action) bool {
	return action == shop.ActionTokenRevoked || action == shop.ActionAccountChanged ||
		action == shop.ActionSecretChanged || action == shop.ActionSessionEnded || action == shop.ActionUserChanged ||
		action == shop.ActionAccessPolicyChanged
}

// identify returns the identity of a request; nil if the request has no credentials. A session that ended counts as no session.
func (s *Service) identify(r *http.Request) (*Identity, error) {
	if given, ok := bearer(r.Header.Get("Authorization")); ok {
		return s.byToken(r.Context(), given)
	}
	cookie, err := r.Cookie(s.SessionCookie())
	if err != nil || cookie.Value == "" {
		return nil, nil //nolint:nilnil // a request without credentials is no error
	}
	return s.bySession(r, cookie.Value)
}

func (s *Service) byToken(ctx context.Context, given string) (*Identity, error) {
	if !wellFormed(given) {
		return nil, tokenNotValid()
	}
	hash := digest(given)
	token, user, err := s.store.TokenByHash(ctx, hash)
	if errors.Is(err, shop.ErrNoRecord) {
		return nil, tokenNotValid()
	}
	if err != nil {
		return nil, err
	}
	now := s.now()
	if token.RevokedAt != 0 || now >= token.ExpiresAt || !user.Active || user.Login == "" {
		return nil, tokenNotValid()
	}
	if token.LastUsedAt < s.since(touchEvery) {
		s.touch(ctx, hash, func(tx Tx) error { return tx.TouchToken(hash, now) })
	}
	// A token loses the permissions of roles that its owner no longer has, or that have ended.
	permissions, ended := s.allowed(user, token.OwnerSeenAt)
	without := func(p shop.Permission) bool { return !slices.Contains(token.Permissions, p) }
	identity := &Identity{
		User: user, TokenID: token.ID,
		Permissions: slices.DeleteFunc(permissions, without), Ended: slices.DeleteFunc(ended, without),
	}
	if user.Kind != shop.Program && !token.HasSecond && needsSecond(token.NeedsSecond, user.Roles) {
		identity.Second, identity.Permissions = SetUpSecond, []shop.Permission{}
	}
	return identity, nil
}

func (s *Service) bySession(r *http.Request, given string) (*Identity, error) {
	ctx, hash := r.Context(), digest(given)
	session, user, err := s.store.SessionByHash(ctx, hash)
	if errors.Is(err, shop.ErrNoRecord) {
		return nil, nil //nolint:nilnil // as if there were no cookie
	}
	if err != nil {
		return nil, err
	}
	if s.ended(session) || !user.Active || user.Login == "" || !s.fromItsStation(r, session) {
		return nil, nil //nolint:nilnil // the user can no longer sign in
	}
	idle := s.idle(session)
	if now := s.now(); session.SeenAt < s.since(min(touchEvery, idle/10)) && !unattended(r) {
		s.touch(ctx, hash, func(tx Tx) error { return tx.TouchSession(hash, now) })
	}
	identity := &Identity{
		User: user, Session: session, MustChange: session.MustChange, Second: secondStep(session, user.Roles),
		Confirmed: session.Method != string(PIN) && session.ConfirmedAt > s.since(confirmedFor) && !s.later(session.ConfirmedAt),
	}
	identity.Permissions, identity.Ended = s.allowed(user, session.OwnerSeenAt)
	identity.Permissions = permissionsIn(session.Method, identity.Permissions)
	identity.Ended = permissionsIn(session.Method, identity.Ended)
	if identity.Second != "" {
		identity.Permissions = []shop.Permission{}
	}
	return identity, nil
}

// idle returns how long a session may be idle before it ends.
func (s *Service) idle(session Session) time.Duration {
	if session.StationID != "" {
		return s.options.StationIdle
	}
	return sessionIdle
}

// later reports whether a time lies in the future by more than clocks of instances may differ: the clock was set back after that time.
func (s *Service) later(at ident.Timestamp) bool { return at > s.since(-clockSkew) }

func (s *Service) ended(session Session) bool {
	return session.SeenAt <= s.since(s.idle(session)) || session.CreatedAt <= s.since(sessionMost) || s.later(session.CreatedAt)
}

// unattended reports whether a page sent a request by itself. Such a request does not show that the person is present.
func unattended(r *http.Request) bool {
	return r.Header.Get("Routecard-Live") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// touch records a use only once if many requests come at the same time. A failure does no harm: the next request tries again.
func (s *Service) touch(ctx context.Context, hash string, change func(Tx) error) {
	if _, busy := s.touching.LoadOrStore(hash, true); busy {
		return
	}
	defer s.touching.Delete(hash)
	if err := s.store.UpdateAccess(context.WithoutCancel(ctx), change, shop.Aside); err != nil {
		s.options.Logger.WarnContext(ctx, "the use of a token or a session was not recorded", "error", err)
	}
}
