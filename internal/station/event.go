package station

import "time"

// EventKind says what happened at a station.
type EventKind int

// The kinds of events. A person causes Scanned, the service responds to effects with those up to Refused, and the others happen by
// themselves.
const (
	Scanned  EventKind = iota // a code or a text was typed or scanned, Enter was pressed, or a button that stands for a code
	Found                     // the unit is there, and as Event.Unit says
	Several                   // only a person can decide which unit is meant: there are several, or one whose part is unknown
	Missing                   // there is no such unit
	Checked                   // whether the text is the number of a unit
	Judged                    // the command would be allowed
	Acted                     // the command was carried out
	Repeated                  // the command was carried out before, from the same page, to which the browser went back
	Refused                   // the command is not allowed, or was not carried out
	Changed                   // another person changed the unit on the screen
	Waited                    // there was no activity for Patience
	Lost                      // the server did not respond
)

// Event is something that happens at a station.
type Event struct {
	Kind    EventKind
	Typed   string        // Scanned. Missing: the code that names no unit, "" for an identifier
	Units   []string      // Several: their identifiers
	Early   bool          // Scanned and Found: before the result of the scan before it was on the screen
	Ago     time.Duration // Scanned and Found: since the scan before it
	Doubted bool          // Scanned: an act on the unit on the screen was done, and the person learned it only by asking later
	Unit    Unit          // Found; Acted for a reading: as it is since
	Demand  Demand        // Found, Judged and Acted: the reading that is asked now, none for nothing
	Out     bool          // Acted: whether the reading is out of limits; Demand is the measured one then
	OneScan bool          // Found: one scan is done here, and this unit has come here from elsewhere
	Command string        // Judged, Acted and Refused: as Effect has it
	Why     Why           // Judged: as Effect has it. Several: Part for an unknown part. Checked: Code for the number of a unit, or none
	Words   string        // Judged and Checked: as Effect has it. Acted: the reading, and the limit if it is out
	Act     string        // Judged for RC-UNDO and Acted: the identity of the change
	Text    string        // its description
}

// EffectKind says what a station does.
type EffectKind int

// The kinds of effects.
const (
	Tell  EffectKind = iota // show a band, and sound its tone
	Look                    // look the unit up; the event is Found or Missing
	Find                    // find the units that a code names otherwise than by an identifier; the event is Found, Several or Missing
	Check                   // find out whether a text is the number of a unit; the event is Checked
	Judge                   // find out whether the command would be allowed; the event is Judged, Refused or Changed
	Act                     // carry the command out; the event is Acted, Repeated, Refused or Changed
)

// Effect is something that a station does.
type Effect struct {
	Kind    EffectKind
	Unit    Unit   // Look: its ID alone. Judge and Act: as the person saw it
	Command string // Judge and Act
	Why     Why    // Judge: the question if it is allowed, "" for a text
	Words   string // Find and Check: the typed text. Judge and Act
	Act     string // Act for RC-UNDO: the change to undo
	Say     Say    // Tell
	Demand  Demand // Act: of what the words are a reading, as the person saw it
	Text    string // Tell: from the event
	Left    string // Tell: the command whose question was left open, "" for none
	LeftID  string // Tell: the unit of that question
}

// Say is the text of a band.
type Say int

// The texts of bands.
const (
	SayNothing     Say = iota // the screen stays as it is
	SayUnknown                // no code that a station knows
	SayNotHere                // the code of something that is no unit here
	SayRanTogether            // a code ran into words or other codes
	SayNoUnit                 // a command that finds no unit on the screen
	SayMissing                // there is no such unit
	SayShown                  // the unit is on the screen
	SayAsk                    // the question of the state
	SayNotAsked               // a yes or no without a question
	SayNo                     // nothing was changed
	SayRefused                // the command was refused
	SayDone                   // the command was carried out
	SayRepeated               // the command was carried out before, and nothing was done now
	SayChanged                // another person changed the unit, and it was put away
	SayWaited                 // there was no activity, and the unit was put away
	SayMeasured               // the reading was recorded, or the instrument taken
	SayNoNumber               // the typed text is no number
	SayOtherUnit              // a number was typed with another unit
	SayLost                   // the server does not respond
)
