package wording

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/importcsv"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop/importing"
)

// columnWords are the labels of file columns whose field has no label, or another one.
var columnWords = map[string]lang.Text{
	"id":                   "Routecard's number",
	"externalId":           "Your own number for it, such as the ERP's",
	"changedBy":            "Who acts",
	"userId":               "Who acts",
	"reason":               "Reason for a corrected number",
	"partRevision":         "Revision of the part",
	"gtin":                 "GTIN of the part",
	"orderNumber":          "Order of the customer",
	"drawingNumber":        "Number of the drawing",
	"orderLine":            "Line of the customer's order",
	"template":             "Template of its route",
	"units":                "Units to make",
	"serialNumbers":        "Own numbers of units to make",
	"trackerTicketKey":     "Ticket of the tracker",
	"trackerTicketSummary": "Summary of the ticket",
	"trackerPartNumber":    "Part number of the ticket",
	"trackerPriority":      "Priority of the ticket",
	"trackerEpicLink":      "Epic of the ticket",
	"trackerLabels":        "Labels of the ticket",
	"serialNumber":         "Own number of the unit",
	"serialId":             "Unit",
	"pathId":               "Route",
	"active":               "Active",
	"type":                 "Kind of certificate",
	"metadata":             "Further particulars, as JSON",

	// Readings.
	"stepId":           "Step",
	"characteristicId": "Characteristic",
	"number":           "Number on the drawing",
	"place":            "Place of several",
	"value":            "Value",
	"unit":             "Unit of the value, such as mm",
	"nominal":          "Nominal, to compare",
	"lower":            "Lower limit, to compare",
	"upper":            "Upper limit, to compare",
	"lowerTolerance":   "Lower tolerance, to compare",
	"upperTolerance":   "Upper tolerance, to compare",
	"revision":         "Revision of the plan, to compare",
	"instrumentId":     "Instrument",
	"instrumentNumber": "Number of the instrument",
	"note":             "Note",
	"measuredBy":       "Who measured",
	"measuredAt":       "When it was measured",
	"enteredAt":        "When it was entered, to compare",
	"verdict":          "Verdict, to compare",
	"pass":             "Passed, to compare",
	"closedAt":         "When the job was closed, to compare",
	"voidReason":       "Why it was voided",
	"voidedAt":         "When it was voided",
	"voidedBy":         "Who voided it",
	"feature":          "What the machine calls it",
	"axis":             "Axis of the machine",

	// Columns of an export that an import ignores.
	"createdAt":         "Created (ignored on import)",
	"updatedAt":         "Changed (ignored on import)",
	"totalSerials":      "Units (ignored on import)",
	"completedSerials":  "Completed units (ignored on import)",
	"inProgressSerials": "Units in progress (ignored on import)",
	"scrappedSerials":   "Scrapped units (ignored on import)",
	"late":              "Late (ignored on import)",
	"closedBy":          "Who closed the job (ignored on import)",
	"closeReason":       "Why the job was closed (ignored on import)",
	"jobName":           "Name of the job (ignored on import)",
	"pathName":          "Name of the route (ignored on import)",
	"currentStepIndex":  "Number of the step (ignored on import)",
	"currentStepName":   "Step (ignored on import)",
	"assignedTo":        "Assigned to (ignored on import)",
	"status":            "State (ignored on import)",
	"scrapReason":       "Why scrapped (ignored on import)",
	"forceCompleted":    "Completed with open steps (ignored on import)",
	"held":              "On hold (ignored on import)",
	"completedAt":       "Completed (ignored on import)",
	"login":             "Login (ignored on import)",
	"roles":             "Roles (ignored on import)",
	"kind":              "Kind of account (ignored on import)",
}

