package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"

	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/shop"
)

// trackerSettings are the flags that connect the service to an issue tracker.
type trackerSettings struct {
	URL           string   `name:"tracker-url" help:"Address of the Jira whose tickets become jobs. Default: none." placeholder:"URL"`
	User          string   `name:"tracker-user" help:"E-mail address of the API token's owner. Default: the token is a bearer token." placeholder:"EMAIL"`
	TokenFile     string   `name:"tracker-token-file" help:"File with the token, and nothing else." placeholder:"FILE"`
	Projects      []string `name:"tracker-project" help:"Projects to read tickets from." placeholder:"KEY"`
	PartField     string   `name:"tracker-part-field" help:"Ticket field with the part number." placeholder:"FIELD"`
	QuantityField string   `name:"tracker-quantity-field" help:"Ticket field with the quantity." placeholder:"FIELD"`
	EpicField     string   `name:"tracker-epic-field" help:"Ticket field with the epic. Default: the parent, if it is an epic." placeholder:"FIELD"`
	API           int      `name:"tracker-api" help:"REST version: 3 for Cloud, 2 for Data Center." enum:"2,3" default:"3"`
}

// connect makes the connection to the tracker; nil without a tracker in the settings.
func (s trackerSettings) connect(logger *slog.Logger) (*tracker.Jira, error) {
	if s.URL == "" {
		if s.User != "" || s.TokenFile != "" || len(s.Projects) > 0 {
			return nil, errors.New("issue tracker: --tracker-url is missing")
		}
		return nil, nil //nolint:nilnil // a service without a tracker is allowed
	}
	if s.TokenFile == "" {
		return nil, errors.New("issue tracker: --tracker-token-file is missing")
	}
	token, err := readToken(s.TokenFile, "the issue tracker", logger)
	if err != nil {
		return nil, fmt.Errorf("issue tracker: --tracker-token-file: %w", err)
	}
	jira, err := tracker.New(tracker.Options{
		URL: s.URL, User: s.User, Token: token, Projects: s.Projects, API: s.API,
		PartField: s.PartField, QuantityField: s.QuantityField, EpicField: s.EpicField, Logger: logger,
	})
	if err != nil {
		return nil, fmt.Errorf("issue tracker: %w", err)
	}
	if openAddress(s.URL) {
		logger.Warn("the token for the issue tracker crosses the network unencrypted: use an https address")
	}
	return jira, nil
}

// link connects a Service to the tracker.
func (s trackerSettings) link(service *shop.Service, jira *tracker.Jira) *tracker.Link {
	if jira == nil {
		return tracker.NewLink(service, nil, tracker.Pause)
	}
	return tracker.NewLink(service, jira, tracker.Pause)
}

// degraded reports the trouble of the tracker for the health of the service.
func (s trackerSettings) degraded(jira *tracker.Jira) func() string {
	if jira == nil {
		return nil
	}
	return jira.Degraded
}

// openAddress reports whether requests to an address send credentials unencrypted over a network.
func openAddress(address string) bool {
	target, err := url.Parse(address)
	if err != nil || target.Scheme != "http" || target.Hostname() == "localhost" {
		return false
	}
	ip := net.ParseIP(target.Hostname())
	return ip == nil || !ip.IsLoopback()
}
