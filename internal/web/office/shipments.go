package office

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// shipmentPages declares the page of shipments, which shows one shipment instead of the list if the address asks for it.
func shipmentPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/shipments", site.Always(shop.OpRead), showShipments),
			site.Post("/shipments", site.Always(shop.OpCreateShipment), createShipment),
			site.Get("/shipments/{id}", site.Always(shop.OpRead), site.LeadTo(shipmentAddress)),
			site.GetReading("/shipments/{id}/print", site.Always(shop.OpRead), printShipment),
			site.Post("/shipments/{id}", site.ByForm(shop.OpReceiveShipment, map[string]shop.Operation{
				receiptCertificate: shop.OpAttachReceiptCertificate, receiptVoided: shop.OpVoidReceipt,
			}), changeShipment),
		},
		Views: map[string]any{"shipments": &shipmentsPage{}, "shipmentprint": &shipmentsPage{}},
		menu:  []site.MenuEntry{{Section: "shipments", To: "/shipments", Label: "Shipments"}},
		findable: []findable{{
			kind: shop.RecordShipment, heading: "Shipments", needs: shop.OpRead, find: findShipments, all: "/shipments?q=",
		}},
	}
}

// findShipments finds the shipments that a text names: by number, or by a part of the supplier, the customer or the order number.
func findShipments(v *site.Visit, text string, limit int) (hits []Hit, err error) {
	hit := func(s shop.Shipment, exact bool) Hit {
		return Hit{Name: s.ID, Hint: wording.Listed(s.Party(), s.OrderNumber), To: shipmentAddress(s.ID), Exact: exact}
	}
	if id := scanned(v.SerialPrefix(), text, shop.RecordShipment); id != "" {
		return hitOf(v, id, v.Service.Shipment, hit)
	}
	found, err := v.Service.Shipments(v.R.Context(), shop.ShipmentQuery{Text: text, Limit: limit})
	for i := range found.Items {
		hits = append(hits, hit(found.Items[i], strings.EqualFold(found.Items[i].OrderNumber, text)))
	}
	return hits, err
}

// shipmentTyped returns the shipment that a user named by its number, or by all of its order number.
func shipmentTyped(v *site.Visit, typed string) (string, error) {
	hits, err := findShipments(v, typed, input.SearchLimit)
	if err != nil {
		return "", err
	}
	var all []site.Named
	for _, hit := range hits {
		all = append(all, site.Named{ID: hit.Name, Name: hit.Hint, Hint: hit.Name})
	}
	if id := scanned(v.SerialPrefix(), typed, shop.RecordShipment); id != "" {
		typed = id
	}
	return site.Among("shipment", all).Pick(v.R.Context(), typed)
}

// The forms of a shipment, by their field "do", other than the one that receives units.
const (
	shipmentReceived   = "receive"
	receiptCertificate = "certificate"
	receiptVoided      = "void"
)

// linesListed is the maximum number of units on the page of a shipment.
const linesListed = 500

type shipmentsPage struct {
	site.Frame
	site.Past
	One       *shop.Shipment    // instead of the list; nil for none
	Read      string            // the digest of the shipment in its forms
	Lines     []shop.ListedLine // the first units
	MoreLines bool
	Named     map[string]string // the names of certificates, by identifier
	Choices   []site.Choice     // the newest certificates, as suggestions
	Query     string
	Status    string // only shipments with this status; "" for all
	Shipments []shop.Shipment
	Next      string
	Units     string // what the form for a new shipment begins with
}

// Kinds are the kinds of shipments.
func (*shipmentsPage) Kinds() []card.ShipmentKind { return card.ShipmentKinds() }

// Statuses are the statuses of shipments.
func (*shipmentsPage) Statuses() []shop.ShipmentStatus { return shop.ShipmentStatuses() }

// Severities are the severities of a report about rejected units.
func (*shipmentsPage) Severities() []shop.Severity { return shop.Severities() }

// UnitsShown lists the units of the page.
func (p *shipmentsPage) UnitsShown() []string {
	return site.IDsOf(p.Lines, func(line *shop.ListedLine) string { return line.SerialID })
}

// Receivable reports whether units of the shipment are away.
func (p *shipmentsPage) Receivable() bool { return p.One != nil && p.One.Counts.Away > 0 }

func showShipments(v *site.Visit) error {
	return renderShipments(v, v.R.URL.Query().Get("id"), http.StatusOK, nil)
}

// renderShipments shows the shipment with the identifier, or the list if that is empty.
func renderShipments(v *site.Visit, id string, status int, refused *site.Problem) error {
	ctx, asked := v.R.Context(), v.R.URL.Query()
	page := &shipmentsPage{
		Frame: v.Frame("Shipments", "shipments"), Query: asked.Get("q"), Status: asked.Get("status"), Units: asked.Get("units"),
	}
	var err error
	if id != "" {
		if err = page.readShipment(v, id, linesListed); err == nil {
			err = page.readCertificates(v)
		}
	} else {
		var list shop.ShipmentPage
		list, err = v.Service.Shipments(ctx, shop.ShipmentQuery{
			Text: page.Query, Status: shop.ShipmentStatus(page.Status), Before: asked.Get("before"),
		})
		page.Shipments, page.Next = list.Items, list.Next
	}
	if err != nil {
		return err
	}
	page.Rejected = refused
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "shipments", page)
}

