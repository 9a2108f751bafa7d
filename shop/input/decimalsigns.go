package input

import (
	"regexp"

	"github.com/routecard/routecard/shop/refusal"
)

// DecimalSigns is the way in which a file writes decimals.
type DecimalSigns uint8

// How a file writes decimals.
const (
	DecimalPoint  DecimalSigns = iota // numbers with a decimal point
	DecimalComma                      // numbers with a decimal comma; a point that could separate thousands is refused
	DecimalEither                     // numbers with a decimal point or comma: machines do not separate thousands
)

// grouped matches numbers whose point separates thousands in some countries, and decimals in others.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}(\.\d{3})+$`)

// PointUnclear refuses a number whose point may separate thousands.
var PointUnclear = refusal.NewReason(refusal.Invalid, "point_unclear",
	"{field} is {value}: in a file with semicolons the point may stand between thousands. Write the decimals behind a comma")
