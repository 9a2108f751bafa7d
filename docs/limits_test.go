package docs_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/input"
)

// toldLimits are the constants of the table of limits in docs/running.md, by the beginning of its rows.
var toldLimits = map[string][]string{
	"request body":                       {"internal/httpapi.largeBodyLimit", "cmd/routecard.MaxBody"},
	"a file that is uploaded":            {"internal/spool.Patience"},
	"a picture that pages show":          {"shop.pixelLimit"},
	"a file that is imported":            {"shop/importing.RowLimit", "internal/importcsv.ColumnLimit", "internal/web/office.columnsShown", "internal/httpapi.lineLimit", "internal/spool.Limit", "internal/importcsv.AQDEFLimit"},
	"a form of a page":                   {"internal/web/site.FormLimit"},
	"with `--auth`, a body or a form":    {"internal/httpapi.anonymousBody", "internal/web/site.AnonymousLimit"},
	"with `--auth`, streams":             {"internal/httpapi.streamLimit"},
	"the rate of an upload":              {"internal/patience.UploadRate", "internal/patience.Upload"},
	"with `--auth`, memory":              {"internal/httpapi.memoryEach"},
	"request headers":                    {"cmd/routecard.headerLimit", "cmd/routecard.headerTimeout"},
	"connections":                        {"cmd/routecard.connectionMemory", "cmd/routecard.leastConnections"},
	"reading a request":                  {"cmd/routecard.readTimeout", "cmd/routecard.writeTimeout"},
	"a streamed list":                    {"internal/patience.Piece"},
	"a list or a download as a whole":    {"internal/patience.Answer"},
	"an idle connection":                 {"cmd/routecard.idleTimeout"},
	"requests in flight when it stops":   {"cmd/routecard.stopTimeout"},
	"names and identifiers":              {"shop/input.NameLimit"},
	"texts and reasons":                  {"shop/input.TextLimit"},
	"part number, revision, customer an": {"shop/workorder.OrderTextLimit", "shop/workorder.DescriptionLimit"},
	"an external identifier":             {"shop.ExternalIDLimit"},
	"a certificate's metadata":           {"shop/input.MetadataLimit", "shop/input.MetadataDepth"},
	"steps of a path":                    {"steps"},
	"characteristics of a step, and val": {"characteristics", "values"},
	"part types that a step requires":    {"components"},
	"`serialIds` and `serialNumbers` of": {"serialIds", "serialNumbers"},
	"units that new steps are inserted":  {"shop/replay.passedLimit"},
	"units that get another position":    {"shop/replay.movedLimit"},
	"units that the rows of one importe": {"shop.BatchLimit"},
	"the work of one transaction":        {"shop.WorkLimit"},
	"the GTIN of a job":                  {"shop/workorder.GTINLimit"},
	"the own number of a unit":           {"shop.OwnNumberLimit", "shop.digitsLimit"},
	"`jobIds`, entries of a bill":        {"jobIds", "entries", "contributingJobIds", "of any other list"},
	"a parameter of a query":             {"shop/input.NameLimit"},
	"serials in one batch":               {"shop.BatchLimit", "shop.selectionLimit"},
	"numbers":                            {"shop/input.NumberLimit"},
	"an `Idempotency-Key`":               {"internal/httpapi.keyLimit"},
	"waiting for a request with the sam": {"shop.oncePatience"},
	"a page of a search":                 {"shop/input.SearchLimit"},
	"units that a code finds":            {"views.numberedAtMost"},
	"a page of a list of the interface":  {"views.ListPageLimit"},
	"a list of a page in an order":       {"internal/web/site.orderedAtMost", "views.UnitsAtMost"},
	"memory for what requests in flight": {"internal/httpapi.memorySpare", "cmd/routecard.leastMemory"},
	"waiting for memory":                 {"internal/httpapi.memoryWait"},
	"waiting for a place to read from":   {"internal/sqlstore/db.PlaceWait"},
	"reading for one page or response":   {"internal/sqlstore.viewLimit"},
	"waiting for another program":        {"internal/sqlstore.lockWait"},
	"the log of a SQLite file":           {"internal/sqlstore.logLimit"},
	"reading for a client that has disc": nil, // which has no figure
	"the clock":                          {"shop/ident.earliestYear", "shop/ident.latestYear"},
}