// readShipment reads a shipment with its first units.
func (p *shipmentsPage) readShipment(v *site.Visit, id string, limit int) error {
	ctx := v.R.Context()
	one, err := v.Service.Shipment(ctx, id)
	if err != nil {
		return err
	}
	p.Frame, p.One, p.Read = v.FrameOf(one.ID, "shipments"), &one, digestShipment(one)
	for line, err := range v.Service.LinesOfShipment(ctx, id) {
		if err != nil {
			return err
		}
		if p.MoreLines = len(p.Lines) == limit; p.MoreLines {
			break
		}
		p.Lines = append(p.Lines, line)
	}
	return nil
}

// readCertificates reads the names of the certificates of the shipment's receipts, each once, and the certificates to choose from.
func (p *shipmentsPage) readCertificates(v *site.Visit) (err error) {
	p.Named = map[string]string{}
	for i := range p.One.Receipts {
		for _, certID := range p.One.Receipts[i].CertIDs {
			if _, known := p.Named[certID]; known {
				continue
			}
			certificate, err := v.Service.Certificate(v.R.Context(), certID)
			if err != nil {
				return err
			}
			p.Named[certID] = certificate.Name
		}
	}
	p.Choices, err = site.Newest(v, "certificate")
	return err
}

// printShipment shows the packing slip of a shipment.
func printShipment(v *site.Visit) error {
	page := &shipmentsPage{}
	err := page.readShipment(v, v.R.PathValue("id"), selectionListed)
	if err == nil {
		page.NamesThen, err = v.Views.PastNames(v.R.Context(), nil)
	}
	return v.Shown(err, http.StatusOK, "shipmentprint", page)
}

// selectionListed is the maximum number of units on a packing slip.
const selectionListed = 2000

// shipmentAddress is the address of a shipment's page.
func shipmentAddress(id string) string { return "/shipments?id=" + url.QueryEscape(id) }

// digestShipment is the digest of what forms of a shipment depend on.
func digestShipment(s shop.Shipment) string {
	return site.AsRead(s.Counts, len(s.Receipts), s.UpdatedAt)
}

var createShipmentForm = site.FormOf[shop.CreateShipmentInput]()

func createShipment(v *site.Visit) error {
	err := v.Named()
	var made shop.Shipment
	if err == nil {
		made, err = shipTyped(v)
	}
	if err != nil {
		return v.Again("create", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderShipments(v, "", status, refused)
		})
	}
	v.Remember()
	return v.Back(shipmentAddress(made.ID), v.T("Shipment {shipment} recorded.", "shipment", made.ID))
}

// shipTyped creates the shipment of the posted form. The supplier and the customer have one field.
func shipTyped(v *site.Visit) (made shop.Shipment, err error) {
	in := createShipmentForm.Read(v.Form)
	in.Selection, err = site.TypedUnits(v, v.Form.Get("units"))
	if err != nil {
		return made, err
	}
	in.UserID = v.User()
	if party := v.Text("party"); v.Form.Get("kind") == string(card.ToCustomer) {
		in.Customer, in.Supplier = party, input.TextInput{}
	} else {
		in.Supplier, in.Customer = party, input.TextInput{}
	}
	return v.Service.CreateShipment(v.R.Context(), in)
}

func changeShipment(v *site.Visit) error {
	id, form := v.R.PathValue("id"), v.Form.Get("do")
	shown := form
	if form == receiptCertificate || form == receiptVoided {
		shown += v.Form.Get("receiptId")
	}
	err, done := v.Named(), ""
	if err == nil {
		done, err = carryOutOnShipment(v, id, form)
	}
	if site.WasChanged(err) {
		err = site.ErrChanged(v, v.T("Somebody received units of the shipment meanwhile."), nil)
	}
	if err != nil {
		return v.Again(shown, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderShipments(v, id, status, refused)
		})
	}
	v.Remember()
	return v.Back(shipmentAddress(id), done)
}

// carryOutOnShipment carries out the posted form, and returns its message.
func carryOutOnShipment(v *site.Visit, id, form string) (done string, err error) {
	ctx := site.IfRead(v, v.Form.Get(site.ReadField), digestShipment)
	switch form {
	case receiptVoided:
		_, err = v.Service.VoidReceipt(ctx, id, v.Form.Get("receiptId"), shop.VoidInput{Reason: v.Text("reason"), UserID: v.User()})
		return v.T("Receipt voided."), err
	case receiptCertificate:
		certificate, err := v.Picked("certificate", "certId")
		if err == nil {
			_, err = v.Service.AttachReceiptCertificate(v.R.Context(), id, v.Form.Get("receiptId"),
				shop.AttachReceiptCertificateInput{CertID: certificate, UserID: v.User()})
		}
		return v.T("Certificate attached."), err
	}
	in, err := receivedTyped(ctx, v, id)
	if err != nil {
		return "", err
	}
	receipt, err := v.Service.ReceiveShipment(ctx, id, in)
	return v.TN(receipt.Received+receipt.Rejected, "{n} unit received.", "{n} units received."), err
}

