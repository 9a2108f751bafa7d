package office

import (
	"net/url"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// These are the forms of a lot, by their field "do". The form for the expiry date needs the most permissions.
const (
	lotEdit        = "edit"
	lotHeld        = "hold"
	lotReleased    = "release"
	lotReceived    = "receive"
	lotCounted     = "count"
	lotSplit       = "split"
	lotCertificate = "certificate"
	lotVoided      = "void"
	lotExpiry      = "expiry"
)

func lotForms() map[string]shop.Operation {
	return map[string]shop.Operation{
		lotEdit: shop.OpUpdateLot, lotHeld: shop.OpHoldLot, lotReleased: shop.OpReleaseLot, lotReceived: shop.OpReceiveLot,
		lotCounted: shop.OpAdjustLot, lotSplit: shop.OpSplitLot, lotCertificate: shop.OpAttachLotCertificate, lotVoided: shop.OpVoidLot,
	}
}

var (
	createLotForm  = site.DecimalFormOf[shop.CreateLotInput]()
	editLotForm    = site.FormOf[shop.UpdateLotInput]()
	holdLotForm    = site.FormOf[shop.HoldLotInput]()
	releaseLotForm = site.FormOf[shop.ReleaseSerialInput]()
	receiveLotForm = site.DecimalFormOf[shop.ReceiveLotInput]()
	countLotForm   = site.DecimalFormOf[shop.AdjustLotInput]()
	splitLotForm   = site.DecimalFormOf[shop.SplitLotInput]()
	voidLotForm    = site.FormOf[shop.VoidInput]()
	lotExpiryForm  = site.FormOf[shop.SetLotExpiryInput]()
)

// Categories are the categories of lots.
func (*lotsPage) Categories() []shop.LotCategory { return shop.LotCategories() }

// Approvals returns the options for whether the customer has approved the source of a lot.
func (*lotsPage) Approvals() []shop.CustomerApproval { return shop.CustomerApprovals() }

// Units are the units of lots.
func (*lotsPage) Units() []shop.LotUnit { return shop.LotUnits() }

// lotText is a text field in the form of a lot.
type lotText struct {
	Label       lang.Text
	Name, Value string
}

// New returns the empty lot for the form that records a new lot.
func (*lotsPage) New() shop.Lot { return shop.Lot{} }

// Texts returns the texts of a lot in the order in which its form shows them.
func (*lotsPage) Texts(l shop.Lot) []lotText {
	return []lotText{
		{"Heat number", "heatNumber", l.HeatNumber}, {"Supplier", "supplier", l.Supplier},
		{"Lot number of the supplier", "supplierLot", l.SupplierLot}, {"Purchase order", "orderNumber", l.OrderNumber},
		{"Part number", "partNumber", l.PartNumber}, {"Revision", "partRevision", l.PartRevision},
		{"Manufacturer", "manufacturer", l.Manufacturer}, {"Specification", "specification", l.Specification}, {"Code", "code", l.Code},
		{"Property of", "owner", l.Owner}, {"External id", "externalId", l.ExternalID},
	}
}

// digestLot returns the digest of all values of a lot that forms can change.
func digestLot(l shop.Lot) string { return site.AsRead(l.LotFields, l.LotBalance, l.ExternalID) }

func createLot(v *site.Visit) error {
	err := v.Named()
	var made shop.Lot
	var in shop.CreateLotInput
	if err == nil {
		in, err = createLotForm.Read(v)
	}
	if err == nil {
		in.UserID = v.User()
		made, err = v.Service.CreateLot(v.R.Context(), in)
	}
	if err != nil {
		return v.Again("create", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderLots(v, "", status, refused)
		})
	}
	v.Remember()
	return v.Back(lotAddress(made.ID), v.T("Lot {lot} recorded.", "lot", made.LotNumber))
}

func changeLot(v *site.Visit) error {
	id, form := v.R.PathValue("id"), v.Form.Get("do")
	if form == lotReleased {
		form += v.Form.Get("holdId")
	}
	err, to, done := v.Named(), lotAddress(id), ""
	if err == nil {
		to, done, err = carryOutOnLot(v, id)
	}
	switch {
	case site.WasChanged(err):
		return lotChanged(v, id, form)
	case err != nil:
		return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderLots(v, id, status, refused)
		})
	}
	v.Remember()
	return v.Back(to, done)
}

