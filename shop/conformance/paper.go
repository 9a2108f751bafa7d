// Package conformance has the content of certificates of conformance, which is the fields of AS9163, and how it follows from the delivered
// units. Its functions are pure. internal/web/paper prints the content.
//
//	paper.go    the fields of a certificate
//	gather.go   collecting what a certificate says about units
package conformance

import "github.com/routecard/routecard/shop/ident"

// Paper is the content of one revision of a certificate. An empty text is printed as N/A.
type Paper struct {
	Number          string // field 2
	Revision        int
	IssuedAt        ident.Timestamp // fields 3 and 14
	Language        string          // of the printed words: see workorder.Languages
	Organization    string          // field 4
	Address         string
	SupplierCode    string
	Logo            []byte // a picture; nil for none
	Customer        string // field 5
	CustomerAddress string
	OrderNumber     string // field 6
	Lines           []Line
	Details         Details // field 13
	Statement       string  // field 14; "" for the usual statement in the language
	Releaser        string
	Signed          bool // whether the releaser signed electronically
}

// Line has the fields of the units of one job.
type Line struct {
	OrderLine   string // field 7
	PartNumber  string
	Quantity    int      // field 8
	Description string   // field 9
	Revision    string   // field 10
	Serials     []string // field 11
	Lots        []Lot
	Remarks     string // field 12
}

// Lot is a lot whose material is in a unit.
type Lot struct{ Number, Heat string }

// Details has the facts about units that the customer must know.
type Details struct {
	Reports []Report
	Steps   []Step
	// FirstArticles are the newest approved first articles of the parts and revisions.
	FirstArticles  []string
	Certificates   []Certificate
	EarliestExpiry string // day on which the first of the lots expires; "" if none does
	Reason         string // why an earlier revision was replaced; "" for the first revision
}

// Report is a decision about units on a nonconformance report.
type Report struct {
	ID, Disposition, Concession string // Concession is "" for none
	Serials                     []string
}

// Step is a step that units left out.
type Step struct {
	Name    string
	Waived  bool // otherwise skipped
	Serials []string
}

// Certificate is a certificate of a material or a process.
type Certificate struct{ Name, Number string }
