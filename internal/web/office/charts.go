package office

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// The charts of a job: a small one for each characteristic, drawn by the server, with the same numbers as a table. Lines in it are
// control limits: those that are frozen, or those that follow from the readings. Specification limits stand in words above it, and
// are never drawn as control limits.

// pointsDrawn is how many points a chart on a page shows, the newest. Its limits follow from all that are charted.
const pointsDrawn = 120

type chartsPage struct {
	site.Frame
	site.Past
	JobID    string
	JobName  string
	Subgroup int
	Rules    spc.RuleSet
	Charts   []chartPart
}

// chartPart is one chart of the page.
type chartPart struct {
	views.Chart
	Step  string // its name
	Drawn []views.ChartPoint
	// First and Last are when the readings of the first and the last point were taken, for the form.
	First, Last string
}

// Subgroups are how many readings can make a point.
func (*chartsPage) Subgroups() (sizes []int) {
	for n := 1; n <= spc.SubgroupMost; n++ {
		sizes = append(sizes, n)
	}
	return sizes
}

// Sets are the sets of rules.
func (*chartsPage) Sets() []spc.RuleSet { return spc.RuleSets() }

func showCharts(v *site.Visit) error { return renderCharts(v, v.R.URL.Query(), http.StatusOK, nil) }

// renderCharts shows the charts as a query, or the form of one of them, asks for them.
func renderCharts(v *site.Visit, asked url.Values, status int, refused *site.Problem) error {
	ctx := v.R.Context()
	job, err := v.Service.Job(ctx, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	page := &chartsPage{
		Frame: v.Frame("Charts of "+job.Name, "jobs"), JobID: job.ID, JobName: job.Name,
		Subgroup: 1, Rules: spc.RuleSet(asked.Get("rules")),
	}
	page.Rejected = refused
	if n, err := strconv.Atoi(asked.Get("subgroup")); err == nil {
		page.Subgroup = n
	}
	charts, err := v.Views.JobCharts(ctx, job, views.ChartQuery{Subgroup: page.Subgroup, Rules: page.Rules})
	if err != nil {
		return err
	}
	for i, chart := range charts.Charts {
		part := chartPart{Chart: chart, Step: charts.Steps[i], Drawn: chart.Points[max(0, len(chart.Points)-pointsDrawn):]}
		if n := len(chart.Points); n > 0 {
			part.First, part.Last = minuteOf(v, chart.Points[0].Readings[0].MeasuredAt), minuteOf(v, chart.Points[n-1].At)
		}
		page.Charts = append(page.Charts, part)
	}
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "charts", page)
}

var freezeForm = site.FormOf[shop.BaselineInput]()

// freezeLimits freezes the limits of one of the charts. Times are typed without a zone and are in the viewer's.
func freezeLimits(v *site.Visit) error {
	id, in := v.Form.Get("characteristicId"), freezeForm.Read(v.Form)
	in.From, in.To, in.UserID = momentTyped(v, "from", 0), momentTyped(v, "to", time.Minute-time.Millisecond), v.User()
	if v.Form.Get("rules") == "" {
		in.Rules = input.TextInput{}
	}
	_, err := v.Service.FreezeLimits(v.R.Context(), id, in)
	if err != nil {
		return v.Again(freezeFormOf(id), err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderCharts(v, v.Form, status, refused)
		})
	}
	v.Remember()
	return v.Back("/jobs/"+v.R.PathValue("id")+"/charts?subgroup="+url.QueryEscape(v.Form.Get("subgroup")), "Limits frozen.")
}

// momentTyped is a time that was typed to the minute, and a while later.
func momentTyped(v *site.Visit, field string, later time.Duration) input.TextInput {
	at, err := time.ParseInLocation(minutes, v.Form.Get(field), v.Zone)
	if err != nil {
		return v.Text(field)
	}
	return input.Given(ident.TimestampOf(at.Add(later)).String())
}

// minutes is how a form has a time.
const minutes = "2006-01-02T15:04"

// freezeFormOf is what the form is called that freezes the limits of a characteristic.
func freezeFormOf(characteristicID string) string { return "freeze " + characteristicID }

// Form is what the form that freezes the limits of the chart is called.
func (c chartPart) Form() string { return freezeFormOf(c.Characteristic.ID) }

// minuteOf is a moment as a form has it, in the viewer's zone.
func minuteOf(v *site.Visit, at ident.Timestamp) string { return at.Time().In(v.Zone).Format(minutes) }

// Called is what people call the characteristic.
func (c chartPart) Called() string { return c.Characteristic.Called() + " " + c.Characteristic.Name }

// Specification are the limits of the drawing, in words.
func (c chartPart) Specification() string {
	return wording.LimitsInWords(c.Characteristic.Limits, c.Characteristic.Unit)
}

