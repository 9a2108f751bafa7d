package sqlstore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/account"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

const (
	tokenHash   = "token-hash"
	sessionHash = "session-hash"
)

// admitOne creates a user with a password, a token and a session at a station.
func admitOne(tx statement.Update) error {
	return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Login: "ana", Active: true, Roles: []string{"lead"}, Department: "0"}),
		tx.PutSecret(access.Secret{UserID: "user_1", Kind: access.Password, Hash: "x"}),
		tx.InsertToken(access.Token{ID: "tok_1", UserID: "user_1", Hash: tokenHash, ExpiresAt: 1 << 40}),
		tx.InsertSession(access.Session{ID: "sess_1", UserID: "user_1", Hash: sessionHash, Method: "password", StationID: "stn_1"}),
		tx.InsertStation(access.Station{ID: "stn_1", Hash: "device"}))
}

// A token or session in the cache takes no statement, any other takes one. A change of anything that an identity depends on is visible with
// the next request, whether or not a change was rolled back before.
func TestIdentityCacheFollowsCommits(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	ctx, store := t.Context(), workshop.store
	must(t, store.write(ctx, admitOne))
	workshop.makeSerials(workshop.path, 1, "")
	look := func(what string, want int) (told []any) {
		t.Helper()
		workshop.expect(what, workshop.count(func() error {
			token, owner, err := store.TokenByHash(ctx, tokenHash)
			told = append(told, token.RevokedAt, token.LastUsedAt, owner)
			return err
		}), want)
		workshop.expect(what, workshop.count(func() error {
			session, owner, err := store.SessionByHash(ctx, sessionHash)
			told = append(told, session.SeenAt, session.ConfirmedAt, session.MustChange, session.StationHash, session.Language, owner)
			return err
		}), want)
		workshop.expect(what, workshop.count(func() error {
			logins, err := store.ActiveLogins(ctx)
			told = append(told, logins)
			return err
		}), want)
		return told
	}
	look("at first", 1)
	change := func(what, text string, affected bool) {
		t.Helper()
		before, want := look("before "+what, 0), 0
		must(t, store.write(ctx, func(tx statement.Update) error { return db.Run(tx.(db.Querier), text) }))
		if affected {
			want = 1
		}
		if after := look("after "+what, want); affected == (fmt.Sprint(before) == fmt.Sprint(after)) {
			t.Errorf("%s: before %v, after %v", what, before, after)
		}
	}
	change("a use", `UPDATE access_token SET last_used_at = 7`, true)
	change("a session's use", `UPDATE access_session SET seen_at = 7`, true)
	change("a revocation", `UPDATE access_token SET revoked_at = 8`, true)
	change("a role taken away", `UPDATE shop_user SET roles = 'viewer'`, true)
	change("a user made inactive", `UPDATE shop_user SET active = 0`, true)
	change("a password set by somebody else", `UPDATE user_secret SET must_change = 1`, true)
	change("a secret given again", `UPDATE access_session SET confirmed_at = 7`, true)
	change("a language that was chosen", `INSERT INTO page_language (chosen_by, tag) VALUES ('stn_1', 'es')`, true)
	change("a device that is a station no more", `UPDATE station SET revoked_at = 8`, true)
	change("a secret that went", `DELETE FROM user_secret`, true)
	change("something else", `UPDATE job SET name = 'other'`, false)
	look("before an advance", 0)
	must(t, ran(workshop.AdvanceSerial(ctx, "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ana")})))
	before := look("after it", 0)

	errNo := errors.New("no")
	must(t, orElse(errNo, store.write(ctx, func(tx statement.Update) error {
		return errors.Join(db.Run(tx.(db.Querier), `DELETE FROM access_session`), errNo)
	})))
	if after := look("after a change that was taken back", 1); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("before %v, after %v", before, after)
	}
	if store.Update(ctx, failingCommit) == nil {
		t.Error("it was committed")
	}
	must(t, store.write(ctx, func(tx statement.Update) error {
		must(t, db.Run(tx.(db.Querier), `UPDATE shop_user SET name = 'Other'`))
		for range 2 { // uncommitted changes are not visible, and an identity that is read now is not cached
			if between := look("in the middle of a change", 1); fmt.Sprint(between) != fmt.Sprint(before) {
				t.Errorf("in the middle of a change others see %v, before it %v", between, before)
			}
		}
		return nil
	}))
	look("after the change", 1)

	rename := func(name string) {
		must(t, store.write(ctx, func(tx statement.Update) error {
			return db.Run(tx.(db.Querier), `UPDATE shop_user SET name = $1`, name)
		}))
	}
	rename("Before")
	_, old, err := keptIdentity(ctx, store, store.identities.tokens, tokenHash,
		func(q db.Querier, hash string) (access.Token, shop.User, error) {
			defer rename("After")
			return account.TokenByHash(q, hash)
		})
	must(t, err)
	_, owner, err := store.TokenByHash(ctx, tokenHash)
	if must(t, err); old.Name != "Before" || owner.Name != "After" { // an identity that was read before a change is not cached after it
		t.Errorf("read %q, then %q", old.Name, owner.Name)
	}

	must(t, store.write(ctx, func(tx statement.Update) error { return db.Run(tx.(db.Querier), `DELETE FROM access_session`) }))
	for range 2 { // the absence of a session is not cached either
		workshop.expect("a session that is not there", workshop.count(func() error {
			_, _, err := store.SessionByHash(ctx, sessionHash)
			return orElse(shop.ErrNoRecord, err)
		}), 1)
	}
	must(t, store.Close())
	if _, _, err := store.TokenByHash(ctx, tokenHash); err == nil {
		t.Error("a closed store answers")
	}
}

