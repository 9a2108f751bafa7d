package firstarticle

import (
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Kind is the extent of a first article inspection.
type Kind string

// The kinds of first article inspections.
const (
	Full    Kind = "full"
	Partial Kind = "partial" // of some characteristics only, in addition to an earlier first article
)

// Kinds returns the kinds of first article inspections.
func Kinds() []Kind { return []Kind{Full, Partial} }

// Records has the texts and readings that fill the forms. A text that is not known is "".
type Records struct {
	ID, Identifier                 string
	PartNumber, Description        string
	PartRevision                   string
	DrawingNumber, DrawingRevision string
	OrderNumber                    string
	Route                          string // name of the path
	Organization, SupplierCode     string
	Kind                           Kind
	Baseline, Reason               string
	Numbers                        []string // the characteristics of a partial inspection; empty for all
	Units                          []Unit   // in the order of their numbers
	Parts                          []Part   // what is directly inside the units, except raw material
	Materials                      []Material
	Processes                      []Process
	Tests                          []Test
	Planned                        []Planned         // in the order of the steps
	Instruments                    map[string]string // the numbers of instruments, by identifier
	Typed                          map[string]string // see Place.Key
	Changes                        []ident.Timestamp // times at which one of these records was created or changed
}

// Unit is an inspected unit.
type Unit struct {
	SerialID string
	Number   string // the number on the unit, or its identifier
	Scrapped bool
	Reports  []string           // the nonconformance reports that name the unit
	Readings []card.Measurement // not voided, oldest first
}

// Part is something inside the units.
type Part struct {
	Number, Name, Category string
	FirstArticle           string // of the part, "" for none
	Owner                  string // the customer who owns it, "" for none
	NeedsFirstArticle      bool
}

// Material is a lot of raw material.
type Material struct {
	LotID, Material, Specification, Code string
	Supplier, Owner                      string
	CustomerApproval                     string // yes, no or na
	Certificates, Substitutions          []string
}

// Process is a step outside the shop.
type Process struct {
	StepID, Process, Specification, Code string
	Suppliers                            []string // those that received the units
	CustomerApproval                     string   // yes, no, na, or ""
	Certificates                         []string
}

// Test is a functional test at a step.
type Test struct {
	StepID, Step, Procedure string
	Reports                 []string
}

// Planned is a characteristic of a step.
type Planned struct {
	StepID string
	card.Characteristic
}
