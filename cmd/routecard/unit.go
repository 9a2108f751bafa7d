package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/routecard/routecard/client"
)

type unitCommand struct {
	Code string `arg:"" help:"The unit's id, or another code on it."`
	remoteSettings
}

// Run prints the card of a unit as text. The exit status is 1 if the code identifies no unit, or several units.
func (c *unitCommand) Run(w *world) error {
	service, err := c.connect()
	if err != nil {
		return wrongSettings(err)
	}
	id, err := c.named(w.ctx, service)
	if err != nil {
		return err
	}
	card, err := readUnit(w.ctx, service, id)
	if err != nil {
		return asked(w.ctx, err)
	}
	return card.print(w.stdout)
}

// named returns the id of the unit that a code identifies.
func (c *unitCommand) named(ctx context.Context, service *client.Client) (string, error) {
	found, err := service.ResolveCode(ctx, client.ResolveCodeParams{Code: c.Code})
	if err != nil {
		return "", asked(ctx, err)
	}
	var units []string
	for _, record := range found.Found {
		if record.Kind == client.FoundSerial {
			units = append(units, record.ID)
		}
	}
	switch len(units) {
	case 0:
		return "", &exitError{fmt.Errorf("no unit is called %s", c.Code), 1}
	case 1:
		return units[0], nil
	}
	return "", &exitError{fmt.Errorf("%s names several units: %s", c.Code, strings.Join(units, ", ")), 1}
}

// unitCard is the printed card of a unit.
type unitCard struct {
	unit   client.SerialDetail
	job    client.JobDetail
	path   client.PathDetail
	visits []client.Visit
	names  map[string]string // of the people in it, by their ids
}

func readUnit(ctx context.Context, service *client.Client, id string) (card unitCard, err error) {
	if card.unit, err = service.GetSerial(ctx, id); err != nil {
		return card, err
	}
	var errs [3]error
	card.job, errs[0] = service.GetJob(ctx, card.unit.JobID)
	card.path, errs[1] = service.GetPath(ctx, card.unit.PathID)
	card.visits, errs[2] = service.ListVisits(ctx, id, client.ListVisitsParams{})
	if err := errors.Join(errs[:]...); err != nil {
		return card, err
	}
	card.names = map[string]string{}
	for _, visit := range card.visits {
		if _, known := card.names[visit.LeftBy]; known || visit.LeftBy == "" {
			continue
		}
		user, err := service.GetUser(ctx, visit.LeftBy)
		if refused, ok := errors.AsType[*client.Error](err); ok && refused.StatusCode == http.StatusNotFound {
			user.Name = visit.LeftBy // unverified
		} else if err != nil {
			return card, err
		}
		card.names[visit.LeftBy] = user.Name
	}
	return card, nil
}

func (c *unitCard) print(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name string, texts ...string) {
		if text := strings.Join(strings.Fields(strings.Join(texts, " ")), " "); text != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, text)
		}
	}
	line("Unit", cmp.Or(c.unit.SerialNumber, c.unit.ID), idNextToNumber(c.unit))
	line("Status", strings.ReplaceAll(string(c.unit.Status), "_", " "))
	line("Job", c.job.Name)
	line("Part", cmp.Or(c.job.PartNumber, c.job.TrackerPartNumber), c.job.PartRevision)
	line("GTIN", c.job.Gtin)
	line("Order", c.job.OrderNumber, c.job.Customer)
	due := cmp.Or(c.path.DueDate, c.job.DueDate)
	if due != "" && c.job.Late {
		due += " (the job is late)"
	}
	line("Due", due)
	line("Path", c.path.Name)
	if c.unit.CurrentStepName != "" {
		line("Step", fmt.Sprintf("%d of %d: %s", c.unit.CurrentStepIndex+1, len(c.path.Steps), c.unit.CurrentStepName))
	}
	line("Next", c.unit.NextStepName)
	for _, hold := range c.unit.Holds {
		line("On hold", hold.Reason, "since", shownAt(hold.PlacedAt), "by", hold.PlacedBy)
	}
	line("Scrapped", strings.ReplaceAll(string(c.unit.ScrapReason), "_", " "), c.unit.ScrapExplanation)
	for _, certificate := range c.unit.Certs {
		line("Certificate", certificate.Name)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(table, "\nstep\tstatus\tentered\tleft\tby")
	for _, visit := range c.visits {
		fmt.Fprintf(table, "%d %s\t%s\t%s\t%s\t%s\n", visit.StepOrder+1, strings.Join(strings.Fields(visit.StepName), " "),
			strings.ReplaceAll(string(visit.Status), "_", " "), shownAt(visit.EnteredAt), shownAt(visit.LeftAt), c.names[visit.LeftBy])
	}
	return table.Flush()
}

// idNextToNumber returns the id to show next to the unit's own number, or "" if the unit has no own number.
func idNextToNumber(unit client.SerialDetail) string {
	if unit.SerialNumber == "" {
		return ""
	}
	return "(" + unit.ID + ")"
}

// shownAt formats an instant in the local time zone; it returns "" for none.
func shownAt(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04") //nolint:gosmopolitan // on the reader's machine
}