// columnsOf are the labels of columns that files of a kind do not share with files of other kinds.
var columnsOf = map[string]map[string]lang.Text{
	"lots": {
		"material": "Material", "lotNumber": "Lot number", "category": "Category", "supplierLot": "Lot number of the supplier",
		"heatNumber": "Heat number", "supplier": "Supplier", "manufacturer": "Manufacturer", "orderNumber": "Purchase order",
		"specification": "Specification", "code": "Code",
		"customerApproval": "Source", "owner": "Property of", "receivedOn": "Received on",
		"certificateRequired": "Certificate required", "quantity": "Quantity, of new lots", "unit": "Unit of measure, of new lots",
		"expiresOn": "May be used until, of new lots", "certIds": "Certificates, of new lots", "holdReason": "Why on hold, of new lots",
		"reason":    "Reason for changing a used lot",
		"remaining": "Remaining (ignored on import)",
		"expired":   "Expired (ignored on import)", "parentId": "Split from (ignored on import)",
		"createdBy": "Who recorded it (ignored on import)", "voidedAt": "When it was voided (ignored on import)",
		"voidedBy": "Who voided it (ignored on import)", "voidReason": "Why it was voided (ignored on import)",
	},
	"components": {
		"serialId":     "Unit that contains it",
		"serialNumber": "Own number of the unit that contains it", "componentSerialId": "Unit in it",
		"componentSerialNumber": "Own number of the unit in it", "lotId": "Lot", "lotNumber": "Lot number", "quantity": "Quantity",
		"unit": "Unit of measure, to compare", "partSerialNumber": "Own number of the part",
		"place": "Place", "installedBy": "Who installed it",
		"partType": "Part type, to compare", "pass": "Pass, to compare",
		"substituteFor": "Substitute for", "substituteReason": "Reason for the substitute",
		"installedAt": "When it was installed, to compare", "removedBy": "Who removed it, to compare",
		"removedAt":    "When it was removed, to compare",
		"removeReason": "Why it was removed, to compare", "returned": "Returned to the lot, to compare",
	},
	"shipments": {
		"id": "Number of the shipment", "externalId": "Your own number for the shipment", "kind": "To a supplier or a customer",
		"supplier": "Supplier", "orderNumber": "Order", "expectedBack": "Expected back", "sentOn": "Sent on, to compare",
		"shipmentStatus": "State of the shipment (ignored on import)",
		"stepId":         "Step (ignored on import)", "pass": "Pass (ignored on import)",
		"status": "State of the unit (ignored on import)",
		"reason": "Why missing (ignored on import)", "receiptId": "Receipt (ignored on import)",
		"settledAt": "When it came back (ignored on import)", "createdBy": "Who sent it (ignored on import)",
	},
}

// columnNames lists the usual spreadsheet headings in English and German, by the column to propose. Headings have no capitals, spaces or
// punctuation. A heading in no list is compared by its letters.
var columnNames = map[string][]string{
	"externalId":   {"worksorder", "workorder", "wo", "fertigungsauftrag", "auftrag", "auftragsnr", "auftragsnummer", "fa"},
	"name":         {"job", "bezeichnung", "benennung", "description", "beschreibung", "employee", "mitarbeiter", "operator"},
	"goalQuantity": {"qty", "quantity", "pieces", "pcs", "menge", "stück", "stk", "anzahl", "sollmenge"},
	"partNumber": {
		"part", "partno", "item", "itemno", "article", "articleno",
		"material", "artikel", "artikelnr", "artikelnummer", "teil", "teilenr",
		"teilenummer", "sachnummer", "materialnummer", "zeichnung", "zeichnungsnr", "drawing", "drawingno",
	},
	"partRevision": {"rev", "revision", "index", "änderungsstand", "version"},
	"gtin":         {"ean", "eancode", "ean13", "ean8", "upc", "upca", "gtin8", "gtin12", "gtin13", "gtin14", "eannummer", "barcode"},
	"customer":     {"client", "kunde", "auftraggeber"},
	"orderNumber": {
		"customerorder", "po", "pono", "purchaseorder", "order", "orderno", "bestellung", "bestellnr", "bestellnummer", "kundenauftrag",
	},
	"description": {"description", "beschreibung", "bezeichnung", "remarks", "bemerkung", "bemerkungen", "comment", "notes"},
	"dueDate": {
		"due", "deliverydate", "delivery", "needby", "required", "termin", "liefertermin", "fällig", "endtermin", "lieferdatum",
	},
	"priority":     {"prio", "priorität", "urgency"},
	"template":     {"routing", "route", "arbeitsplan", "plan"},
	"serialNumber": {"serial", "serialno", "sn", "seriennummer", "seriennr"},
	"department":   {"dept", "team", "abteilung"},
	"lotNumber":    {"lot", "lotno", "batch", "batchno", "los", "losnummer", "charge", "chargennummer"},
	"heatNumber":   {"heat", "heatno", "schmelze", "schmelzennummer"},
	"supplier":     {"vendor", "lieferant"},
	"quantity":     {"qty", "menge", "amount"},
}

// ColumnChoices lists the columns that a file can have: the fields of the kind, and for a measuring machine two more.
func ColumnChoices(kind *importing.Kind) (all []string) {
	for i := range kind.Fields {
		all = append(all, kind.Fields[i].Name)
	}
	all = append(all, kind.ReadOver...)
	if kind.Machine {
		all = append(all, importcsv.FeatureColumn, importcsv.AxisColumn)
	}
	return all
}

// ColumnCalled returns the label of a column in files of a kind.
func ColumnCalled(l *lang.Language, kind, column string) string {
	return cmp.Or(l.Lookup(cmp.Or(columnsOf[kind][column], columnWords[column], CommonFields[column].Label)), column)
}

// Proposed returns the column to propose for a heading in a file, unless another heading has taken it; "" for none.
func Proposed(name string, kind *importing.Kind, taken map[string]bool) string {
	if nearest := importcsv.Nearest(name, kind); nearest != "" && !taken[nearest] {
		return nearest
	}
	plain := strings.NewReplacer(" ", "", "-", "", "_", "", ".", "", ":", "", "#", "no").Replace(strings.ToLower(name))
	for i := range kind.Fields {
		field := kind.Fields[i].Name
		if !taken[field] && slices.Contains(columnNames[field], plain) {
			return field
		}
	}
	return ""
}