// The listed tables are those that the statements for identities read.
func TestIdentityTables(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var statements []string
	store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{Traced: func(statement string) {
		mu.Lock()
		defer mu.Unlock()
		statements = append(statements, statement)
	}})
	mu.Lock()
	statements = nil // ignore the statements of opening
	mu.Unlock()
	_, _, err := store.TokenByHash(t.Context(), tokenHash)
	must(t, orElse(shop.ErrNoRecord, err))
	_, _, err = store.SessionByHash(t.Context(), sessionHash)
	must(t, orElse(shop.ErrNoRecord, err))
	mu.Lock()
	asked := slices.Clone(statements)
	mu.Unlock()
	var said []string
	for _, table := range migrations.Tables {
		if table.Identities {
			said = append(said, table.Name)
		}
	}
	slices.Sort(said)
	if read := tablesRead(t, store, asked); !slices.Equal(read, said) {
		t.Errorf("read are %s, and said to be %s", read, said)
	}
}

func TestKeptIdentitiesAreBounded(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
	const limit = 10
	store.identities.limit = limit
	must(t, store.write(t.Context(), func(tx statement.Update) error {
		must(t, admitOne(tx))
		for i := range 3 * limit {
			must(t, tx.InsertToken(access.Token{ID: strconv.Itoa(i), UserID: "user_1", Hash: strconv.Itoa(i)}))
		}
		return nil
	}))
	for i := range 3 * limit {
		token, _, err := store.TokenByHash(t.Context(), strconv.Itoa(i))
		must(t, err)
		if kept := len(store.identities.tokens); token.ID != strconv.Itoa(i) || kept != min(i+1, limit) {
			t.Fatalf("token %s, %d are kept after %d", token.ID, kept, i+1)
		}
	}
}

// admitted is the state of the user in the calls below.
type admitted struct {
	used, department, seen, mustChange int
	lost                               bool // in a result: the change was not committed
}

// asking is one call of the test below.
type asking struct {
	kind  string // use, move, see, leave, must, nothing, token, session, or one of the last two without the cache
	value int
}

const gone = -1 // the result for a session that does not exist

