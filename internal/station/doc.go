// Package station is the life of a station: what each scan, key, button, timer and event from others does. Next
// (next.go) is that life as a pure function. internal/web/scanpages carries its effects out for every page, with and without JavaScript.
// internal/web/static/station.js decides nothing: it sends what happened, and shows the page that answers. For the one event
// that cannot be sent, a server that does not answer, each page has the outcome of Lost with it.
//
// The phases of a station:
//
//	empty   nothing is on the screen
//	shown   a unit is on the screen as it was looked up, with its step and the newest entry of its trail
//	asked   a question is on the screen, mostly with a unit
//	text    a text for a command is awaited
//	value   a reading of a characteristic of the unit on the screen is asked
//	listed  the units are on the screen that a code names, and it is asked which one of them is meant
//	done    what was done is on the screen; the unit is put away
//
// What happens, and what it leads to. "Same" is the phase from which it began, and "tells" is a band that says so.
//
//	                        empty        shown            asked                 text             done
//	a unit's code           looks it up: shown, or empty when there is no such unit. A question is left, and the page says so
//	a number engraved on a  finds it: shown as if its code was scanned; listed when several     a text, if no    finds it
//	  unit, or its own      units have it that are not scrapped; tells, empty for none          unit has it;
//	  number alone                                                                              else asked
//	  one scan is done      does it      does it, unless  shown                 shown            does it
//	                                     it is shown
//	RC-DONE, the button     tells        does it          same: asks again      same: asks again tells
//	  before it was shown   tells        asked            same: asks again      same: asks again tells
//	  place elsewhere       tells        asked            same: asks again      same: asks again tells
//	  after a lost answer   tells        asked            same: asks again      same: asks again tells
//	  again at once         -            -                -                     -                same
//	RC-DEFERRED-n           as RC-DONE
//	Enter alone             same         as RC-DONE       same                  same: asks again same
//	RC-NOTE, RC-HOLD        tells        text             text                  text             tells
//	RC-SCRAP-reason         tells        asked, or text   asked, or text        asked, or text   tells
//	RC-UNDO                 asked        asked            asked                 asked            does it
//	RC-YES                  tells        tells            does it               same: asks again tells
//	RC-NO                   tells        tells            shown, text or empty  shown            tells
//	any other text          tells: empty tells: empty     tells: empty          does it or asked tells: empty
//	  that looks like code  tells: empty tells: empty     tells: empty          asked            tells: empty
//	  with a code in it     tells: empty tells: empty     tells: empty          tells: empty     tells: empty
//	another thing's code    finds the unit that has it as its own number; tells: empty for none  asked            as in empty
//	it was done             -            done             done                  done             done
//	it was done before,     -            tells: empty     tells: empty          tells: empty     tells: empty
//	  from the same page
//	it was refused          empty        shown            shown                 shown            empty
//	  another command than the one that asked: the page also says that the question is left
//	somebody else changed   same         tells: empty     tells: empty          tells: empty     same
//	five minutes passed     same         tells: empty     tells: empty          same             same
//	no answer               tells: empty tells: empty     tells: empty          tells: empty     tells: empty
//
// Where the step demands readings, a unit that is looked up leads to "value" instead of "shown": each characteristic is asked by
// itself. In "value", and while a question or a text is about a reading:
//
//	                        value
//	a unit's code           looks it up, as everywhere
//	a reading               records it: value of the next characteristic, or shown when nothing is missing
//	  out of limits         records it: asked whether to measure again. Yes: value of the same. No: as if the unit was scanned
//	  before it was asked,  asked whether that is the reading: also within a second behind the scan before
//	    the same once more  same: an instrument types twice
//	  a number or a text    asked whether it is another reading, within five seconds after the same one. In "shown", after the last
//	    once more           reading of the step: same
//	  ten times off         asked, when it is out of limits as well
//	  like a barcode        asked
//	  with another unit     same, and tells. The unit of the characteristic may stand after the number, and a comma for the point
//	  for pass or fail      RC-PASS, RC-FAIL, their buttons, and the words that card.ReadVerdict reads; any other text tells: empty
//	no number               same, and tells, when it has the characters of one; else finds the unit on which it is engraved, and
//	                        tells: empty for none
//	a unit's own number     as a reading asked when a text is measured; a number that can be a reading is one
//	RC-MEASURE, -n          value of what is missing, or of the n-th characteristic; in shown as well
//	RC-INSTRUMENT           text; a number that no instrument has, or one that may not be used, tells: value
//	RC-DONE, RC-YES, Enter  same: asks again
//	RC-NO                   shown
//	another code, a text    as in "text": a code is never a reading
//	it was refused          value of the same
//	somebody else changed   tells: empty, also when what is measured at the step was changed
//	five minutes passed     tells: empty
//	no answer               tells: empty
//
// In "listed" the identifier of a unit, also by its button, looks it up, and another number finds others; RC-NO leads to empty, RC-YES asks
// again, and Enter does nothing. Time that passes and changes by others leave the list as it is. Every other code does what it does in
// empty. One scan is not done to the unit that is chosen.
//
// "After a lost answer": the page lost the answer to an act on the unit, asked what became of it, and learned that it was done. Until the
// person closes that message, or says yes, the next step of the unit asks. "Again at once": the code that did what is on the screen, within
// three seconds or before the answer was there; where one scan is done that code is the unit's.
//
// Without an instrument for a characteristic that demands one, a text is awaited first: its number. RC-PASS and RC-FAIL answer
// nothing elsewhere.
//
// From that follows:
//
//   - Nothing is done to a unit that was not on the screen, unless one scan is done there. What is done carries the step that was on the
//     screen.
//   - After something was done no unit is in hand. A confirmation that arrives twice finds none.
//   - A person who did not see the answer to a confirmation, and confirms the unit again, moves it no second step unasked.
//   - Of several units that a number names none is picked, and the number of a unit becomes no note and no reading unasked, but for a
//     number where numbers are measured.
//   - A command is always a command. No unit can get one as its own number (shop.RefuseReserved). A unit that got one from an earlier
//     version is found by the search, not by the station.
//   - What asks is judged before it asks: who may not do it, or cannot do it to this unit, is refused at once.
//   - A command that was scanned before the unit was on the screen asks, and a yes that was scanned before its question answers
//     nothing.
//   - No reading is recorded of a unit, at a step, or for a characteristic in a revision that was not on the screen when it was typed.
//   - A code that a station knows is a code in every phase, never a text.
package station
