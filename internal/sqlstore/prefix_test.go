package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// newDatabases are the addresses of a database of each engine that was never opened.
func newDatabases(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"SQLite": filepath.Join(t.TempDir(), "shop.db"), "PostgreSQL": pgtest.Database(t)}
}

func openAny(ctx context.Context, address string, prefix ident.Prefix) (Store, error) {
	if IsPostgres(address) {
		return OpenPostgres(ctx, address, Pool{}, Options{SerialPrefix: prefix})
	}
	return OpenSQLite(ctx, address, Options{SerialPrefix: prefix})
}

// The first start stores the prefix. Later starts use it, or are refused if they ask for another one.
func TestFirstStartStoresThePrefix(t *testing.T) {
	t.Parallel()
	for engine, address := range newDatabases(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			store, err := openAny(t.Context(), address, "P2")
			must(t, err)
			stock(t, store, 2)
			expectPosition(t, store, "P2-00002", 0)
			if err := store.ChangeCard(t.Context(), "SN-00002", nil); !errors.Is(err, shop.ErrNoRecord) {
				t.Errorf("SN-00002 of another plant is a unit: %v", err)
			}
			must(t, store.Close())
			for _, wanted := range []ident.Prefix{"", "P2"} {
				again, err := openAny(t.Context(), address, wanted)
				must(t, err)
				if again.SerialPrefix() != "P2" {
					t.Errorf("opened with %q, the prefix is %s", wanted, again.SerialPrefix())
				}
				must(t, again.Close())
			}
			for _, wanted := range []ident.Prefix{"SN", "P3"} {
				_, err := openAny(t.Context(), address, wanted)
				if !errors.Is(err, ErrOtherPrefix) || !strings.Contains(fmt.Sprint(err), "have had the prefix P2") {
					t.Errorf("opened with %s: %v", wanted, err)
				}
			}
			must(t, ReadOnly(t.Context(), address, func(tx shop.Reader) error {
				_, err := tx.RouteCard("P2-00001")
				return err
			}))
		})
	}
}

// A first start that chooses no prefix stores the default one. Programs from before prefixes may write only to such a database.
func TestDefaultPrefix(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		wanted, stored ident.Prefix
		older          bool // whether older programs may write
	}{{"", "SN", true}, {"SN", "SN", true}, {"P2", "P2", false}} {
		for engine, address := range newDatabases(t) {
			t.Run(engine+" "+string(test.wanted), func(t *testing.T) {
				t.Parallel()
				store, err := openAny(t.Context(), address, test.wanted)
				must(t, err)
				if store.SerialPrefix() != test.stored {
					t.Errorf("the prefix is %s", store.SerialPrefix())
				}
				must(t, store.Close())
				if _, err := openAny(t.Context(), address, "P4"); !errors.Is(err, ErrOtherPrefix) {
					t.Errorf("opened with P4: %v", err)
				}
				if writer := writerOf(t, address); (writer < 87) != test.older {
					t.Errorf("programs that know version %d of the tables may write", writer)
				}
			})
		}
	}
}

// A database of an earlier version has the default prefix if it has entries: its identifiers never change.
func TestPrefixOfAnEarlierDatabase(t *testing.T) {
	t.Parallel()
	for engine, address := range newDatabases(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			store, err := openAny(t.Context(), address, "")
			must(t, err)
			stock(t, store, 1)
			must(t, store.Close())
			earlier := `DROP TABLE serial_prefix; DROP TABLE notice_settings; DROP TABLE notice_cause; DROP TABLE notice;
				DELETE FROM goose_db_version WHERE version_id >= 87`
			if IsPostgres(address) {
				must(t, execPostgres(t, address, earlier))
			} else {
				must(t, execSQL(t, address, earlier))
			}
			if _, err := openAny(t.Context(), address, "P2"); !errors.Is(err, ErrOtherPrefix) {
				t.Errorf("opened with P2: %v", err)
			}
			again, err := openAny(t.Context(), address, "")
			must(t, err)
			expectPosition(t, again, "SN-00001", 0)
			must(t, again.Close())
		})
	}
}

