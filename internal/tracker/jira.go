// Package tracker connects Routecard to an issue tracker: Jira, over version 2 or 3 of its REST interface.
//
// jira.go has the operations, client.go the requests and retries, circuit.go the pauses after failures, fields.go the reading of fields,
// document.go the forms of comments.
package tracker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
)

// Options are the address of Jira, the credentials, and the meaning of its fields.
type Options struct {
	// URL is the address of Jira, such as https://example.atlassian.net or https://jira.example.com/jira.
	URL string
	// User and Token are sent as Basic credentials; without a user the token is sent as a bearer token.
	User  string
	Token Secret
	// Projects are the keys of the projects whose tickets can be used. Tickets of other projects are treated as if they did not exist.
	Projects []string
	// API is the version of the REST interface: 3 for Jira Cloud, 2 for Jira Data Center and Server.
	API int
	// The custom fields of Jira, such as customfield_10101, for values without a standard field. "" for none. Without an EpicField, the
	// parent of an issue is used if it is an epic.
	PartField, QuantityField, EpicField string

	Logger *slog.Logger // nil: nothing is logged
	// Clock and Pause are replaced in tests; nil for real time.
	Clock func() time.Time
	Pause shop.Pause
	// Timeout is the time limit of one request, and Patience of one operation with all its requests; zero for the default.
	Timeout, Patience time.Duration
}

// The defaults, and the limits of one operation.
const (
	usualTimeout  = 10 * time.Second
	usualPatience = 30 * time.Second
	ticketLimit   = 1000 // tickets in a list
	pageSize      = 100  // tickets or comments in one request
	pageLimit     = 60   // the maximum number of pages, in case Jira always claims to have one more
)

// Jira is an issue tracker. It is safe for concurrent use.
type Jira struct {
	options Options
	base    *url.URL
	client  *http.Client
	slots   chan struct{} // limits the operations that run at the same time
	circuit circuit
}

var _ IssueTracker = (*Jira)(nil)

var (
	projectPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	fieldPattern   = regexp.MustCompile(`^[A-Za-z0-9_.-]*$`)
	keyPattern     = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)-[1-9]\d{0,17}$`)
	idPattern      = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)
)

// New makes the connection. It sends no request to Jira.
func New(options Options) (*Jira, error) {
	base, err := url.Parse(options.URL)
	switch {
	case err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https"):
		return nil, errors.New("the address must be one such as https://example.atlassian.net")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the address must have no user, query or fragment")
	case options.API != 2 && options.API != 3:
		return nil, errors.New("the version of the REST interface must be 2 or 3")
	case len(options.Projects) == 0:
		return nil, errors.New("at least one project is needed")
	case options.Token == "":
		return nil, errors.New("a token is needed")
	}
	for _, project := range options.Projects {
		if !projectPattern.MatchString(project) {
			return nil, fmt.Errorf("%q is not the key of a project", project)
		}
	}
	for _, field := range []string{options.PartField, options.QuantityField, options.EpicField} {
		if !fieldPattern.MatchString(field) {
			return nil, fmt.Errorf("%q is not the identifier of a field, such as customfield_10101", field)
		}
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = ""
	options.fill()
	return &Jira{options: options, base: base, client: newClient(), slots: make(chan struct{}, slots)}, nil
}

func (o *Options) fill() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Pause == nil {
		o.Pause = Pause
	}
	if o.Timeout == 0 {
		o.Timeout = usualTimeout
	}
	if o.Patience == 0 {
		o.Patience = usualPatience
	}
}

// Degraded describes the current trouble of the tracker in a sentence; "" if there is none.
func (j *Jira) Degraded() string { return j.circuit.trouble(j.options.Clock()) }

// about runs an operation on one issue. It does not request keys that are malformed or belong to another project: for these it returns the
// failure of an issue that does not exist.
func (j *Jira) about(ctx context.Context, key, what string, operation func(ctx context.Context, path string) *failure) error {
	if !j.ours(key) {
		return &APIError{Status: strconv.Itoa(http.StatusNotFound)}
	}
	return j.run(ctx, what, func(ctx context.Context) *failure { return operation(ctx, "/issue/"+key) })
}

func (j *Jira) ours(key string) bool {
	match := keyPattern.FindStringSubmatch(key)
	if match == nil {
		return false
	}
	return slices.ContainsFunc(j.options.Projects, func(project string) bool { return strings.EqualFold(project, match[1]) })
}

// Ticket reads one issue.
func (j *Jira) Ticket(ctx context.Context, key string) (Ticket, error) {
	var ticket Ticket
	err := j.about(ctx, key, "read a ticket", func(ctx context.Context, path string) *failure {
		var found issue
		if f := j.get(ctx, path, url.Values{"fields": {j.fields()}}, &found); f != nil {
			return f
		}
		switch {
		case found.Key == "":
			return invalidFailure(errors.New("an issue without a key"))
		case !j.ours(found.Key): // the issue was moved to another project, which is not in Projects
			return statusFailure(http.StatusNotFound)
		}
		ticket = j.read(found)
		return nil
	})
	return ticket, err
}

// searchPage is a page of a search. The older interface has the total count, the newer one a token for the next page.
type searchPage struct {
	Issues        []issue `json:"issues"`
	Total         *int    `json:"total"`
	IsLast        *bool   `json:"isLast"`
	NextPageToken string  `json:"nextPageToken"`
}

// Tickets searches for the issues of the projects that are not done, newest first.
func (j *Jira) Tickets(ctx context.Context) ([]Ticket, error) {
	var tickets []Ticket
	err := j.run(ctx, "list tickets", func(ctx context.Context) (f *failure) {
		// Jira Cloud has only the search by token and Data Center only the counted one, whichever version is set.
		kinds := []string{"/search/jql", "/search"}
		if j.options.API == 2 {
			slices.Reverse(kinds)
		}
		for _, kind := range kinds {
			tickets, f = j.search(ctx, kind)
			if f == nil || (f.Status != "404" && f.Status != "410") {
				return f
			}
		}
		return f
	})
	return tickets, err
}

func (j *Jira) search(ctx context.Context, path string) ([]Ticket, *failure) {
	query := url.Values{
		"jql": {`project in ("` + strings.Join(j.options.Projects, `", "`) +
			`") AND statusCategory != Done ORDER BY created DESC, key DESC`},
		"fields":     {j.fields()},
		"maxResults": {strconv.Itoa(pageSize)},
	}
	byToken := strings.HasSuffix(path, "/jql")
	var tickets []Ticket
	seen := map[string]bool{} // an issue that is created meanwhile moves others to the next page
	for start := range pageLimit {
		var page searchPage
		if f := j.get(ctx, path, query, &page); f != nil {
			return nil, f
		}
		for _, found := range page.Issues {
			if found.Key == "" || seen[found.Key] {
				continue
			}
			seen[found.Key] = true
			if len(tickets) == ticketLimit {
				j.options.Logger.WarnContext(ctx, "the list of tickets is cut", "limit", ticketLimit)
				return tickets, nil
			}
			tickets = append(tickets, j.read(found))
		}
		if byToken {
			if page.NextPageToken == "" || page.IsLast != nil && *page.IsLast {
				return tickets, nil
			}
			query.Set("nextPageToken", page.NextPageToken)
			continue
		}
		if start == 0 {
			query.Set("startAt", "0")
		}
		next := offset(query) + len(page.Issues)
		if len(page.Issues) == 0 || page.Total == nil || next >= *page.Total {
			return tickets, nil
		}
		query.Set("startAt", strconv.Itoa(next))
	}
	j.options.Logger.WarnContext(ctx, "the list of tickets is cut", "pages", pageLimit)
	return tickets, nil
}

