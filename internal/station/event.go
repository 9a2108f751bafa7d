package station

import "time"

// EventKind is a kind of event at a station.
type EventKind int

// The kinds of events. A person causes Scanned; those up to Refused are responses of the service to effects; the others happen by
// themselves.
const (
	Scanned  EventKind = iota // a code or a text was typed or scanned, Enter was pressed, or a button that stands for a code
	Found                     // the unit exists; Event.Unit describes it
	Several                   // only a person can decide which unit is meant: there are several, or one whose part is unknown
	Missing                   // there is no such unit
	Checked                   // reports whether the text is the number of a unit
	Judged                    // the command would be allowed
	Acted                     // the command was executed
	Repeated                  // the command was executed before, from the same page, to which the browser went back
	Refused                   // the command is not allowed, or was not executed
	Changed                   // another person changed the unit on the screen
	Waited                    // there was no activity for Patience
	Lost                      // the server did not respond
)

// Event is something that happens at a station.
type Event struct {
	Kind    EventKind
	Typed   string        // Scanned. Missing: the code that identifies no unit, "" for an identifier
	Units   []string      // Several: their identifiers
	Early   bool          // Scanned and Found: before the result of the previous scan was on the screen
	Ago     time.Duration // Scanned and Found: since the previous scan
	Doubted bool          // Scanned: an act on the unit on the screen was done, and the person learned it only later
	Unit    Unit          // Found; Acted for a reading: its present state
	Demand  Demand        // Found, Judged and Acted: the reading that is asked for now, if any
	Out     bool          // Acted: whether the reading is out of limits; Demand is then the measured one
	OneScan bool          // Found: a scan alone signs off here, and this unit has come here from elsewhere
	Command string        // Judged, Acted and Refused: from Effect
	Why     Why           // Judged: from Effect. Several: Part for an unknown part. Checked: Code for the number of a unit, or none
	Words   string        // Judged and Checked: from Effect. Acted: the reading, and the limit if it is out
	Act     string        // Judged for RC-UNDO and Acted: the identity of the change
	Text    string        // description of the change
}

// EffectKind is a kind of action of a station.
type EffectKind int

// The kinds of effects.
const (
	Tell  EffectKind = iota // show a band, and sound its tone
	Look                    // look the unit up; the event is Found or Missing
	Find                    // find the units that a code identifies other than by an identifier; the event is Found, Several or Missing
	Check                   // find out whether a text is the number of a unit; the event is Checked
	Judge                   // find out whether the command would be allowed; the event is Judged, Refused or Changed
	Act                     // execute the command; the event is Acted, Repeated, Refused or Changed
)

// Effect is an action of a station.
type Effect struct {
	Kind    EffectKind
	Unit    Unit   // Look: its ID alone. Judge and Act: as the person saw it
	Command string // Judge and Act
	Why     Why    // Judge: the question if it is allowed, "" for a text
	Words   string // Find and Check: the typed text. Judge and Act
	Act     string // Act for RC-UNDO: the change to undo
	Say     Say    // Tell
	Demand  Demand // Act: the characteristic of the reading in Words, as the person saw it
	Text    string // Tell: from the event
	Left    string // Tell: the command whose question was dropped, "" for none
	LeftID  string // Tell: the unit of that question
}

// Say is the text of a band.
type Say int

// The texts of bands.
const (
	SayNothing     Say = iota // the screen stays as it is
	SayUnknown                // not a code of a station
	SayNotHere                // a code of something other than a unit here
	SayRanTogether            // a code ran into words or other codes
	SayNoUnit                 // a command without a unit on the screen
	SayMissing                // there is no such unit
	SayShown                  // the unit is on the screen
	SayAsk                    // the question of the state
	SayNotAsked               // a yes or no without a question
	SayNo                     // nothing was changed
	SayRefused                // the command was refused
	SayDone                   // the command was executed
	SayRepeated               // the command was executed before, and nothing was done now
	SayChanged                // another person changed the unit, and it was removed
	SayWaited                 // there was no activity, and the unit was removed
	SayMeasured               // the reading was recorded, or the instrument taken
	SayNoNumber               // the typed text is no number
	SayOtherUnit              // a number was typed with another unit of measurement
	SayLost                   // the server does not respond
)