// innerLimits are constants that are named like limits but do not affect a caller, or that another document has.
var innerLimits = []string{
	"shop/ident.PrefixLimit",                                 // of the service's operator
	"cmd/routecard.secretLimit", "cmd/routecard.remoteLimit", // a file, and another service
	"cmd/routecard.doctorPatience", "cmd/routecard.doctorAnswerLimit", "internal/httpapi.scrapeTimeout", // of the service's operator
	// docs/tracker.md
	"internal/tracker.postPatience", "internal/tracker.circuitLimit", "internal/tracker.firstWait", "internal/tracker.longestWait",
	"internal/tracker.pageLimit", "internal/tracker.errorLimit", "internal/tracker.ticketLimit", "internal/tracker.commentLimit",
	"internal/tracker.answerLimit", "internal/tracker.headerLimit", "internal/tracker.usualTimeout", "internal/tracker.usualPatience",
	"views.placeLimit",            // how many steps a search looks at before it looks at all serials
	"internal/tracker.labelLimit", // what is cut, not refused
	"views.pageLimit",             // of the statements of a search of the trail
	"internal/access.accountLimit", "internal/access.elsewhereLimit", "internal/access.logoutLimit", "internal/access.toldLimit", "internal/access.queueMost", "internal/access.crowdMost",
	"internal/access.sessionMost", "internal/access.tokenMost",
	"internal/sqlstore.keptWait",                                                           // within PlaceWait
	"internal/access.LoginMost", "internal/access.PasswordMost", "internal/access.PINMost", // docs/access.md
	"internal/access.passkeyLimit", "internal/access.beginLimit", "internal/access.logoutMost", // docs/access.md
	"internal/httpapi.sealPatience", "internal/web/office.proofPatience", "cmd/routecard.remotePatience",
	"internal/sqlstore/statement.alikeLimit", "internal/sqlstore.cardCacheLimit", "internal/sqlstore.cardLimit", "internal/sqlstore/db.BranchLimit",
	"internal/sqlstore.groupLimit", "internal/sqlstore.detailGroupLimit", "internal/sqlstore.cardGroupLimit",
	"internal/sqlstore.identityCacheLimit", "internal/sqlstore/db.InsertLimit", "internal/sqlstore.statementLimit", "internal/sqlstore/db.pathCacheLimit",
	"internal/sqlstore.expectedLimit", "internal/sqlstore.doubtLimit",
	"internal/sqlstore.dialTimeout", "internal/sqlstore.probeTimeout", "internal/sqlstore.groupTimeout", "internal/sqlstore.patience",
	"internal/sqlstore.commitTimeout",  // docs/postgres.md
	"internal/httpapi.entryTextsLimit", // of the cache of rendered entries
	"internal/patience.tolerance",      // by how much a deadline may be late
	"internal/web/office.floorLimit", "internal/web/site.nextMost", "internal/web/account.rolesEndedMost",
}

// TestToldLimits checks that the table of limits in docs/running.md has every limit of these packages with its value, except innerLimits.
func TestToldLimits(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(document), "## Limits\n")
	table, _, _ = strings.Cut(table, "###")
	values := constants(t, "shop", "shop/workorder", "shop/importing", "shop/replay", "shop/input", "shop/ident", "views", "internal/tracker", "cmd/routecard", "internal/httpapi", "internal/sqlstore", "internal/sqlstore/db", "internal/sqlstore/statement", "internal/patience", "internal/access", "internal/web", "internal/web/site", "internal/web/office", "internal/web/account", "internal/web/scanpages", "internal/web/unitcard", "internal/web/wording", "internal/spool", "internal/importcsv")
	for field, one := range map[string]string{"steps": "steps", "serialIds": "serialIds", "serialNumbers": "serialNumbers", "characteristics": "characteristics", "values": "values", "components": "components", "jobIds": "jobIds", "entries": "entries",
		"contributingJobIds": "contributingJobIds", "of any other list": "x"} {
		limit, _ := input.ListLimit(one)
		values[field] = constant.MakeInt64(int64(limit))
	}
	used := map[string]bool{}
	for line := range strings.Lines(table) {
		what, limit, _ := strings.Cut(strings.Trim(line, "| \n"), " | ")
		if limit == "" || limit == "limit" || strings.HasPrefix(what, "---") {
			continue
		}
		row := ""
		for beginning := range toldLimits {
			if strings.HasPrefix(what, beginning) {
				row = beginning
			}
		}
		if row == "" {
			t.Errorf("no constant is known for the limit of %q", what)
		}
		used[row] = true
		for _, name := range toldLimits[row] {
			value, found := values[name]
			if !found {
				t.Errorf("%q: there is no constant %s", what, name)
				continue
			}
			if !slices.ContainsFunc(said(value), func(text string) bool {
				return regexp.MustCompile(`(^|[^\d,])` + regexp.QuoteMeta(text) + `($|[^\d,]|,\D)`).MatchString(limit)
			}) {
				t.Errorf("%q: %s is %v, and the document says %q", what, name, value, limit)
			}
		}
	}
	for row, names := range toldLimits {
		if !used[row] {
			t.Errorf("the table has no row for %s: %v", row, names)
		}
	}
	looksLikeOne := regexp.MustCompile(`(Limit|Timeout|Wait|Most|[pP]atience|Body|Spare)$|internal/patience`)
	for name := range values {
		told := slices.Contains(innerLimits, name)
		for _, names := range toldLimits {
			told = told || slices.Contains(names, name)
		}
		if looksLikeOne.MatchString(name) && !told && values[name].Kind() != constant.Unknown && constant.Sign(values[name]) > 0 {
			t.Errorf("%s = %v is a limit that is neither in the table nor known to be none of a caller's", name, values[name])
		}
	}
	for _, name := range innerLimits {
		if values[name] == nil {
			t.Errorf("there is no constant %s any more", name)
		}
	}
}