func offset(query url.Values) int {
	start, err := strconv.Atoi(query.Get("startAt"))
	if err != nil {
		return 0
	}
	return start
}

// commentAnswer is a comment in Jira's responses.
type commentAnswer struct {
	ID   json.RawMessage `json:"id"`
	Body json.RawMessage `json:"body"`
}

// id returns the comment's identifier, or a failure if it is not valid.
func (c commentAnswer) id() (string, *failure) {
	id := plain(c.ID)
	if !idPattern.MatchString(id) {
		return "", invalidFailure(errors.New("a comment without an identifier"))
	}
	return id, nil
}

// AddComment adds a comment. If the outcome of an attempt is unknown, it looks for the marker before it tries again.
func (j *Jira) AddComment(ctx context.Context, key, text, marker string) (string, error) {
	var id string
	err := j.about(ctx, key, "add a comment", func(ctx context.Context, path string) *failure {
		body, err := json.Marshal(map[string]any{"body": j.document(text, marker)})
		if err != nil {
			return invalidFailure(err)
		}
		maybe := false
		return j.retry(ctx, func() (f *failure) {
			if maybe {
				if id, f = j.find(ctx, path, marker); f != nil {
					f.Maybe, f.again = true, false
					return f
				}
				if id != "" {
					return nil
				}
			}
			var added commentAnswer
			if f = j.send(ctx, http.MethodPost, path+"/comment", nil, body, &added); f == nil {
				if id, f = added.id(); f != nil {
					f.Maybe = true // the comment was added, but its identifier must be searched for
				}
			}
			if f != nil {
				maybe = maybe || f.Maybe
				f.Maybe = maybe
			}
			return f
		})
	})
	return id, err
}

// FindComment looks through the comments of an issue, newest first.
func (j *Jira) FindComment(ctx context.Context, key, marker string) (string, error) {
	var id string
	err := j.about(ctx, key, "look for a comment", func(ctx context.Context, path string) (f *failure) {
		id, f = j.find(ctx, path, marker)
		return f
	})
	return id, err
}

func (j *Jira) find(ctx context.Context, path, marker string) (string, *failure) {
	query := url.Values{"orderBy": {"-created"}, "maxResults": {strconv.Itoa(pageSize)}, "startAt": {"0"}}
	for range pageLimit {
		var page struct {
			Comments []commentAnswer `json:"comments"`
			StartAt  int             `json:"startAt"`
			Total    int             `json:"total"`
		}
		if f := j.get(ctx, path+"/comment", query, &page); f != nil {
			return "", f
		}
		for _, comment := range page.Comments {
			if lastLine(plain(comment.Body)) == marker {
				return comment.id()
			}
		}
		next := offset(query) + len(page.Comments)
		if len(page.Comments) == 0 || next >= page.Total || page.StartAt != offset(query) {
			return "", nil
		}
		query.Set("startAt", strconv.Itoa(next))
	}
	return "", nil
}