// TestKeptIdentitiesAreLinearizable runs callers that change what a token and a session depend on, and look up their users with and without
// the cache, while changes are rolled back and commits fail. One order of all calls must explain every result.
func TestKeptIdentitiesAreLinearizable(t *testing.T) {
	t.Parallel()
	const clients, calls = 6, 150
	store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
	ctx := t.Context()
	must(t, store.write(ctx, admitOne))
	change := func(statements ...string) error {
		return store.write(ctx, func(tx statement.Update) error {
			for _, statement := range statements {
				if err := db.Run(tx.(db.Querier), statement); err != nil {
					return err
				}
			}
			return nil
		})
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n }
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	started := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var group sync.WaitGroup
	for client := range clients {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		group.Go(func() {
			for n := range calls {
				a, told := asking{value: 1 + client*calls + n}, admitted{}
				began := time.Since(started)
				var err error
				switch choice := random.IntN(40); {
				case choice < 2:
					a.kind, err = "use", change(fmt.Sprintf(`UPDATE access_token SET last_used_at = %d`, a.value))
				case choice < 4:
					a.kind, err = "move", change(fmt.Sprintf(`UPDATE shop_user SET department = '%d'`, a.value))
				case choice < 6:
					a.kind, err = "see", change(`DELETE FROM access_session`, fmt.Sprintf(`INSERT INTO access_session (hash, id, user_id,
						station_id, method, address, created_at, seen_at, second, provider_session)
						VALUES ('`+sessionHash+`', 'sess_1', 'user_1', '', 'password', '', 1, %d, '', '')`, a.value))
				case choice < 7:
					a.kind, err = "leave", change(`DELETE FROM access_session`)
				case choice < 8:
					a.value %= 2
					a.kind, err = "must", change(fmt.Sprintf(`UPDATE user_secret SET must_change = %d`, a.value))
				case choice < 9:
					a.kind = "nothing"
					_ = change(`UPDATE shop_user SET department = 'x'`, `DELETE FROM access_session`, `no statement`)
				case choice < 10:
					a.kind = "nothing"
					_ = store.write(ctx, func(tx statement.Update) error {
						return errors.Join(db.Run(tx.(db.Querier), `UPDATE shop_user SET department = 'x'`), failingCommit(tx))
					})
				case choice < 24:
					a.kind = "token"
					var token access.Token
					var user shop.User
					if choice < 12 {
						token, user, err = identityOf(ctx, store, tokenHash, account.TokenByHash)
					} else {
						token, user, err = store.TokenByHash(ctx, tokenHash)
					}
					told = admitted{used: int(token.LastUsedAt), department: number(user.Department)}
				default:
					a.kind = "session"
					var session access.Session
					var user shop.User
					if choice < 26 {
						session, user, err = identityOf(ctx, store, sessionHash, account.SessionByHash)
					} else {
						session, user, err = store.SessionByHash(ctx, sessionHash)
					}
					told = admitted{department: number(user.Department), seen: int(session.SeenAt)}
					if session.MustChange != "" {
						told.mustChange = 1
					}
					if errors.Is(err, shop.ErrNoRecord) {
						told, err = admitted{seen: gone}, nil
					}
				}
				if told.lost = err != nil; told.lost && (a.kind == "token" || a.kind == "session") {
					t.Errorf("%+v: %v", a, err)
				}
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: a, Call: began.Nanoseconds(), Output: told, Return: time.Since(started).Nanoseconds(),
				})
			}
		})
	}
	group.Wait()
	story := porcupine.Model{
		Init: func() any { return admitted{} },
		Step: func(state, input, output any) (bool, any) {
			is, a, told := state.(admitted), input.(asking), output.(admitted)
			if told.lost { // by a failed commit
				return true, is
			}
			switch a.kind {
			case "use":
				is.used = a.value
			case "move":
				is.department = a.value
			case "see":
				is.seen = a.value
			case "leave":
				is.seen = gone
			case "must":
				is.mustChange = a.value
			case "token":
				return told == admitted{used: is.used, department: is.department}, is
			case "session":
				if is.seen == gone {
					return told == admitted{seen: gone}, is
				}
				return told == admitted{department: is.department, seen: is.seen, mustChange: is.mustChange}, is
			}
			return true, is
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
	if result := porcupine.CheckOperationsTimeout(story, slices.Concat(histories...), time.Minute); result != porcupine.Ok {
		t.Errorf("the history of %d calls is %s", clients*calls, result)
	}
}