// said returns the possible spellings of a value in the document.
func said(value constant.Value) []string {
	n, exact := constant.Int64Val(value)
	if !exact {
		return nil
	}
	grouped := strconv.FormatInt(n, 10)
	for at := len(grouped) - 3; at > 0; at -= 3 {
		grouped = grouped[:at] + "," + grouped[at:]
	}
	ways := []string{strconv.FormatInt(n, 10), grouped}
	for _, unit := range []struct {
		name string
		size int64
	}{{" KiB", 1 << 10}, {" MiB", 1 << 20}, {" s", int64(time.Second)}, {" minutes", int64(time.Minute)}} {
		if n > 0 && n%unit.size == 0 {
			ways = append(ways, fmt.Sprint(n/unit.size)+unit.name)
		}
	}
	return append(ways, strings.TrimSuffix(ways[len(ways)-1], "s"))
}

// constants evaluates the numbers among the constants of packages, by folder and name, and reads the defaults of their flags.
func constants(t *testing.T, folders ...string) map[string]constant.Value {
	t.Helper()
	expressions, folderOf := map[string]ast.Expr{}, map[string]string{}
	values := map[string]constant.Value{}
	standard := regexp.MustCompile(`default:"(\d+)"`)
	for _, folder := range folders {
		prefix := folder + "."
		for _, file := range parsedFiles(t, folder) {
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.ValueSpec:
					for i, value := range node.Values {
						expressions[prefix+node.Names[i].Name], folderOf[prefix+node.Names[i].Name] = value, prefix
					}
				case *ast.Field:
					if node.Tag != nil && len(node.Names) == 1 {
						if match := standard.FindStringSubmatch(node.Tag.Value); match != nil {
							values[prefix+node.Names[0].Name] = constant.MakeFromLiteral(match[1], token.INT, 0)
						}
					}
				}
				return true
			})
		}
	}
	for name, expression := range expressions {
		if value := evaluate(expression, expressions, folderOf[name]); value.Kind() == constant.Int {
			values[name] = value
		}
	}
	return values
}

var times = map[string]time.Duration{
	"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// evaluate computes a constant expression of numbers; other expressions are unknown.
func evaluate(expression ast.Expr, names map[string]ast.Expr, prefix string) constant.Value {
	switch e := expression.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return evaluate(e.X, names, prefix)
	case *ast.Ident:
		if of := names[prefix+e.Name]; of != nil && of != expression {
			return evaluate(of, names, prefix)
		}
	case *ast.SelectorExpr:
		if unit := times[e.Sel.Name]; unit != 0 {
			return constant.MakeInt64(int64(unit))
		}
	case *ast.UnaryExpr:
		if x := evaluate(e.X, names, prefix); x.Kind() == constant.Int {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.BinaryExpr:
		x, y := evaluate(e.X, names, prefix), evaluate(e.Y, names, prefix)
		switch {
		case x.Kind() != constant.Int || y.Kind() != constant.Int:
		case e.Op == token.SHL || e.Op == token.SHR:
			by, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(by))
		case e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL:
			return constant.BinaryOp(x, e.Op, y)
		case e.Op == token.QUO:
			return constant.BinaryOp(x, token.QUO_ASSIGN, y) // whole
		}
	}
	return constant.MakeUnknown()
}
