package input

import (
	"regexp"

	"github.com/routecard/routecard/shop/refusal"
)

// DecimalSigns say how a file writes the decimals of numbers.
type DecimalSigns uint8

// The ways in which files write decimals.
const (
	DecimalPoint  DecimalSigns = iota // with a point
	DecimalComma                      // with a comma; a point may stand between thousands, so it is refused where it may
	DecimalEither                     // with a point or a comma: a machine writes nothing between thousands
)

// grouped are numbers in which a point is between thousands for some people, and before decimals for others.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}(\.\d{3})+$`)

// PointUnclear is why a number is refused whose point may stand between thousands.
var PointUnclear = refusal.NewReason(refusal.Invalid, "point_unclear",
	"{field} is {value}: in a file with semicolons the point may stand between thousands. Write the decimals behind a comma")
