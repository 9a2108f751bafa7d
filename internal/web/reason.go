package web

import "github.com/routecard/routecard/shop"

// The reasons for which only the pages refuse, one a line. Their sentences are those that people read.
var (
	// What was filled in or ticked.
	formUnread    = shop.NewReason(shop.Invalid, "form_unread", "The form could not be read")
	formTooLarge  = shop.NewReason(shop.Invalid, "form_too_large", "That is too much for one form.")
	noSecond      = shop.NewReason(shop.Invalid, "no_second_signer", "Say who the second person is.")
	nothingTicked = shop.NewReason(shop.Invalid, "no_unit_ticked", "Tick at least one unit first")
	noStepTicked  = shop.NewReason(shop.Invalid, "no_step_ticked", "Tick at least one step first.")
	nobodyChosen  = shop.NewReason(shop.Invalid, "nobody_chosen", "Choose who is to do it.")
	noneCalled    = shop.NewReason(shop.Invalid, "none_called_so", "No {noun} is called “{typed}”.")
	manyCalled    = shop.NewReason(shop.Invalid, "many_called_so", "“{typed}” can be more than one {noun}: {names}. Type more of the name.")
	manyUnits     = shop.NewReason(shop.Invalid, "many_units_called_so",
		"“{typed}” can be several units: {units}. Type SN and the number of the one that you mean.")
	unknownPart = shop.NewReason(shop.Invalid, "part_unknown",
		"No job has the GTIN of “{typed}”. The number can be that of {units}. Type SN and the number of the one that you mean.")
	noUnits      = shop.NewReason(shop.Invalid, "no_units", "“{units}” is no unit and no range of units.")
	unitsUnclear = shop.NewReason(shop.Invalid, "units_unclear",
		"“{units}” can mean numbers of Routecard or own numbers. Type both ends as SN-00001, or both as own numbers.")
	unitsUncounted = shop.NewReason(shop.Invalid, "units_uncounted",
		"“{units}” cannot be counted: both own numbers have to begin alike and end in digits. Name the units one by one.")
	unitsMissing = shop.NewReason(shop.Invalid, "units_missing",
		"“{units}” has own numbers that no unit of this part has: {missing}. Name the units that you mean.")
	unitsOfParts = shop.NewReason(shop.Invalid, "units_of_parts",
		"“{units}” ends at a unit of another part. Name the units of each part by themselves.")
	unitsBackwards = shop.NewReason(shop.Invalid, "units_backwards", "“{units}” ends before it begins: the lower number comes first.")

	// What is brought in.
	noFile       = shop.NewReason(shop.Invalid, "no_file", "Choose the file.")
	filesOfTwo   = shop.NewReason(shop.Invalid, "files_of_two", "Choose one file, or a .dfd together with its .dfx.")
	fileTooLarge = shop.NewReason(shop.Invalid, "file_too_large", "A file may have at most {limit} MB.")
	notLookedAt  = shop.NewReason(shop.Changed, "not_looked_at",
		"This is another file than was looked at, or its columns are others. Nothing was done: look what would happen, then bring it in.")
	importSigned = shop.NewReason(shop.Forbidden, "import_signed",
		"These rows have to be signed or confirmed, which a file cannot be. Nothing was done: do it one by one on their pages.")

	// Who works, and where.
	notActive     = shop.NewReason(shop.Invalid, "not_active", "{name} is not active any more.")
	stationBefore = shop.NewReason(shop.Invalid, "station_already", "This device is the station {name} already.")
	wrongBadge    = shop.NewReason(shop.Unauthenticated, "wrong_badge_or_pin", "The badge or the PIN is not valid")
	ownNameOnly   = shop.NewReason(shop.NotFound, "own_name_only", "Where people sign in, nobody works under another name.")

	instrumentAlone = shop.NewReason(shop.Invalid, "instrument_alone",
		"{characteristic} has an instrument and no reading. Nothing was recorded. Type the reading, or empty the instrument.")
	tenTimesOff = shop.NewReason(shop.Invalid, "ten_times_off",
		"{characteristic} is {typed}, far from {limits}. Nothing was recorded. Correct it, or tick that it is right.")

	badgeInField = shop.NewReason(shop.Invalid, "badge_in_field",
		"A badge was scanned into a field that is not for badges. Nothing was done. Go back and empty that field.")

	// What is not there.
	noPage      = shop.NewReason(shop.NotFound, "no_page", "There is no page at this address.")
	noStep      = shop.NewReason(shop.NotFound, "no_step", "The route has no such step. Nothing was done. Look again.")
	noSuchUnits = shop.NewReason(shop.NotFound, "no_such_units", "No such units: {units}")

	// What is not as it was seen.
	stepsChanged   = shop.NewReason(shop.Invalid, "steps_changed", "The steps of the route have changed. Nothing was done. Choose the step again.")
	unitMoved      = shop.NewReason(shop.Conflict, "unit_moved", "{text}")
	othersWait     = shop.NewReason(shop.Conflict, "other_units_wait", "{text}")
	notAsShown     = shop.NewReason(shop.Changed, "not_as_shown", "What would be signed is not what you saw. It stands here as it is now: look again, then sign.")
	formOutdated   = shop.NewReason(shop.Changed, "form_outdated", "{text}")
	notDeleted     = shop.NewReason(shop.Changed, "not_deleted", "Somebody changed the {what} meanwhile. It was not deleted: the page shows what is there now.")
	otherWorks     = shop.NewReason(shop.Changed, "other_works", "{name} works here now, and the page showed somebody else. Nothing was done.")
	badgeMeanwhile = shop.NewReason(shop.Changed, "badge_meanwhile", "{name} was given a badge meanwhile. Nothing was made: a new one ends it.")

	// What was done in part. Its kind is that of what was refused.
	partlyDone = shop.NewReason(shop.Invalid, "partly_done", "{text}")
)

// refusePartly refuses what was done in part, and tells of all of it.
func refusePartly(kind shop.Kind, text string) error {
	refusal := shop.Refuse(partlyDone, text)
	refusal.Kind = kind
	return refusal
}
