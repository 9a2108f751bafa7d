package web_test

import (
	"context"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

var (
	figureLink = regexp.MustCompile(`(?s)<a class="figure[^"]*" href="([^"]*)"[^>]*>(.*?)</a>`)
	listSums   = regexp.MustCompile(`(?s)<p class="list-bar">(.*?)</p>`)
	waitingOn  = regexp.MustCompile(`of which (\d+) wait`)
	wholeCount = regexp.MustCompile(`\d+`)
	// notCounted matches digits in a page that are not counts: names, times, drawings, shares, and the goal of a job.
	notCounted = regexp.MustCompile(`(?s)<time.*?</time>|<svg.*?</svg>|<span class="(?:progress|amount|amount bad|short|id|ago|sub|order-of|due|tag late)".*?</span>|<a class="id".*?</a>|<td class="num (?:share|goal)".*?</td>|<span class="line">.*?</span>`)
)

// countsIn returns the counts in a piece of a page.
func countsIn(piece string) []string {
	text := strings.ReplaceAll(html.UnescapeString(tag.ReplaceAllString(piece, " ")), "\u202f", "")
	return wholeCount.FindAllString(text, -1)
}

// Every number on the floor page links to a list with the same number.
func TestEveryNumberOfTheFloorLeadsToItsList(t *testing.T) {
	t.Parallel()
	s, v, job := stocked(t)
	ctx, dana := t.Context(), input.Given(v.cookies["operator"])
	s.pass(26 * time.Hour)
	for _, unit := range []string{"SN-00006", "SN-00007"} { // finished on another day
		for range 2 {
			_, err := s.service.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: dana})
			s.must(err)
		}
	}
	_, err := s.service.ScrapSerial(ctx, "SN-00129", shop.ScrapSerialInput{Reason: input.Given("process_defect"), UserID: dana})
	s.must(err)
	for _, unit := range []string{"SN-00006", "SN-00101", "SN-00102", "SN-00128"} { // a finished unit, and others for the same reason
		_, err = s.service.HoldSerial(ctx, unit, shop.HoldSerialInput{Reason: input.Given("dent & burr"), UserID: dana})
		s.must(err)
	}
	report := s.report("SN-00110")
	_, err = s.service.AddToNonconformance(ctx, report, shop.AddToNonconformanceInput{
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts("SN-00111", "SN-00112", "SN-00113")}, Hold: input.Given(true), UserID: dana,
	})
	s.must(err)
	for _, unit := range []string{"SN-00128", "SN-00113"} { // these stay on hold but do not wait for anything
		_, err = s.service.ScrapSerial(ctx, unit, shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: dana})
		s.must(err)
	}
	_, err = s.service.DisposeNonconformance(ctx, report, shop.DispositionInput{SerialIDs: input.GivenTexts("SN-00111"),
		Disposition: input.Given("use_as_is"), Reason: input.Given("fits"), Concession: input.Given("customer"), UserID: dana})
	s.must(err)
	s.units(3, "Saw")
	for range 9 { // more jobs than the floor page lists
		s.units(1, "Mark")
	}

	floor := v.visit("/").page
	figures := figureLink.FindAllStringSubmatch(floor.html, -1)
	if len(figures) < 40 {
		t.Fatalf("the floor has only %d numbers", len(figures))
	}
	for _, figure := range figures {
		counts := countsIn(figure[2])
		if len(counts) == 0 {
			t.Errorf("no number in %s", figure[0])
			continue
		}
		v.visit(html.UnescapeString(figure[1]))
		var said []string
		if sums := listSums.FindStringSubmatch(v.page.html); sums != nil {
			said = countsIn(sums[1])
		} else if waiting := waitingOn.FindStringSubmatch(v.text()); waiting != nil {
			said = waiting[1:]
		} else {
			said = []string{"0"} // an empty list states the number in words
		}
		if !slices.Contains(said, counts[0]) {
			t.Errorf("the floor says %q, and %s says %q", blanks.ReplaceAllString(tag.ReplaceAllString(figure[2], " "), " "), v.page.address, said)
		}
	}
	main := floor.html[strings.Index(floor.html, `<main`):strings.Index(floor.html, `</main>`)]
	rest := notCounted.ReplaceAllString(figureLink.ReplaceAllString(main, " "), " ")
	rest = strings.ReplaceAll(rest, "last 14 days", "")
	if left := countsIn(rest); len(left) > 0 {
		t.Errorf("the floor has numbers that lead nowhere: %q in %s", left, blanks.ReplaceAllString(tag.ReplaceAllString(rest, " "), " "))
	}
	if !strings.Contains(floor.html, job) {
		t.Error("the floor does not lead to the job")
	}
}

// When a batch of units is created or put on hold, the floor page shows one line for it.
func TestFloorFoldsBatches(t *testing.T) {
	t.Parallel()
	s, v, _ := stocked(t)
	dana := input.Given(v.cookies["operator"])
	for _, unit := range []string{"SN-00041", "SN-00042", "SN-00043"} {
		_, err := s.service.HoldSerial(t.Context(), unit, shop.HoldSerialInput{Reason: input.Given("chatter marks"), UserID: dana})
		s.must(err)
	}
	v.visit("/").says("3 chatter marks")
	v.says("9 =Cover & lid Main route · SN-00131 to SN-00139")
	v.says("130 Valve body Main route · SN-00001 to SN-00130")
	if lines := strings.Count(v.text(), "chatter marks"); lines != 1 {
		t.Errorf("the reason stands %d times on the floor", lines)
	}
}

// slowSearch is a store whose first search for the longest-standing units does not return until end is closed.
type slowSearch struct {
	sqlstore.Store
	begun, end chan struct{}
	first      *sync.Once
}

func (s slowSearch) Look(ctx context.Context, read func(views.Reader) error, options ...shop.ViewOption) error {
	return s.Store.Look(ctx, func(tx views.Reader) error { return read(slowSearchReader{tx, s}) }, options...)
}

type slowSearchReader struct {
	views.Reader
	search slowSearch
}

func (r slowSearchReader) StandingLongest(limit int) ([]views.Standstill, error) {
	r.search.first.Do(func() {
		close(r.search.begun)
		<-r.search.end
	})
	return r.Reader.StandingLongest(limit)
}

// Right after a start the floor page responds at once and says that the search for the longest-standing units is still running. Afterwards
// the page shows the units, even if nothing happens in the shop.
func TestFloorDoesNotWaitForTheSearch(t *testing.T) {
	t.Parallel()
	slow := slowSearch{begun: make(chan struct{}), end: make(chan struct{}), first: new(sync.Once)}
	s := openShopOn(t, func(store sqlstore.Store) sqlstore.Store {
		slow.Store = store
		return slow
	})
	s.units(2, "Saw")
	searched := make(chan error)
	go func() { searched <- s.views.SearchLongest(context.WithoutCancel(t.Context())) }()
	<-slow.begun
	const still = "Loading the units"
	if page := s.visitor().visit("/").page.html; !strings.Contains(page, still) || !strings.Contains(page, "data-again") {
		t.Error("the floor does not say that it still looks for what stands longest")
	}
	close(slow.end)
	if err := <-searched; err != nil {
		t.Fatal(err)
	}
	if page := s.visitor().visit("/").page.html; strings.Contains(page, still) || !strings.Contains(page, "SN-00001") {
		t.Error("the floor does not have the units that stand longest after the search")
	}
}
