package dossier

import (
	"bytes"
	"html/template"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// cardPage is the data of card.html.
type cardPage struct {
	About string
	Units []cardUnit
}

type cardUnit struct {
	Card    card.Card
	Job     shop.Job
	Steps   []cardStep
	Entries []trail.Entry
}

type cardStep struct{ Name, Status string }

// cardTemplate is card.html: one page without scripts and without further files.
func cardTemplate() *template.Template {
	return template.Must(template.New("card").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Dossier of {{.About}}</title>
<style>
body{font:14px/1.4 sans-serif;margin:2rem;max-width:70rem}table{border-collapse:collapse;margin-bottom:1rem}
td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left}section{break-before:page}section:first-of-type{break-before:auto}
</style>
</head>
<body>
<h1>Dossier of {{.About}}</h1>
<p>Open verify.html of the shop, or run routecard verify, to check this dossier. This page alone proves nothing.</p>
{{if gt (len .Units) 1}}<ul>{{range .Units}}<li><a href="#{{.Card.Serial.ID}}">{{.Card.Serial.ID}}</a></li>
{{end}}</ul>{{end}}
{{range .Units}}<section id="{{.Card.Serial.ID}}">
<h2>{{.Card.Serial.ID}}</h2>
<table>
<tr><th>Job</th><td>{{.Job.Name}}</td></tr>
<tr><th>Part</th><td>{{.Job.Part}} {{.Job.PartRevision}}</td></tr>
<tr><th>Drawing</th><td>{{.Job.DrawingNumber}} {{.Job.DrawingRevision}}</td></tr>
<tr><th>Customer</th><td>{{.Job.Customer}}</td></tr>
<tr><th>Order</th><td>{{.Job.OrderNumber}} {{.Job.OrderLine}}</td></tr>
<tr><th>Status</th><td>{{.Card.Serial.Status}}</td></tr>
{{if .Card.Inside}}<tr><th>Installed in</th><td>{{.Card.Inside}}</td></tr>{{end}}
</table>
<h3>Steps</h3>
<table>
<tr><th>Step</th><th>Status</th></tr>
{{range .Steps}}<tr><td>{{.Name}}</td><td>{{.Status}}</td></tr>
{{end}}</table>
<h3>History</h3>
<table>
<tr><th>Time (UTC)</th><th>Action</th><th>By</th><th>Entry</th></tr>
{{range .Entries}}<tr><td>{{.Timestamp}}</td><td>{{.Action}}</td><td>{{.UserID}}</td><td>{{.ID}}</td></tr>
{{end}}</table>
</section>
{{end}}</body>
</html>
`))
}

// card returns card.html: all units, first those that the dossier concerns.
func (r *reading) card() (Payload, error) {
	page := cardPage{About: r.about}
	jobs := map[string]shop.Job{}
	for _, id := range r.units {
		unit := r.cards[id]
		job, known := jobs[unit.Serial.JobID]
		if !known {
			var err error
			if job, err = shop.FindJob(r.Reader, unit.Serial.JobID); err != nil {
				return Payload{}, err
			}
			jobs[job.ID] = job
		}
		shown := cardUnit{Card: unit, Job: job, Entries: r.trails[id]}
		for i := range unit.Path.Steps {
			shown.Steps = append(shown.Steps, cardStep{unit.Path.Steps[i].Name, string(unit.StepStatus(i))})
		}
		page.Units = append(page.Units, shown)
	}
	var b bytes.Buffer
	err := cardTemplate().Execute(&b, page)
	return Payload{"card.html", b.Bytes()}, err
}
