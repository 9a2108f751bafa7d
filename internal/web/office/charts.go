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
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// A page shows the charts of a job: a small chart for each characteristic, which the server draws, and a table with the same numbers. The
// lines in a chart are control limits, either frozen or calculated from the readings. Specification limits are written above the chart.
// They are not drawn, so that they cannot be mistaken for control limits.

// pointsDrawn is the maximum number of points that a chart draws. It draws the newest. Its limits are calculated from all readings of the
// chart.
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
	Step  string // the name of the step
	Drawn []views.ChartPoint
	// First and Last are the times of the first and the last reading, for the form.
	First, Last string
}

// Subgroups are the possible subgroup sizes.
func (*chartsPage) Subgroups() (sizes []int) {
	for n := 1; n <= spc.SubgroupMost; n++ {
		sizes = append(sizes, n)
	}
	return sizes
}

// Sets are the sets of rules.
func (*chartsPage) Sets() []spc.RuleSet { return spc.RuleSets() }

func showCharts(v *site.Visit) error { return renderCharts(v, v.R.URL.Query(), http.StatusOK, nil) }

// renderCharts shows the charts with the settings in a query or in the form of one of them.
func renderCharts(v *site.Visit, asked url.Values, status int, refused *site.Problem) error {
	ctx := v.R.Context()
	job, err := v.Service.Job(ctx, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	page := &chartsPage{
		Frame: v.Frame("Charts of {job}", "jobs", "job", job.Name), JobID: job.ID, JobName: job.Name,
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

// freezeLimits freezes the limits of one chart. Times are typed without a time zone and are interpreted in the zone of the viewer.
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
	return v.Back("/jobs/"+v.R.PathValue("id")+"/charts?subgroup="+url.QueryEscape(v.Form.Get("subgroup")), v.T("Limits frozen."))
}

// momentTyped returns a time that was typed to the minute, with the duration later added.
func momentTyped(v *site.Visit, field string, later time.Duration) input.TextInput {
	at, err := time.ParseInLocation(minutes, v.Form.Get(field), v.Zone)
	if err != nil {
		return v.Text(field)
	}
	return input.Given(ident.TimestampOf(at.Add(later)).String())
}

// minutes is the format of times in forms.
const minutes = "2006-01-02T15:04"

// freezeFormOf is the name of the form that freezes the limits of a characteristic.
func freezeFormOf(characteristicID string) string { return "freeze-" + characteristicID }

// Form is the name of the form that freezes the chart's limits.
func (c chartPart) Form() string { return freezeFormOf(c.Characteristic.ID) }

// minuteOf formats a time for a form, in the viewer's zone.
func minuteOf(v *site.Visit, at ident.Timestamp) string { return at.Time().In(v.Zone).Format(minutes) }

// Called returns the name of the characteristic as pages show it.
func (c chartPart) Called() string { return c.Characteristic.Called() + " " + c.Characteristic.Name }

// Figure formats a number with two more digits than the specification limits have, because more digits would suggest a false precision.
func (c chartPart) Figure(value float64) string {
	digits := 0
	for _, limit := range []input.Decimal{c.Characteristic.Nominal, c.Characteristic.Lower, c.Characteristic.Upper} {
		_, fraction, _ := strings.Cut(string(limit), ".")
		digits = max(digits, len(fraction))
	}
	return strconv.FormatFloat(value, 'f', min(digits+2, 12), 64)
}

// Index formats a capability index with the customary two digits.
func (chartPart) Index(value float64) string { return strconv.FormatFloat(value, 'f', 2, 64) }

// RulesAt lists the rules that are broken at a point.
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

// Summary describes the picture for users who cannot see it.
func (c chartPart) Summary(l *lang.Language) string {
	figures := []any{
		"characteristic", c.Called(), "centre", c.Figure(c.Limits.Centre),
		"lower", c.Figure(c.Limits.Lower), "upper", c.Figure(c.Limits.Upper),
	}
	text := l.TN(len(c.Points), "Control chart of {characteristic}: {n} point, centre {centre}, control limits {lower} and {upper}.",
		"Control chart of {characteristic}: {n} points, centre {centre}, control limits {lower} and {upper}.", figures...)
	if c.Baseline != nil {
		text = l.TN(len(c.Points),
			"Control chart of {characteristic}: {n} point, centre {centre}, frozen control limits {lower} and {upper}.",
			"Control chart of {characteristic}: {n} points, centre {centre}, frozen control limits {lower} and {upper}.", figures...)
	}
	if found := c.Found(); found > 0 {
		return text + " " + l.TN(found, "{n} point breaks a rule.", "{n} points break a rule.")
	}
	return text + " " + l.T("No point breaks a rule.")
}

// In the picture, points run from left to right and values from bottom to top. The space on the right shows the values of the three lines.
const (
	chartWidth  = 640
	chartHeight = 220
	chartMargin = 14
	chartLabels = 150
	chartDates  = 26 // below the points
)

// ViewBox is the size of the picture.
func (chartPart) ViewBox() string {
	return fmt.Sprintf("0 0 %d %d", chartWidth, chartHeight+chartDates)
}

// Right is the x coordinate at which the lines end and their labels begin.
func (chartPart) Right() int { return chartWidth - chartLabels }

// plotted is a point of the picture.
type plotted struct {
	X, Y         string
	Out          bool
	Value, Rules string // the value, and the broken rules
	Unit         string // the unit to which the point links
}

// Bottom is the y coordinate of the time axis.
func (chartPart) Bottom() int { return chartHeight }

// DateLine is the y coordinate of the dates.
func (chartPart) DateLine() int { return chartHeight + chartDates - 6 } //nolint:mnd // above the end of the picture

// chartDate is a date below the points.
type chartDate struct {
	X, Anchor string
	At        ident.Timestamp
}

// Dates returns the times of the first and the last drawn point.
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

// Plotted returns the drawn points.
func (c chartPart) Plotted() []plotted {
	points := make([]plotted, len(c.Drawn))
	for i, point := range c.Drawn {
		x := float64(chartWidth-chartLabels) / 2
		if len(c.Drawn) > 1 {
			x = chartMargin + float64(i)*float64(chartWidth-chartLabels-2*chartMargin)/float64(len(c.Drawn)-1)
		}
		unit := point.Readings[len(point.Readings)-1].SerialID
		points[i] = plotted{coordinate(x), c.Y(point.Value), point.Out(), c.Figure(point.Value), c.RulesAt(point), unit}
	}
	return points
}

// Line returns the coordinates of the line through the points.
func (c chartPart) Line() string {
	var line strings.Builder
	for _, point := range c.Plotted() {
		line.WriteString(point.X + "," + point.Y + " ")
	}
	return strings.TrimSpace(line.String())
}

// Y returns the y coordinate of a value.
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