// carryOutOnLot carries out the posted form. It returns the page to show next and the message for it.
func carryOutOnLot(v *site.Visit, id string) (to, done string, err error) {
	ctx, user := site.IfRead(v, v.Form.Get(site.ReadField), digestLot), v.User()
	to = lotAddress(id)
	switch v.Form.Get("do") {
	case lotEdit:
		in := editLotForm.Read(v.Form)
		in.UserID = user
		_, err = v.Service.UpdateLot(ctx, id, in)
		done = v.T("Saved.")
	case lotReceived:
		var in shop.ReceiveLotInput
		if in, err = receiveLotForm.Read(v); err != nil {
			return to, "", err
		}
		in.UserID = user
		_, err = v.Service.ReceiveLot(ctx, id, in)
		done = v.T("Delivery recorded.")
	case lotCounted:
		var in shop.AdjustLotInput
		if in, err = countLotForm.Read(v); err != nil {
			return to, "", err
		}
		in.UserID = user
		_, err = v.Service.AdjustLot(ctx, id, in)
		done = v.T("Count recorded.")
	case lotSplit:
		var in shop.SplitLotInput
		if in, err = splitLotForm.Read(v); err != nil {
			return to, "", err
		}
		in.UserID = user
		var child shop.Lot
		child, err = v.Service.SplitLot(ctx, id, in)
		to, done = lotAddress(child.ID), v.T("Lot {lot} was split off.", "lot", child.LotNumber)
	case lotVoided:
		in := voidLotForm.Read(v.Form)
		in.UserID = user
		_, err = v.Service.VoidLot(ctx, id, in)
		done = v.T("Lot voided.")
	case lotHeld, lotReleased, lotCertificate:
		done, err = addToLot(v, id, user)
	default:
		in := lotExpiryForm.Read(v.Form)
		in.UserID = user
		_, err = v.Service.SetLotExpiry(ctx, id, in)
		done = v.T("Expiry saved.")
	}
	return to, done, err
}

// addToLot carries out a form that is valid whatever else has changed: a hold, the release of one hold, or a certificate.
func addToLot(v *site.Visit, id string, user input.TextInput) (done string, err error) {
	ctx := v.R.Context()
	switch v.Form.Get("do") {
	case lotHeld:
		in := holdLotForm.Read(v.Form)
		in.UserID = user
		_, err = v.Service.HoldLot(ctx, id, in)
		return v.T("The lot is on hold."), err
	case lotReleased:
		in := releaseLotForm.Read(v.Form)
		in.UserID = user
		_, err = v.Service.ReleaseLot(ctx, id, in)
		return v.T("Hold released."), err
	}
	certificate, err := v.Picked("certificate", "certId")
	if err == nil {
		_, err = v.Service.AttachLotCertificate(ctx, id, shop.AttachLotCertificateInput{CertID: certificate, UserID: user})
	}
	return v.T("Certificate attached."), err
}

// lotChanged responds to a form for a lot that has changed since the page was shown. The form for the texts of the lot then shows the
// current texts.
func lotChanged(v *site.Visit, id, form string) error {
	l, err := v.Service.Lot(v.R.Context(), id)
	if err != nil {
		return err
	}
	var compared []site.Compared
	values := v.Form
	if form == lotEdit {
		values = url.Values{"category": {string(l.Category)}, "customerApproval": {string(l.CustomerApproval)}, "reason": v.Form["reason"]}
		for _, text := range append([]lotText{
			{"Material", "material", l.Material}, {"Lot number", "lotNumber", l.LotNumber}, {"Received on", "receivedOn", l.ReceivedOn},
		}, (*lotsPage)(nil).Texts(l)...) {
			compared = append(compared, site.Compared{Field: text.Label, Typed: v.Form.Get(text.Name), Now: text.Value})
			values.Set(text.Name, text.Value)
		}
		if l.CertificateRequired {
			values.Set("certificateRequired", "yes")
		}
	}
	err = site.ErrChanged(v, v.T("Somebody changed the lot meanwhile."), compared)
	return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values = values
		return renderLots(v, id, status, refused)
	})
}
