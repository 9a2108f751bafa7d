// Package jiratest is a fake Jira in memory. It has the part of the REST interface that Routecard uses, as the public documentation
// describes it. Tests run it as a server; docs/examples/fakejira runs it for users.
package jiratest

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The kinds of Jira, which have different interfaces.
const (
	Cloud      = 3 // version 3 of the interface, search by token, comments as documents
	DataCenter = 2 // version 2, counted search, comments in wiki markup
)

// Issue is one issue: its key, its identifier, and its fields in JSON. If the identifier is "", Add makes one from the key.
type Issue struct {
	Key    string
	ID     string
	Fields map[string]any
	Done   bool

	earlier string // the key before it was moved
}

// Comment is one comment.
type Comment struct {
	ID      string `json:"id"`
	Body    any    `json:"body"`
	Created string `json:"created"`
}

// Jira is the server. Its fields must not be changed while it serves.
type Jira struct {
	// Kind is Cloud or DataCenter.
	Kind int
	// User and Token are the accepted credentials: Basic with a user, and bearer without.
	User, Token string
	// PageSize is the maximum number of issues or comments on a page; 0 for the requested number.
	PageSize int
	// Before is called with every request that has the right credentials. If it returns true, it has sent the response.
	Before func(w http.ResponseWriter, r *http.Request) bool
	// Accepted is called after a comment was added and before the response.
	Accepted func(r *http.Request, comment Comment)

	mu       sync.Mutex
	issues   []Issue // newest first
	comments map[string][]Comment
	asked    []string
	last     int
}

// Add adds issues before the existing ones.
func (j *Jira) Add(issues ...Issue) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, issue := range issues {
		if issue.ID == "" {
			issue.ID = "10" + strings.TrimLeft(issue.Key[strings.IndexByte(issue.Key, '-'):], "-")
		}
		j.issues = slices.Insert(j.issues, 0, issue)
	}
}

// Move gives an issue the key of another project. The issue is found by both keys.
func (j *Jira) Move(from, to string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.issues {
		if j.issues[i].Key == from {
			j.issues[i].Key, j.issues[i].earlier = to, from
		}
	}
}

// Comments returns the comments of an issue, oldest first.
func (j *Jira) Comments(key string) []Comment {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.comments[key])
}

// Asked returns the method and path of all requests so far.
func (j *Jira) Asked() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.asked)
}