// Figure writes a number with two digits more than the limits of the drawing have, so that it does not pretend to know more.
func (c chartPart) Figure(value float64) string {
	digits := 0
	for _, limit := range []input.Decimal{c.Characteristic.Nominal, c.Characteristic.Lower, c.Characteristic.Upper} {
		_, fraction, _ := strings.Cut(string(limit), ".")
		digits = max(digits, len(fraction))
	}
	return strconv.FormatFloat(value, 'f', min(digits+2, 12), 64)
}

// Index writes a capability with its two usual digits.
func (chartPart) Index(value float64) string { return strconv.FormatFloat(value, 'f', 2, 64) }

// RulesAt is which rules are broken at a point, in words.
func (chartPart) RulesAt(point views.ChartPoint) string {
	numbers := make([]string, len(point.Broken))
	for i, number := range point.Broken {
		numbers[i] = strconv.Itoa(number)
	}
	return strings.Join(numbers, ", ")
}

// Found counts the points of the whole chart at which a rule is broken.
func (c chartPart) Found() (count int) {
	for i := range c.Points {
		if c.Points[i].Out() {
			count++
		}
	}
	return count
}

// Summary says what the picture shows, for those who do not see it.
func (c chartPart) Summary() string {
	limits := "control limits"
	if c.Baseline != nil {
		limits = "frozen control limits"
	}
	text := fmt.Sprintf("Control chart of %s: %s, centre %s, %s %s and %s.", c.Called(),
		wording.Plural(len(c.Points), "point", "points"), c.Figure(c.Limits.Centre), limits,
		c.Figure(c.Limits.Lower), c.Figure(c.Limits.Upper))
	if found := c.Found(); found > 0 {
		return text + " " + wording.Plural(found, "point breaks a rule.", "points break a rule.")
	}
	return text + " No point breaks a rule."
}

// The picture: points from left to right, values from bottom to top, and room for the figures of the three lines at the right.
const (
	chartWidth  = 640
	chartHeight = 220
	chartMargin = 14
	chartLabels = 120
	chartDates  = 26 // below the points
)

// ViewBox is the size of the picture.
func (chartPart) ViewBox() string {
	return fmt.Sprintf("0 0 %d %d", chartWidth, chartHeight+chartDates)
}

// Right is where the lines end and their figures begin.
func (chartPart) Right() int { return chartWidth - chartLabels }

// plotted is a point of the picture.
type plotted struct {
	X, Y  string
	Out   bool
	Title string
	Unit  string // to which it leads
}

// Bottom is where the axis of time stands.
func (chartPart) Bottom() int { return chartHeight }

// DateLine is where the dates below it stand.
func (chartPart) DateLine() int { return chartHeight + chartDates - 6 } //nolint:mnd // above the end of the picture

// chartDate is a date below the points.
type chartDate struct {
	X, Anchor string
	At        ident.Timestamp
}

// Dates are when the first and the last point were measured.
func (c chartPart) Dates() (dates []chartDate) {
	n := len(c.Drawn)
	if n == 0 {
		return nil
	}
	if n > 1 {
		dates = append(dates, chartDate{"0", "start", c.Drawn[0].At})
	}
	return append(dates, chartDate{strconv.Itoa(c.Right()), "end", c.Drawn[n-1].At})
}

// Plotted are the points that are drawn.
func (c chartPart) Plotted() []plotted {
	points := make([]plotted, len(c.Drawn))
	for i, point := range c.Drawn {
		x := float64(chartWidth-chartLabels) / 2
		if len(c.Drawn) > 1 {
			x = chartMargin + float64(i)*float64(chartWidth-chartLabels-2*chartMargin)/float64(len(c.Drawn)-1)
		}
		unit := point.Readings[len(point.Readings)-1].SerialID
		title := c.Figure(point.Value) + ", " + unit
		if point.Out() {
			title += ", rule " + c.RulesAt(point)
		}
		points[i] = plotted{coordinate(x), c.Y(point.Value), point.Out(), title, unit}
	}
	return points
}

// Line joins the points.
func (c chartPart) Line() string {
	var line strings.Builder
	for _, point := range c.Plotted() {
		line.WriteString(point.X + "," + point.Y + " ")
	}
	return strings.TrimSpace(line.String())
}

// Y is where a value stands in the picture.
func (c chartPart) Y(value float64) string {
	least, most := c.Limits.Lower, c.Limits.Upper
	for _, point := range c.Drawn {
		least, most = min(least, point.Value), max(most, point.Value)
	}
	if most <= least {
		return coordinate(chartHeight / 2)
	}
	return coordinate(chartHeight - chartMargin - (value-least)/(most-least)*(chartHeight-2*chartMargin))
}

func coordinate(value float64) string {
	return strconv.FormatFloat(math.Round(value*10)/10, 'f', -1, 64)
}
