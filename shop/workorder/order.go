package workorder

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// OrderFields describe the order of a job, in the words of the shop and its customer. A field that is "" or 0 is not known.
type OrderFields struct {
	PartNumber   string   `json:"partNumber,omitempty"`
	PartRevision string   `json:"partRevision,omitempty"`
	GTIN         string   `json:"gtin,omitempty"` // the GTIN of the part, as typed: see GTIN14
	Customer     string   `json:"customer,omitempty"`
	OrderNumber  string   `json:"orderNumber,omitempty"`
	Description  string   `json:"description,omitempty"`
	DueDate      string   `json:"dueDate,omitempty"` // the job must be finished by the end of this day in the time zone of the shop
	Priority     Priority `json:"priority,omitempty"`

	DrawingNumber   string `json:"drawingNumber,omitempty"`
	DrawingRevision string `json:"drawingRevision,omitempty"`
	OrderLine       string `json:"orderLine,omitempty"` // the line of the customer's order
	CustomerAddress string `json:"customerAddress,omitempty"`
	Language        string `json:"language,omitempty"` // the language of papers for the customer: see Languages
}

// Languages returns the languages of papers for customers.
func Languages() []string { return []string{"en", "de", "es"} }

// CheckLanguage refuses a text that is not one of Languages. It accepts "".
func CheckLanguage(field, text string) error {
	if text == "" || slices.Contains(Languages(), text) {
		return nil
	}
	return input.NotOneOf(field, Languages())
}

// Priority ranks jobs: 1 goes before 5. Zero is the usual priority.
type Priority int64

// The priorities that a request can have. A job with the usual priority is returned and stored without a priority.
const (
	firstPriority Priority = 1
	usualPriority Priority = 3
	lastPriority  Priority = 5
)

// PriorityOf returns the priority with a number from 1 to 5.
func PriorityOf(number int64) Priority {
	if Priority(number) == usualPriority {
		return 0
	}
	return Priority(number)
}

// Number returns the number of a priority, from 1 to 5.
func (p Priority) Number() int64 {
	return int64(cmp.Or(p, usualPriority))
}

// Limits of the texts among the fields of an order, in characters.
const (
	OrderTextLimit   = 200
	DescriptionLimit = 2000
)

// OrderInput has the fields of an order in Create Job and Update Job. Null and blank texts clear a field.
type OrderInput struct {
	PartNumber   input.TextInput   `field:"partNumber"`
	PartRevision input.TextInput   `field:"partRevision"`
	GTIN         input.TextInput   `field:"gtin"`
	Customer     input.TextInput   `field:"customer"`
	OrderNumber  input.TextInput   `field:"orderNumber"`
	Description  input.TextInput   `field:"description"`
	DueDate      input.TextInput   `field:"dueDate"`
	Priority     input.NumberInput `field:"priority"`

	DrawingNumber   input.TextInput `field:"drawingNumber"`
	DrawingRevision input.TextInput `field:"drawingRevision"`
	OrderLine       input.TextInput `field:"orderLine"`
	CustomerAddress input.TextInput `field:"customerAddress"`
	Language        input.TextInput `field:"language"`
}

// Apply checks the present fields, one after the other, and copies their values to order.
func (in *OrderInput) Apply(order *OrderFields) (err error) {
	for _, field := range []struct {
		name  string
		in    input.TextInput
		limit int
		to    *string
		check func(field, text string) error // nil if every text is valid
	}{
		{"partNumber", in.PartNumber, OrderTextLimit, &order.PartNumber, nil},
		{"partRevision", in.PartRevision, OrderTextLimit, &order.PartRevision, nil},
		{"gtin", in.GTIN, OrderTextLimit, &order.GTIN, CheckGTIN},
		{"customer", in.Customer, OrderTextLimit, &order.Customer, nil},
		{"orderNumber", in.OrderNumber, OrderTextLimit, &order.OrderNumber, nil},
		{"description", in.Description, DescriptionLimit, &order.Description, nil},
		{"drawingNumber", in.DrawingNumber, OrderTextLimit, &order.DrawingNumber, nil},
		{"drawingRevision", in.DrawingRevision, OrderTextLimit, &order.DrawingRevision, nil},
		{"orderLine", in.OrderLine, OrderTextLimit, &order.OrderLine, nil},
		{"customerAddress", in.CustomerAddress, DescriptionLimit, &order.CustomerAddress, nil},
		{"language", in.Language, OrderTextLimit, &order.Language, CheckLanguage},
	} {
		if !field.in.Present() {
			continue
		}
		field.in.Value = strings.TrimSpace(field.in.Value)
		if *field.to, err = input.OptionalWithin(field.name, field.in, field.limit); err != nil {
			return err
		}
		if field.check == nil {
			continue
		}
		if err := field.check(field.name, *field.to); err != nil {
			return err
		}
	}
	if in.DueDate.Present() {
		if order.DueDate, err = DueDate(in.DueDate); err != nil {
			return err
		}
	}
	if in.Priority.Present() {
		order.Priority, err = priority(in.Priority)
	}
	return err
}

// DueDate checks a due date. It returns "" if the date is missing or blank.
func DueDate(in input.TextInput) (string, error) {
	in.Value = strings.TrimSpace(in.Value)
	day, err := input.OptionalWithin("dueDate", in, input.NameLimit)
	if err == nil {
		err = input.CheckDate("dueDate", day)
	}
	return day, err
}

