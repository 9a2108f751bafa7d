package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// halting is a store that blocks before it changes the second thousand units of a batch.
type halting struct {
	sqlstore.Store
	changed       int
	reached, wait chan struct{}
	goOn          func()
}

func (h *halting) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return h.Store.Update(ctx, func(tx shop.Tx) error { return change(haltingTx{tx, h}) }, options...)
}

type haltingTx struct {
	shop.Tx
	of *halting
}

func (tx haltingTx) ChangeCards(changes []card.Change) error {
	if tx.of.changed++; tx.of.changed == 2 {
		close(tx.of.reached)
		<-tx.of.wait
	}
	return tx.Tx.ChangeCards(changes)
}

// openHalting opens a shop with 1,500 units at one step.
func openHalting(t *testing.T) (s *visitedShop, h *halting, jobID string) {
	t.Helper()
	h = &halting{reached: make(chan struct{}), wait: make(chan struct{})}
	h.goOn = sync.OnceFunc(func() { close(h.wait) })
	s = openShopOn(t, func(store sqlstore.Store) sqlstore.Store {
		h.Store = store
		return h
	})
	t.Cleanup(h.goOn)
	jobID, _ = s.units(1500, "Turn", "Grind")
	return s, h, jobID
}

// The progress of a running batch can be requested only with the key of its form.
func TestProgressOfABatch(t *testing.T) {
	t.Parallel()
	s, h, jobID := openHalting(t)
	ann, bob := s.works("Ann"), s.works("Bob")
	ann.visit("/jobs/"+jobID).press("data-all", "all", "0/1500").press("ask-advance", "do", "ask-advance")
	form := ann.page.form(t, "progress-told").with("do", "advance")
	key := form.values.Get("once")
	bob.progress(key, "")
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		ann.post(form)
	}()
	<-h.reached
	bob.progress(key, "1\u202f000 of 1\u202f500 units")
	bob.progress("SN-00001", "")
	h.goOn()
	<-moved
	ann.says("1\u202f500 units advanced.")
	bob.progress(key, "")
}

// progress checks the progress text for a form's key. It is "" before and after the batch.
func (v *visitor) progress(key, want string) {
	v.t.Helper()
	status := http.StatusOK
	if want == "" {
		status = http.StatusNoContent
	}
	if v.visit("/progress/" + key); v.page.status != status || v.page.html != want {
		v.t.Errorf("progress of %s: status %d, %q, want %q", key, v.page.status, v.page.html, want)
	}
}

// The page requests the progress once a second and shows it.
func TestProgressOnThePage(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s, h, jobID := openHalting(t)
	dana := s.operator("Dana")
	server := httptest.NewServer(s.pages)
	t.Cleanup(server.Close)
	b := (&browsertest.Site{T: t, URL: server.URL}).Open()
	b.Visit("/jobs/" + jobID)
	b.SwitchTo(dana)
	b.Click(`button[name=all][value="0/1500"]`)
	b.Click(`button[value=ask-advance]`)
	b.Says("Advance 1\u202f500 units by one step")
	b.Click(`button[value=advance]`)
	<-h.reached
	b.Wait("how far it is", `document.querySelector(".progress-told:not([hidden])")?.textContent === "1\u202f000 of 1\u202f500 units"`)
	h.goOn()
	b.Says("1\u202f500 units advanced")
}
