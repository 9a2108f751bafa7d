package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
	"github.com/routecard/routecard/bench/internal/table"
)

const (
	caseLedgerOn     = "advance, 64 callers, ledger on"
	caseLedgerOff    = "advance, 64 callers, ledger off in turn"
	caseProvable     = "an entry's proof, beside 64 callers who advance"
	caseNoBackup     = "advance, 64 callers, no backup"
	caseBesideBackup = "advance, 64 callers, beside backups"
)

// ledgerOnAndOff measures advances with the ledger on and off in turn.
func ledgerOnAndOff(r *rig, _ string) (rows []row, err error) {
	defer func() {
		r.flags = nil
		err = errors.Join(err, r.renew())
	}()
	with := func(flags ...string) func() error {
		return func() error {
			r.flags = flags
			return r.renew()
		}
	}
	advance := func() shop.Next { return r.stock.Advance() }
	rows, err = r.inTurns(way{caseLedgerOff, with("--ledger", "off"), advance}, way{caseLedgerOn, with(), advance})
	if err != nil {
		return nil, err
	}
	rows[1].compare(&rows[0], "of off")
	return rows, nil
}

// provable measures the time from the response to a write until the newest entry can be proved, while 64 callers advance.
func provable(r *rig, name string) ([]row, error) {
	if err := r.prepareMoves(); err != nil {
		return nil, err
	}
	client, err := load.Dial(r.service.base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var proofs load.Result
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			var took time.Duration
			if took, err = prove(client); err == nil {
				proofs.Requests++
				proofs.Latencies = append(proofs.Latencies, took)
				proofs.Took += took
			}
		}
		done <- err
	}()
	r.stock.Share(64, 0, nil)
	beside, err := r.measure(name, 64, http.StatusOK, r.stock.Advance())
	cancel()
	if err := errors.Join(err, <-done); err != nil {
		return nil, err
	}
	proofs.Sort()
	return []row{{
		Case: name, Serials: r.data.size, Callers: 1, Requests: proofs.Requests, Unit: "requests", PerSecond: proofs.PerSecond(),
		P50: proofs.Quantile(0.5), P99: proofs.Quantile(0.99), P999: proofs.Quantile(1),
		Note: fmt.Sprintf("at most %s after the answer; %s advances a second beside it", table.Duration(proofs.Quantile(1)),
			table.Rate(beside.PerSecond)),
	}}, nil
}

// prove makes a change, and measures the time from its response until the newest entry is proved.
func prove(client *load.Client) (took time.Duration, err error) {
	ask := func(request load.Request, wanted int) (body []byte, err error) {
		var kept bytes.Buffer
		answer, err := client.Do(request, &kept)
		if err == nil && answer.Status != wanted {
			err = fmt.Errorf("%s %s: status %d\n%s", request.Method, request.Path, answer.Status, kept.Bytes())
		}
		return kept.Bytes(), err
	}
	job, _ := shop.CreateJob()(0)
	if _, err := ask(job, http.StatusCreated); err != nil {
		return 0, err
	}
	answered := time.Now()
	newest, err := ask(load.Request{Method: http.MethodGet, Path: "/api/audit?limit=1"}, http.StatusOK)
	if err != nil {
		return 0, err
	}
	var entries []struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(newest, &entries); err != nil || len(entries) != 1 {
		return 0, fmt.Errorf("the newest entry: %w\n%s", err, newest)
	}
	_, err = ask(load.Request{Method: http.MethodGet, Path: "/api/ledger/proof/" + entries[0].ID}, http.StatusOK)
	return time.Since(answered), err
}

// besideBackups measures advances with and without concurrent backups, which are made one after the other. The row has the longest wait in
// the column in which other cases have p99.9.
func besideBackups(r *rig, _ string) ([]row, error) {
	folder, made := filepath.Join(r.folder, "backups"), 0
	alone, beside, err := r.beside(caseNoBackup, caseBesideBackup, func() (func(context.Context) error, error) {
		return func(ctx context.Context) (err error) {
			for err == nil && ctx.Err() == nil {
				if err = backUp(ctx, r.binary, r.database(), folder); err == nil {
					made++
				}
			}
			return ignoreEnd(ctx, err)
		}, os.MkdirAll(folder, 0o700)
	})
	if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
		return nil, fmt.Errorf("beside backups: %w", err)
	}
	alone.Note = "longest wait " + table.Duration(alone.Longest)
	beside.Note = fmt.Sprintf("longest wait %s, %d backups meanwhile", table.Duration(beside.Longest), made)
	return []row{alone, beside}, nil
}

func backUp(ctx context.Context, binary, database, folder string) error {
	command := exec.CommandContext(ctx, binary, "backup", "--database", database, "--to", folder, "--keep", "1")
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("backup: %w\n%s", err, output)
	}
	return nil
}
