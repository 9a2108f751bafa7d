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
	Card    card.Card
	Job     *shop.Job
	Units   []string
	Entries []trail.Entry
}

// cardTemplate is card.html: one page without scripts and without further files.
func cardTemplate() *template.Template {
	return template.Must(template.New("card").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.Card.Serial.ID}}</title>
<style>
body{font:14px/1.4 sans-serif;margin:2rem}table{border-collapse:collapse}
td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left}
</style>
</head>
<body>
<h1>{{.Card.Serial.ID}}</h1>
<table>
<tr><th>Job</th><td>{{.Job.Name}}</td></tr>
<tr><th>Part</th><td>{{.Job.Part}} {{.Job.PartRevision}}</td></tr>
<tr><th>Drawing</th><td>{{.Job.DrawingNumber}} {{.Job.DrawingRevision}}</td></tr>
<tr><th>Customer</th><td>{{.Job.Customer}}</td></tr>
<tr><th>Order</th><td>{{.Job.OrderNumber}} {{.Job.OrderLine}}</td></tr>
<tr><th>Status</th><td>{{.Card.Serial.Status}}</td></tr>
</table>
{{if gt (len .Units) 1}}<h2>Units in this dossier</h2>
<ul>{{range .Units}}<li>{{.}}</li>{{end}}</ul>{{end}}
<h2>Steps</h2>
<ol>{{range .Card.Path.Steps}}<li>{{.Name}}</li>{{end}}</ol>
<h2>History</h2>
<table>
<tr><th>Time</th><th>Action</th><th>By</th><th>Entry</th></tr>
{{range .Entries}}<tr><td>{{.Timestamp}}</td><td>{{.Action}}</td><td>{{.UserID}}</td><td>{{.ID}}</td></tr>
{{end}}</table>
</body>
</html>
`))
}

// card returns card.html.
func (r *reading) card(ids []string, _ map[string]bool) ([]Payload, error) {
	unit := r.cards[ids[0]]
	job, err := shop.FindJob(r.Reader, unit.Serial.JobID)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = cardTemplate().Execute(&b, cardPage{unit, &job, ids, r.trails[ids[0]]})
	return []Payload{{"card.html", b.Bytes()}}, err
}