// priority checks a priority. It returns the usual priority if none is given.
func priority(in input.NumberInput) (Priority, error) {
	if in.Missing() {
		return 0, nil
	}
	if err := in.Typed("priority"); err != nil {
		return 0, err
	}
	number := int64(max(min(in.Value, float64(lastPriority)+1), 0)) // limited, so that a number of any size can be converted
	if float64(number) != in.Value || number < int64(firstPriority) || number > int64(lastPriority) {
		return 0, refusal.RefuseField(NotPriority, "priority")
	}
	return PriorityOf(number), nil
}

// OrderFacts is the record of an order's fields in the audit trail. Nil fields are omitted; removed texts are "", and a priority always has
// its number.
type OrderFacts struct {
	PartNumber   *string `json:"partNumber,omitempty"`
	PartRevision *string `json:"partRevision,omitempty"`
	GTIN         *string `json:"gtin,omitempty"`
	Customer     *string `json:"customer,omitempty"`
	OrderNumber  *string `json:"orderNumber,omitempty"`
	Description  *string `json:"description,omitempty"`
	DueDate      *string `json:"dueDate,omitempty"`
	Priority     *int64  `json:"priority,omitempty"`

	DrawingNumber   *string `json:"drawingNumber,omitempty"`
	DrawingRevision *string `json:"drawingRevision,omitempty"`
	OrderLine       *string `json:"orderLine,omitempty"`
	CustomerAddress *string `json:"customerAddress,omitempty"`
	Language        *string `json:"language,omitempty"`
}

// OrderChange returns the fields of an order that differ, with their values before and after.
func OrderChange(before, after OrderFields) (was, is OrderFacts) {
	Changed(&was.PartNumber, &is.PartNumber, before.PartNumber, after.PartNumber)
	Changed(&was.PartRevision, &is.PartRevision, before.PartRevision, after.PartRevision)
	Changed(&was.GTIN, &is.GTIN, before.GTIN, after.GTIN)
	Changed(&was.Customer, &is.Customer, before.Customer, after.Customer)
	Changed(&was.OrderNumber, &is.OrderNumber, before.OrderNumber, after.OrderNumber)
	Changed(&was.Description, &is.Description, before.Description, after.Description)
	Changed(&was.DueDate, &is.DueDate, before.DueDate, after.DueDate)
	Changed(&was.Priority, &is.Priority, before.Priority.Number(), after.Priority.Number())
	Changed(&was.DrawingNumber, &is.DrawingNumber, before.DrawingNumber, after.DrawingNumber)
	Changed(&was.DrawingRevision, &is.DrawingRevision, before.DrawingRevision, after.DrawingRevision)
	Changed(&was.OrderLine, &is.OrderLine, before.OrderLine, after.OrderLine)
	Changed(&was.CustomerAddress, &is.CustomerAddress, before.CustomerAddress, after.CustomerAddress)
	Changed(&was.Language, &is.Language, before.Language, after.Language)
	return was, is
}

// Changed sets was and is to the values of a field before and after, if they differ.
func Changed[T comparable](was, is **T, before, after T) {
	if before != after {
		b, a := before, after // copied here, so that an unchanged field allocates nothing
		*was, *is = &b, &a
	}
}

// Follow applies the values of a later entry.
func (f *OrderFacts) Follow(told OrderFacts) {
	for _, field := range []struct{ before, told **string }{
		{&f.PartNumber, &told.PartNumber}, {&f.PartRevision, &told.PartRevision}, {&f.GTIN, &told.GTIN}, {&f.Customer, &told.Customer},
		{&f.OrderNumber, &told.OrderNumber}, {&f.Description, &told.Description}, {&f.DueDate, &told.DueDate},
		{&f.DrawingNumber, &told.DrawingNumber}, {&f.DrawingRevision, &told.DrawingRevision}, {&f.OrderLine, &told.OrderLine},
		{&f.CustomerAddress, &told.CustomerAddress}, {&f.Language, &told.Language},
	} {
		if *field.told != nil {
			*field.before = *field.told
		}
	}
	if told.Priority != nil {
		f.Priority = told.Priority
	}
}

// Differs returns the names of the fields in which an order differs from its audit entries. Fields without entries must be empty.
func (f *OrderFacts) Differs(order OrderFields) []string {
	var d trail.Differing
	d.Unless(trail.OrZero(f.PartNumber) == order.PartNumber, "partNumber")
	d.Unless(trail.OrZero(f.PartRevision) == order.PartRevision, "partRevision")
	d.Unless(trail.OrZero(f.GTIN) == order.GTIN, "gtin")
	d.Unless(trail.OrZero(f.Customer) == order.Customer, "customer")
	d.Unless(trail.OrZero(f.OrderNumber) == order.OrderNumber, "orderNumber")
	d.Unless(trail.OrZero(f.Description) == order.Description, "description")
	d.Unless(trail.OrZero(f.DueDate) == order.DueDate, "dueDate")
	d.Unless(PriorityOf(trail.OrZero(f.Priority)).Number() == order.Priority.Number(), "priority")
	d.Unless(trail.OrZero(f.DrawingNumber) == order.DrawingNumber, "drawingNumber")
	d.Unless(trail.OrZero(f.DrawingRevision) == order.DrawingRevision, "drawingRevision")
	d.Unless(trail.OrZero(f.OrderLine) == order.OrderLine, "orderLine")
	d.Unless(trail.OrZero(f.CustomerAddress) == order.CustomerAddress, "customerAddress")
	d.Unless(trail.OrZero(f.Language) == order.Language, "language")
	return d
}

// NotPriority refuses an invalid priority.
var NotPriority = refusal.NewReason(refusal.Invalid, "must_be_priority", "{field} must be a whole number from 1 to 5")
