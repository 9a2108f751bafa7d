package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/routecard/routecard/bench/internal/shop"
)

// dataset is a database with a number of serials, and the layout of its shop. It is created once through the interface and stored; runs
// work on copies.
type dataset struct {
	size   int
	file   string
	layout *shop.Layout
}

// openDataset returns the stored dataset of a size. If there is none for the tables of this service and the shop of this benchmark, it
// creates one.
func openDataset(ctx context.Context, binary, cache, schema string, size int, progress io.Writer) (data *dataset, err error) {
	name := filepath.Join(cache, fmt.Sprintf("%s-%d-%d", schema, shop.Version, size))
	data = &dataset{size: size, file: name + ".db", layout: &shop.Layout{}}
	if text, err := os.ReadFile(name + ".json"); err == nil {
		if err := json.Unmarshal(text, data.layout); err != nil {
			return nil, fmt.Errorf("read %s.json: %w", name, err)
		}
		return data, nil
	}
	fmt.Fprintf(progress, "making a database of %d serials, once\n", size)
	folder, err := os.MkdirTemp(cache, "making")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "shop.db")
	service, err := startService(ctx, binary, file)
	if err != nil {
		return nil, err
	}
	data.layout, err = shop.Make(service.base, shop.PlanFor(size))
	if err := errors.Join(err, service.stop()); err != nil {
		return nil, err
	}
	text, err := json.Marshal(data.layout)
	if err != nil {
		return nil, err
	}
	for _, side := range ledgerFiles() {
		if err := os.Rename(file+side, data.file+side); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(file, data.file); err != nil {
		return nil, err
	}
	return data, os.WriteFile(name+".json", text, 0o600) // written last: if this file exists, the database is complete
}

// schemaOf returns a name for the tables of the service, so that a database of another version is not used by mistake.
func schemaOf(ctx context.Context, binary, folder string) (name string, err error) {
	file := filepath.Join(folder, "empty.db")
	service, err := startService(ctx, binary, file)
	if err != nil {
		return "", err
	}
	if err := service.stop(); err != nil {
		return "", err
	}
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	result, err := db.QueryContext(ctx, `SELECT COALESCE(sql, name) FROM sqlite_schema ORDER BY type, name`)
	if err != nil {
		return "", err
	}
	defer result.Close()
	hash := sha256.New()
	for result.Next() {
		var text string
		if err := result.Scan(&text); err != nil {
			return "", err
		}
		fmt.Fprintln(hash, text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:6]), result.Err()
}

// ledgerFiles returns the suffixes of the ledger's files next to a database. Without these files the service signs nothing.
func ledgerFiles() []string { return []string{".ledger-key", ".ledger-key.state"} }

// copyDatabase copies a database with its ledger's key. The database must not be open.
func copyDatabase(from, to string) error {
	for _, side := range ledgerFiles() {
		if err := copyFile(from+side, to+side); err != nil {
			return err
		}
	}
	return copyFile(from, to)
}

// copyFile copies a database file, which must not be open, and replaces the database to.
func copyFile(from, to string) (err error) {
	for _, old := range []string{to, to + "-wal", to + "-shm"} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // the file was only read
	target, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if _, err := io.Copy(target, source); err != nil {
		return err
	}
	return target.Sync() // so that the measured run does not wait for the copy
}
