// Package station defines how a station works: the effect of each scan, key, button, timer and event from others. Next (next.go) returns it
// as a pure function. internal/web/scanpages executes the effects for every page, with and without JavaScript.
// internal/web/static/station.js decides nothing: it sends events, and shows the returned page. One event cannot be sent: that the server
// does not respond. So each page includes the outcome of that event, Lost.
//
// The phases of a station:
//
//	empty   nothing is on the screen
//	shown   a unit is on the screen as it was looked up, with its step and the newest entry of its trail
//	asked   a question is on the screen, mostly with a unit
//	text    the station waits for a text for a command
//	value   the page asks for a reading of a characteristic of the unit on the screen
//	part    the next scan is a component of the unit on the screen
//	amount  the page asks how much of a lot is installed in the unit on the screen
//	listed  the units that a code identifies are on the screen, and the page asks which one is meant
//	done    the last change is on the screen; the unit is no longer in hand
//
// Events, and the phases to which they lead. "Same" is the phase before the event. "Warns" means that the status band shows the reason.
//
//	                        empty        shown            asked                 text             done
//	a unit's code           looks it up: shown, or empty when there is no such unit. A question is dropped, and the page says so
//	a number engraved on a  finds it: shown as if its code was scanned; listed when several     a text, if no    finds it
//	  unit, or its own      units have it that are not scrapped; warns, empty for none          unit has it;
//	  number alone                                                                              else asked
//	  a scan signs off      does it      does it, unless  shown                 shown            does it
//	                                     it is shown
//	RC-DONE, the button     warns        does it          same: asks again      same: asks again warns
//	  before it was shown   warns        asked            same: asks again      same: asks again warns
//	  place elsewhere       warns        asked            same: asks again      same: asks again warns
//	  after a lost response warns        asked            same: asks again      same: asks again warns
//	  again at once         -            -                -                     -                same
//	RC-DEFERRED-n           as RC-DONE
//	Enter alone             same         as RC-DONE       same                  same: asks again same
//	  within a second, or   same         warns: same      same                  same             same
//	    before the response
//	  at once: CR and LF    same         same             same                  same             same
//	a button while the      as without   warns: same      warns: same           as without       as without
//	  field has a text; RC-NO and RC-INSTRUMENT do what they do without
//	RC-NOTE, RC-HOLD        warns        text             text                  text             warns
//	RC-SCRAP-reason         warns        asked, or text   asked, or text        asked, or text   warns
//	RC-UNDO                 asked        asked            asked                 asked            does it
//	RC-YES                  warns        warns            does it               same: asks again warns
//	RC-NO                   warns        warns            shown, text or empty  shown            warns
//	any other text          warns: empty warns: empty     warns: empty          does it or asked warns: empty
//	  that looks like code  warns: empty warns: empty     warns: empty          asked            warns: empty
//	  with a code in it     warns: empty warns: empty     warns: empty          warns: empty     warns: empty
//	another thing's code    finds the unit that has it as its own number; warns: empty for none  asked            as in empty
//	it was done             -            done             done                  done             done
//	it was done before,     -            warns: empty     warns: empty          warns: empty     warns: empty
//	  from the same page
//	it was refused          empty        shown            shown                 shown            empty
//	  another command than the one that asked: the page also says that the question is dropped
//	others changed the unit same         warns: empty     warns: empty          warns: empty     same
//	five minutes passed     same         warns: empty     warns: empty          same             same
//	no response             warns: empty warns: empty     warns: empty          warns: empty     warns: empty
//
// If the step demands readings, a unit that is looked up leads to "value" instead of "shown": each characteristic is asked for separately.
// In "value", and while a question or a text concerns a reading:
//
//	                        value
//	a unit's code           looks it up, as everywhere
//	a reading               records it: value of the next characteristic, or shown when nothing is missing
//	  out of limits         records it: asked whether to measure again. Yes: value of the same. No: as if the unit was scanned.
//	                        Another value is the new reading; the same one within five seconds does nothing. Scanning the unit again
//	                        asks again
//	  before it was asked,  asked whether that is the reading: also within a second after the scan before
//	    the same once more  same: an instrument types twice
//	  a number or a text    asked whether it is another reading, within five seconds after the same one. In "shown", after the last
//	    once more           reading of the step, and where the number of an instrument is awaited: same
//	  whose sign may        asked which of the two numbers it is: by one of two buttons, or typed without that sign. Yes: asks again
//	    separate thousands
//	  ten times off         asked, when it is out of limits as well
//	  like a barcode        asked
//	  while that is asked,  the new reading; the same one within five seconds does nothing
//	    or whether it is
//	    another reading
//	  with another unit     same, and warns. The unit of the characteristic may stand after the number, and a comma for the point
//	  for pass or fail      RC-PASS, RC-FAIL, their buttons, and the words that card.ReadVerdict reads; any other text warns: empty
//	no number               same, and warns, when it has the characters of one; else finds the unit that has it engraved, and
//	                        warns: empty for none
//	a unit's own number     as a reading asked when a text is measured; a number that can be a reading is one
//	RC-MEASURE, -n          value of the next missing, or of the n-th characteristic; in shown as well
//	RC-INSTRUMENT           text; a number that no instrument has, or one that may not be used, warns: value
//	RC-DONE, RC-YES, Enter  same: asks again
//	RC-NO                   shown
//	another code, a text    as in "text": a code is never a reading
//	it was refused          value of the same
//	others changed the unit warns: empty, also when the characteristics of the step were changed
//	five minutes passed     warns: empty
//	no response             warns: empty
//
// RC-INSTALL, or its button, leads to "part" from every phase with a unit on the screen, and warns without one. Without RC-INSTALL no scan
// installs anything: the code of another unit puts that unit on the screen. In these phases, and while a question concerns a component:
//
//	                        part                          amount
//	a unit's code           installs that unit: shown     looks it up, as everywhere
//	a lot's code            installs from the lot: shown  same: asks again if it is the lot's; else finds a unit that has it
//	  the lot is counted    amount                        -
//	a number                installs what has it          installs it: shown
//	  with another unit     -                             same, and warns
//	  like a barcode        -                             asked
//	  before it was asked   asked                         asked: also within a second after the scan before
//	no number               installs what has it: warns   as in "value"
//	RC-INSTALL, RC-DONE     same: asks again              same: asks again
//	RC-YES, Enter           same: asks again              same: asks again
//	RC-NO                   shown                         shown
//	another code, a text    as in "text"                  as in "text"
//	it was refused          same                          same
//	others changed the unit warns: empty                  warns: empty
//	five minutes passed     warns: empty                  warns: empty
//	no response             warns: empty                  warns: empty
//
// After an installation the unit is in "shown" and the same code again at once does nothing.
//
// In "listed" the identifier of a unit, or the unit's button, looks the unit up. Another number finds other units. RC-NO leads to empty,
// RC-YES asks again, and Enter does nothing. The list does not change as time passes, or when others change a unit. Every other code does
// what it does in empty. Selecting a unit from the list does not sign its step off, even if a scan alone does so.
//
// "After a lost response": the page lost the response to an act on the unit, asked for its outcome, and learned that the act was done.
// Until the person closes that message, or says yes, signing off the next step of the unit causes a question. "Again at once": the code
// whose effect is on the screen is scanned again within three seconds, or before the response was there. If a scan alone signs off, that
// code is the unit's.
//
// If a characteristic demands an instrument and the station has none, the station first waits for a text: the number of the instrument.
// RC-PASS and RC-FAIL have no effect in other phases.
//
// It follows:
//
//   - Nothing is done to a unit that was not on the screen, unless a scan alone signs off at this station. Each act carries the step that
//     was on the screen.
//   - After an act, other than a reading or an installation, no unit is in hand. A confirmation that arrives twice finds no unit the second
//     time.
//   - Nothing is installed by a scan unless the page asked for a component of the unit on the screen, or a person said yes to the scan.
//   - A person who did not see the response to a confirmation, and confirms the unit again, does not move it a second step without a
//     question.
//   - If several units have the same number, the station selects none of them. The number of a unit becomes a note or a reading only after
//     a question, except where numbers are measured.
//   - No button acts on a unit while the field has a text that was not sent: the text may be the code of another unit.
//   - A command is always a command. No unit can get a command as its own number (shop.RefuseReserved). A unit that got such a number from
//     an earlier version is found by the search, not by the station.
//   - Permissions and rules are checked before a question: a command that is not allowed is refused at once.
//   - A command that was scanned before the unit was on the screen causes a question. A yes that was scanned before its question has no
//     effect.
//   - No reading is recorded of a unit, at a step, or for a characteristic in a revision that was not on the screen when it was typed.
//   - A code that a station knows is a code in every phase, never a text.
package station