// ServeHTTP responds as Jira does.
func (j *Jira) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	j.mu.Lock()
	j.asked = append(j.asked, r.Method+" "+r.URL.Path)
	j.mu.Unlock()
	if !j.authorized(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="Jira"`)
		refuse(w, http.StatusUnauthorized, "Client must be authenticated to access this resource.")
		return
	}
	if j.Before != nil && j.Before(w, r) {
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/rest/api/"+strconv.Itoa(j.Kind))
	if !ok {
		refuse(w, http.StatusNotFound, "null for uri: "+r.URL.Path)
		return
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case r.Method == http.MethodGet && path == "/search/jql" && j.Kind == Cloud:
		j.searchByToken(w, r)
	case r.Method == http.MethodGet && path == "/search" && j.Kind == DataCenter:
		j.searchCounted(w, r)
	case path == "/search":
		refuse(w, http.StatusGone, "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.")
	case len(parts) == 2 && parts[0] == "issue" && r.Method == http.MethodGet:
		j.issue(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "issue" && parts[2] == "comment" && r.Method == http.MethodGet:
		j.listComments(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "issue" && parts[2] == "comment" && r.Method == http.MethodPost:
		j.addComment(w, r, parts[1])
	default:
		refuse(w, http.StatusNotFound, "null for uri: "+r.URL.Path)
	}
}

func (j *Jira) authorized(r *http.Request) bool {
	given := r.Header.Get("Authorization")
	if j.User == "" {
		return same(given, "Bearer "+j.Token)
	}
	user, token, ok := r.BasicAuth()
	return ok && same(user, j.User) && same(token, j.Token)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// refuse responds with an error in Jira's form.
func refuse(w http.ResponseWriter, status int, message string) {
	write(w, status, map[string]any{"errorMessages": []string{message}, "errors": map[string]string{}})
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

func (j *Jira) find(key string) (Issue, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.IndexFunc(j.issues, func(issue Issue) bool {
		return strings.EqualFold(issue.Key, key) || issue.earlier != "" && strings.EqualFold(issue.earlier, key)
	})
	if i < 0 {
		return Issue{}, false
	}
	return j.issues[i], true
}

// shown returns an issue with the requested fields.
func shown(r *http.Request, issue Issue) map[string]any {
	fields := map[string]any{}
	for name := range strings.SplitSeq(r.FormValue("fields"), ",") {
		if value, ok := issue.Fields[name]; ok {
			fields[name] = value
		}
	}
	return map[string]any{
		"expand": "renderedFields,names,schema", "id": issue.ID,
		"self": "http://" + r.Host + r.URL.Path, "key": issue.Key, "fields": fields,
	}
}

const noIssue = "Issue does not exist or you do not have permission to see it."

func (j *Jira) issue(w http.ResponseWriter, r *http.Request, key string) {
	issue, ok := j.find(key)
	if !ok {
		refuse(w, http.StatusNotFound, noIssue)
		return
	}
	write(w, http.StatusOK, shown(r, issue))
}

// open lists the unfinished issues of the projects in the query. It understands only the query that Routecard sends.
func (j *Jira) open(r *http.Request) ([]map[string]any, error) {
	list, rest, ok := strings.Cut(strings.TrimPrefix(r.FormValue("jql"), "project in ("), ")")
	if !ok || rest != " AND statusCategory != Done ORDER BY created DESC, key DESC" {
		return nil, fmt.Errorf("error in the JQL query: %q", r.FormValue("jql"))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []map[string]any{}
	for _, issue := range j.issues {
		project, _, _ := strings.Cut(issue.Key, "-")
		if !issue.Done && strings.Contains(list, strconv.Quote(project)) {
			found = append(found, shown(r, issue))
		}
	}
	return found, nil
}

// page returns the start and the end of the requested page.
func (j *Jira) page(r *http.Request, total int) (start, end int) {
	number := func(name string, otherwise int) int {
		value, err := strconv.Atoi(r.FormValue(name))
		if err != nil || value < 0 {
			return otherwise
		}
		return value
	}
	const usual = 50
	start = min(number("startAt", 0), total)
	size := number("maxResults", usual)
	if j.PageSize > 0 {
		size = min(size, j.PageSize)
	}
	return start, min(start+size, total)
}

func (j *Jira) searchCounted(w http.ResponseWriter, r *http.Request) {
	found, err := j.open(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	start, end := j.page(r, len(found))
	write(w, http.StatusOK, map[string]any{
		"expand": "schema,names", "startAt": start, "maxResults": end - start, "total": len(found), "issues": found[start:end],
	})
}

func (j *Jira) searchByToken(w http.ResponseWriter, r *http.Request) {
	found, err := j.open(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	query := r.URL.Query()
	query.Set("startAt", strings.TrimPrefix(query.Get("nextPageToken"), "token-"))
	r.Form = query
	start, end := j.page(r, len(found))
	answer := map[string]any{"issues": found[start:end], "isLast": end == len(found)}
	if end < len(found) {
		answer["nextPageToken"] = "token-" + strconv.Itoa(end)
	}
	write(w, http.StatusOK, answer)
}

func (j *Jira) listComments(w http.ResponseWriter, r *http.Request, key string) {
	issue, ok := j.find(key)
	if !ok {
		refuse(w, http.StatusNotFound, noIssue)
		return
	}
	comments := j.Comments(issue.Key)
	if r.FormValue("orderBy") == "-created" {
		slices.Reverse(comments)
	}
	start, end := j.page(r, len(comments))
	write(w, http.StatusOK, map[string]any{
		"startAt": start, "maxResults": end - start, "total": len(comments),
		"comments": append([]Comment{}, comments[start:end]...),
	})
}

func (j *Jira) addComment(w http.ResponseWriter, r *http.Request, key string) {
	issue, ok := j.find(key)
	if !ok {
		refuse(w, http.StatusNotFound, noIssue)
		return
	}
	var given struct {
		Body any `json:"body"`
	}
	if err := json.NewDecoder(r.Body).Decode(&given); err != nil || !j.acceptable(given.Body) {
		write(w, http.StatusBadRequest, map[string]any{
			"errorMessages": []string{}, "errors": map[string]string{"comment": "Comment body is not valid!"},
		})
		return
	}
	comment := j.keep(issue.Key, given.Body)
	if j.Accepted != nil {
		j.Accepted(r, comment)
	}
	write(w, http.StatusCreated, comment)
}

// acceptable reports whether a comment has the form of the version: a document in 3, a text in 2.
func (j *Jira) acceptable(body any) bool {
	if j.Kind == DataCenter {
		text, ok := body.(string)
		return ok && strings.TrimSpace(text) != ""
	}
	document, ok := body.(map[string]any)
	return ok && document["type"] == "doc" && document["version"] == 1.0 && document["content"] != nil
}

func (j *Jira) keep(key string, body any) Comment {
	j.mu.Lock()
	defer j.mu.Unlock()
	const first = 10_000
	j.last++
	comment := Comment{
		ID: strconv.Itoa(first + j.last), Body: body, Created: time.Now().UTC().Format("2006-01-02T15:04:05.000-0700"),
	}
	if j.comments == nil {
		j.comments = map[string][]Comment{}
	}
	j.comments[key] = append(j.comments[key], comment)
	return comment
}
