package station

import "time"

// EventKind is a kind of event at a station.
type EventKind int

// The kinds of events. A person causes Scanned. The kinds up to Refused are responses of the service to effects. The other kinds happen by
// themselves.
const (
	Scanned  EventKind = iota // a code or a text was typed or scanned, Enter was pressed, or a button that stands for a code
	Found                     // the unit exists; Event.Unit describes it
	Several                   // only a person can decide which unit is meant: there are several units, or a unit whose part is unknown
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
	Comma   bool          // Scanned: whether the language of the page has a decimal comma
	Doubted bool          // Scanned: an act on the unit on the screen was done, and the person learned it only later
	Unsent  bool          // Scanned: a button was pressed while the field had a text that was not sent
	Unit    Unit          // Found; Acted for a reading or a component: its present state
	Demand  Demand        // Found, Judged and Acted: the reading that is asked for now, if any
	Lot     Lot           // Acted for RC-INSTALL: a lot whose quantity is needed; nothing was installed
	Out     bool          // Acted and Found: whether the reading in Words is out of limits; Demand is then its characteristic
	OneScan bool          // Found: a scan alone signs off here, and this unit has come here from elsewhere
	Command string        // Judged, Acted and Refused: from Effect
	Why     Why           // Judged: from Effect. Several: Part for an unknown part. Checked: Code for the number of a unit, or none
	Words   string        // Judged and Checked: from Effect. Acted and Found: the reading. Acted: the installed code
	Act     string        // Judged for RC-UNDO and Acted: the identity of the change
	Text    string        // description of the change
}

// EffectKind is a kind of action of a station.
type EffectKind int

// The kinds of effects.
const (
	Tell  EffectKind = iota // show the status band, and sound its tone
	Look                    // look the unit up; the event is Found or Missing
	Find                    // find units by a code that is not an identifier; the event is Found, Several or Missing
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
	Lot     Lot    // Act: the lot of the quantity in Words, as the person scanned it
	Text    string // Tell: from the event
	Left    string // Tell: the command whose question was dropped, "" for none
	LeftID  string // Tell: the unit of that question
}

// Say is the text of the status band.
type Say int

// The texts of the status band.
const (
	SayNothing      Say = iota // the screen stays as it is
	SayUnknown                 // not a code of a station
	SayNotHere                 // a code of something other than a unit here
	SayRanTogether             // a code ran into words or other codes
	SayNoUnit                  // a command without a unit on the screen
	SayMissing                 // there is no such unit
	SayShown                   // the unit is on the screen
	SayAsk                     // the question of the state
	SayNotAsked                // a yes or no without a question
	SayNo                      // nothing was changed
	SayRefused                 // the command was refused
	SayDone                    // the command was executed
	SayRepeated                // the command was executed before, and nothing was done now
	SayChanged                 // another person changed the unit, and it was removed
	SayWaited                  // there was no activity, and the unit was removed
	SayMeasured                // the reading was recorded, the instrument taken, or the component installed
	SayNoNumber                // the typed text is not a number
	SayOtherUnit               // a number was typed with another unit of measurement
	SayUnsent                  // the field has a text that was not sent
	SayHurried                 // Enter was pressed before the person can have read the screen
	SayNotMeasuring            // a number was typed while the station asks for none
	SayLost                    // the server does not respond
)
