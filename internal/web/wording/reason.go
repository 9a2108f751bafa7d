package wording

import "github.com/routecard/routecard/shop/refusal"

// These are reasons with which only the pages refuse. Users see their sentences.
var (
	// Reasons concerning forms and their fields.
	FormUnread    = refusal.NewReason(refusal.Invalid, "form_unread", "The form could not be read")
	FormTooLarge  = refusal.NewReason(refusal.Invalid, "form_too_large", "That is too much for one form.")
	NoSecond      = refusal.NewReason(refusal.Invalid, "no_second_signer", "Say who the second person is.")
	NothingTicked = refusal.NewReason(refusal.Invalid, "no_unit_ticked", "Tick at least one unit first")
	NoStepTicked  = refusal.NewReason(refusal.Invalid, "no_step_ticked", "Tick at least one step first.")
	NobodyChosen  = refusal.NewReason(refusal.Invalid, "nobody_chosen", "Choose who is to do it.")
	NoneCalled    = refusal.NewReason(refusal.Invalid, "none_called_so", "No {noun} is called “{typed}”.")
	ManyCalled    = refusal.NewReason(refusal.Invalid, "many_called_so", "“{typed}” can be more than one {noun}: {names}. Type more of the name.")
	MoreCalled    = refusal.NewReason(refusal.Invalid, "many_called_so", "“{typed}” can be more than one {noun}: {names} and others. Type more of the name.")
	ManyUnits     = refusal.NewReason(refusal.Invalid, "many_units_called_so",
		"“{typed}” can be several units: {units}. Type {prefix} and the number of the one that you mean.")
	UnknownPart = refusal.NewReason(refusal.Invalid, "part_unknown",
		"No job has the GTIN of “{typed}”. The number can be that of {units}. Type {prefix} and the number of the one that you mean.")
	NoPart    = refusal.NewReason(refusal.Invalid, "no_part", "No unit and no lot is called “{typed}”. Record the lot first, or scan another code.")
	NotALot   = refusal.NewReason(refusal.Invalid, "not_a_lot", "“{typed}” is a unit. Scan the lot, or type its number.")
	ManyParts = refusal.NewReason(refusal.Invalid, "many_parts_called_so",
		"“{typed}” can be several: {parts}. Type {prefix} and the number of the unit, or the text in the brackets of the lot.")
	NoFirstDay = refusal.NewReason(refusal.Invalid, "no_first_day", "Choose the first day.")
	NoUnits    = refusal.NewReason(refusal.Invalid, "no_units", "“{units}” is no unit and no range of units.")
	OtherPlant = refusal.NewReason(refusal.Invalid, "unit_of_another_plant",
		"“{typed}” is a unit of another plant: the units of this one begin with {prefix}. Scan a unit of this plant.")
	UnitsUnclear = refusal.NewReason(refusal.Invalid, "units_unclear",
		"“{units}” can mean numbers of Routecard or own numbers. Type both ends as {unit}, or both as own numbers.")
	UnitsUncounted = refusal.NewReason(refusal.Invalid, "units_uncounted",
		"“{units}” cannot be counted: both own numbers have to begin alike and end in digits. Name the units one by one.")
	UnitsMissing = refusal.NewReason(refusal.Invalid, "units_missing",
		"“{units}” has own numbers that no unit of this part has: {missing}. Name the units that you mean.")
	UnitsOfParts = refusal.NewReason(refusal.Invalid, "units_of_parts",
		"“{units}” ends at a unit of another part. Name the units of each part by themselves.")
	UnitsBackwards = refusal.NewReason(refusal.Invalid, "units_backwards", "“{units}” ends before it begins: the lower number comes first.")

	// Reasons concerning shipments.
	WrongUnits = refusal.NewReason(refusal.Invalid, "wrong_units",
		"These cannot be received with {shipment}: {units}. Take them out of the list.")
	OtherShipment  = refusal.NewReason(refusal.Invalid, "other_shipment", "The code is that of {scanned}, and this is {shipment}.")
	UnitsBesideAll = refusal.NewReason(refusal.Invalid, "units_beside_all", "Choose “Only these units”, or leave the units empty.")

	// Reasons concerning imports.
	NoFile       = refusal.NewReason(refusal.Invalid, "no_file", "Choose the file.")
	FilesOfTwo   = refusal.NewReason(refusal.Invalid, "files_of_two", "Choose one file, or a .dfd together with the .dfx of the same name.")
	FileTooLarge = refusal.NewReason(refusal.Invalid, "file_too_large", "A file may have at most {limit} MB.")
	NotLookedAt  = refusal.NewReason(refusal.Changed, "not_looked_at",
		"The file or its columns differ from the previewed ones. Nothing was done. Preview the file, then import it.")
	ImportSigned = refusal.NewReason(refusal.Forbidden, "import_signed",
		"These rows have to be signed or confirmed, which a file cannot be. Nothing was done: do it one by one on their pages.")

	// Reasons concerning operators and stations.
	NotActive     = refusal.NewReason(refusal.Invalid, "not_active", "{name} is no longer active.")
	StationBefore = refusal.NewReason(refusal.Invalid, "station_already", "This device is the station {name} already.")
	WrongBadge    = refusal.NewReason(refusal.Unauthenticated, "wrong_badge_or_pin", "The badge or the PIN is not valid")
	OwnNameOnly   = refusal.NewReason(refusal.NotFound, "own_name_only", "Where people sign in, nobody works under another name.")

	InstrumentAlone = refusal.NewReason(refusal.Invalid, "instrument_alone",
		"{characteristic} has an instrument and no reading. Nothing was recorded. Type the reading, or clear the instrument.")
	InstrumentMissing = refusal.NewReason(refusal.Invalid, "instrument_missing",
		"{characteristic} needs the number of the instrument. Nothing was recorded.")
	SignUnclear = refusal.NewReason(refusal.Invalid, "sign_unclear",
		"{characteristic} is {typed}: that can be {decimal} or {whole}. Nothing was recorded. Type the one that you mean.")
	NumberUnclear = refusal.NewReason(refusal.Invalid, "number_unclear",
		"{typed} can be {decimal} or {whole}. Nothing was done. Type the one that you mean.")
	TenTimesOff = refusal.NewReason(refusal.Invalid, "ten_times_off",
		"{characteristic} is {typed}, far from {limits}. Nothing was recorded. Correct it, or tick that it is right.")

	BadgeInField = refusal.NewReason(refusal.Invalid, "badge_in_field",
		"A badge was scanned into a field that is not for badges. Nothing was done. Go back and empty that field.")

	// Reasons for what was not found.
	NoPage      = refusal.NewReason(refusal.NotFound, "no_page", "There is no page at this address.")
	NoStep      = refusal.NewReason(refusal.NotFound, "no_step", "The route has no such step. Nothing was done. Look again.")
	NoSuchUnits = refusal.NewReason(refusal.NotFound, "no_such_units", "No such units: {units}")

	// Reasons for what has changed since the page was read.
	StepsChanged   = refusal.NewReason(refusal.Invalid, "steps_changed", "The steps of the route have changed. Nothing was done. Choose the step again.")
	UnitMoved      = refusal.NewReason(refusal.Conflict, "unit_moved", "{text}")
	OthersWait     = refusal.NewReason(refusal.Conflict, "other_units_wait", "{text}")
	NotAsShown     = refusal.NewReason(refusal.Changed, "not_as_shown", "What would be signed is not what you saw. It stands here as it is now: look again, then sign.")
	FormOutdated   = refusal.NewReason(refusal.Changed, "form_outdated", "{text}")
	NotDeleted     = refusal.NewReason(refusal.Changed, "not_deleted", "{changed} It was not deleted: the page shows what is there now.")
	OtherWorks     = refusal.NewReason(refusal.Changed, "other_works", "{name} works here now, and the page showed somebody else. Nothing was done.")
	BadgeMeanwhile = refusal.NewReason(refusal.Changed, "badge_meanwhile", "{name} was given a badge meanwhile. Nothing was made: a new one ends it.")

	// Reason for what was carried out only in part. The kind of the refusal is that of the refused part.
	PartlyDone = refusal.NewReason(refusal.Invalid, "partly_done", "{text}")
)

// RefusePartly reports that something was carried out only in part. The text describes both parts.
func RefusePartly(kind refusal.Kind, text string) error {
	refusal := refusal.Refuse(PartlyDone, text)
	refusal.Kind = kind
	return refusal
}