// An altered prefix that Routecard does not use stops no verification: the reader has the prefix that the trail states. Nothing else reads
// such a database.
func TestAlteredPrefix(t *testing.T) {
	t.Parallel()
	for engine, address := range newDatabases(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			alter := func(statement string) {
				t.Helper()
				if IsPostgres(address) {
					must(t, execPostgres(t, address, "SET session_replication_role = replica; "+statement)) // without triggers
				} else {
					must(t, execSQL(t, address, statement))
				}
			}
			expect := func(want ident.Prefix) {
				t.Helper()
				must(t, ReadAltered(t.Context(), address, func(tx shop.Reader, wrong error) error {
					if tx.SerialPrefix() != want || !strings.Contains(fmt.Sprint(wrong), `has the prefix "{zzz" for units`) {
						t.Errorf("the prefix is %q (%v), want %q", tx.SerialPrefix(), wrong, want)
					}
					return nil
				}))
			}
			store, err := openAny(t.Context(), address, "P2")
			must(t, err)
			must(t, store.Close())
			alter(`UPDATE serial_prefix SET prefix = '{zzz'`)
			expect(ident.DefaultPrefix)
			alter(`INSERT INTO audit (sequence, action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id, to_step_id,
				batch_quantity, metadata) VALUES (1, 'serial_created', 'ann', 0, 0, '', '', '', '', '', '', 2, '{"firstSerialId":"P2-00001"}')`)
			expect("P2")
			if err := ReadOnly(t.Context(), address, func(shop.Reader) error { return nil }); !errors.Is(err, errUnusedPrefix) {
				t.Errorf("ReadOnly: %v", err)
			}
			if _, err := openAny(t.Context(), address, ""); !errors.Is(err, errUnusedPrefix) {
				t.Errorf("opened: %v", err)
			}
		})
	}
}

// writerOf returns the version of the tables that a program must know to write.
func writerOf(t *testing.T, address string) (version int64) {
	t.Helper()
	const query = `SELECT value FROM counter WHERE name = 'writer'`
	if IsPostgres(address) {
		conn, err := pgx.Connect(t.Context(), address)
		must(t, err)
		defer conn.Close(t.Context())
		must(t, conn.QueryRow(t.Context(), query).Scan(&version))
		return version
	}
	file, err := sql.Open("sqlite", readingDSN(address, true))
	must(t, err)
	defer file.Close()
	must(t, file.QueryRowContext(t.Context(), query).Scan(&version))
	return version
}

// Of instances that start at the same time with different prefixes, one succeeds, and the others are refused.
func TestInstancesStartWithDifferentPrefixes(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	const instances = 6
	started, refused := make([]Store, instances), make([]error, instances)
	var starting sync.WaitGroup
	for i := range instances {
		starting.Go(func() { started[i], refused[i] = openAny(t.Context(), address, ident.Prefix(fmt.Sprint("P", i))) })
	}
	starting.Wait()
	winner := slices.IndexFunc(refused, func(err error) bool { return err == nil })
	if winner < 0 {
		t.Fatal(errors.Join(refused...))
	}
	for i, err := range refused {
		if i == winner {
			if prefix := started[i].SerialPrefix(); prefix != ident.Prefix(fmt.Sprint("P", i)) {
				t.Errorf("instance %d has the prefix %s", i, prefix)
			}
			must(t, started[i].Close())
		} else if !errors.Is(err, ErrOtherPrefix) {
			t.Errorf("instance %d was not refused for its prefix: %v", i, err)
		}
	}
}

// A copy has the prefix of its source, also into a database that was started with another one and has no units.
func TestCopyKeepsThePrefix(t *testing.T) {
	t.Parallel()
	file, address := filepath.Join(t.TempDir(), "from.db"), pgtest.Database(t)
	store, err := openAny(t.Context(), file, "P2")
	must(t, err)
	stock(t, store, 3)
	must(t, store.Close())
	unused, err := openAny(t.Context(), address, "P3")
	must(t, err)
	must(t, unused.Close())
	back := filepath.Join(t.TempDir(), "back.db")
	for _, way := range [][2]string{{file, address}, {address, back}} {
		_, err := Copy(t.Context(), way[0], way[1], CopyOptions{})
		must(t, err)
		copied, err := openAny(t.Context(), way[1], "P2")
		must(t, err)
		expectPosition(t, copied, "P2-00003", 0)
		must(t, copied.Close())
	}
}