// receivedTyped returns what the posted form says came back: the rejected and the missing units, and the others that are away, or those
// that were typed.
func receivedTyped(ctx context.Context, v *site.Visit, id string) (in shop.ReceiveShipmentInput, err error) {
	in.PackingSlip, in.UserID = v.Text("packingSlip"), v.User()
	var lists [3][]string
	for i, field := range []string{"units", "rejectedUnits", "missingUnits"} {
		if lists[i], err = unitsBack(ctx, v, id, field); err != nil {
			return in, err
		}
	}
	received, rejected, missing := lists[0], lists[1], lists[2]
	lines, err := linesOf(ctx, v, id)
	if err != nil {
		return in, err
	}
	if err := lines.refuse(v, id, slices.Concat(received, rejected, missing)); err != nil {
		return in, err
	}
	if v.Form.Get("which") == "all" {
		if len(received) > 0 {
			return in, refusal.Refuse(wording.UnitsBesideAll)
		}
		received = lines.away(slices.Concat(rejected, missing))
	}
	if len(received) > 0 {
		in.Received = input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(received...)})
	}
	if len(rejected) > 0 {
		in.Rejected = input.Given(shop.RejectedInput{
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(rejected...)}, Title: v.Text("title"), Severity: v.Text("severity"),
		})
	}
	var lost []input.Input[shop.MissingInput]
	for _, unit := range missing {
		lost = append(lost, input.Given(shop.MissingInput{SerialID: input.Given(unit), Reason: v.Text("missingReason")}))
	}
	if len(lost) > 0 {
		in.Missing = input.Given(lost)
	}
	certificate, err := v.Picked("certificate", "certId")
	if err == nil && certificate.Present() {
		in.CertIDs = input.GivenTexts(certificate.Value)
	}
	return in, err
}

// unitsBack returns the units that are typed or scanned in a field of the form that receives a shipment, in this order, each once. The code
// of the shipment itself, at the head of its packing slip, is no unit.
func unitsBack(ctx context.Context, v *site.Visit, id, field string) (units []string, err error) {
	text := strings.Builder{}
	for line := range strings.Lines(v.Form.Get(field)) {
		switch named := scanned(v.SerialPrefix(), strings.TrimSpace(line), shop.RecordShipment); named {
		case "":
			text.WriteString(line)
		case id:
		default:
			return nil, refusal.Refuse(wording.OtherShipment, named, id)
		}
	}
	selection, err := site.TypedUnits(v, text.String())
	if err != nil {
		return nil, err
	}
	if limit, _ := input.ListLimit("serialIds"); selection.ExpectedCount.Value > float64(limit) {
		return v.Service.Selected(ctx, selection) // refuses so many units
	}
	seen := map[string]bool{}
	for unit := range site.UnitsWithin(v.SerialPrefix(), selection) {
		if !seen[unit] {
			seen[unit], units = true, append(units, unit)
		}
	}
	return units, nil
}

// shipmentLines are the lines of a shipment, in their order.
type shipmentLines struct {
	units  []string
	status map[string]shop.LineStatus
}

func linesOf(ctx context.Context, v *site.Visit, id string) (lines shipmentLines, err error) {
	lines.status = map[string]shop.LineStatus{}
	for line, err := range v.Service.LinesOfShipment(ctx, id) {
		if err != nil {
			return lines, err
		}
		lines.units, lines.status[line.SerialID] = append(lines.units, line.SerialID), line.Status
	}
	return lines, nil
}

// isAway reports whether a unit of the shipment is not back.
func (l *shipmentLines) isAway(unit string) bool {
	status := l.status[unit]
	return status == shop.LineAway || status == shop.LineLost
}

// away returns the units of the shipment that are away, except for some.
func (l *shipmentLines) away(except []string) (units []string) {
	left := make(map[string]bool, len(except))
	for _, unit := range except {
		left[unit] = true
	}
	for _, unit := range l.units {
		if l.isAway(unit) && !left[unit] {
			units = append(units, unit)
		}
	}
	return units
}

// refuse names all units in one sentence that cannot be received with the shipment.
func (l *shipmentLines) refuse(v *site.Visit, id string, units []string) error {
	var foreign, settled []string
	for _, unit := range units {
		switch _, on := l.status[unit]; {
		case !on:
			foreign = append(foreign, unit)
		case !l.isAway(unit):
			settled = append(settled, unit)
		}
	}
	var wrong []string
	if len(foreign) > 0 {
		wrong = append(wrong, v.T("{units} (not on it)", "units", unitList(v.Language, foreign)))
	}
	if len(settled) > 0 {
		wrong = append(wrong, v.T("{units} (not away any more)", "units", unitList(v.Language, settled)))
	}
	if len(wrong) == 0 {
		return nil
	}
	return refusal.Refuse(wording.WrongUnits, id, strings.Join(wrong, "; "))
}
