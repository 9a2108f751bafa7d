package refusal

import (
	"slices"
	"strings"
)

// A Reason is a reason for refusing a request: a row of the table below, or of the table of a noun or another package. It has the kind of
// the refusal, a code for programs, and the message of the interface, to the letter. Rows for different operations with the same meaning
// share a code. Reasons are compared by address and never change.
type Reason struct {
	kind     Kind
	code     string
	sentence string
	names    []string
}

// declared collects the reasons of all packages. It is filled during the initialization of package variables and only read afterwards.
var declared []*Reason

// NewReason declares a reason. Call it only to initialize package variables. In the sentence, {field} is replaced by the field of the
// refusal, and every other name in braces by an argument.
func NewReason(kind Kind, code, sentence string) *Reason {
	reason := &Reason{kind: kind, code: code, sentence: sentence}
	for rest := sentence; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		var name string
		if name, rest, _ = strings.Cut(after, "}"); name != fieldPlace {
			reason.names = append(reason.names, name)
		}
	}
	declared = append(declared, reason)
	return reason
}

// fieldPlace is the name of the field in sentences.
const fieldPlace = "field"

// Reasons returns the reasons of all packages of the program.
func Reasons() []*Reason { return slices.Clone(declared) }

// Kind returns the kind of the refusal.
func (r *Reason) Kind() Kind { return r.kind }

// Code returns the short name that programs compare.
func (r *Reason) Code() string { return r.code }

// Sentence returns the message of the interface, with the names of the arguments in braces.
func (r *Reason) Sentence() string { return r.sentence }

// Arguments returns the names of the arguments in the order that Refuse takes them.
func (r *Reason) Arguments() []string { return slices.Clone(r.names) }

// The reasons that several nouns share.
var (
	// Errors in a field.
	Required      = NewReason(Invalid, "required", "{field} is required")
	NoScrapReason = NewReason(Invalid, "required", "Scrap reason is required")
	NoExplanation = NewReason(Invalid, "required", `Explanation is required when scrap reason is "other"`)
	ListEmpty     = NewReason(Invalid, "empty_list", "{field} must have at least one item")
	ListTooLong   = NewReason(Invalid, "too_many_items", "{field} must have at most {limit} items")
	NameEmpty     = NewReason(Invalid, "empty", "{field} cannot be empty")
	TooLong       = NewReason(Invalid, "too_long", "{field} is too long")
	TooDeep       = NewReason(Invalid, "too_deep", "{field} is nested too deeply")
	NotText       = NewReason(Invalid, "must_be_string", "{field} must be a string")
	NotNumber     = NewReason(Invalid, "must_be_number", "{field} must be a number")
	NotDigits     = NewReason(Invalid, "must_be_digits",
		"{field} must be a whole number in digits only, such as 1000: without spaces, points, commas, exponents, or zeros in front")
	NotFlag           = NewReason(Invalid, "must_be_boolean", "{field} must be a boolean")
	NotList           = NewReason(Invalid, "must_be_array", "{field} must be an array")
	NotObject         = NewReason(Invalid, "must_be_object", "{field} must be an object")
	NotInteger        = NewReason(Invalid, "must_be_integer", "{field} must be an integer")
	NotAboveZero      = NewReason(Invalid, "must_be_above_zero", "{field} must be greater than 0")
	NumberTooLarge    = NewReason(Invalid, "too_large", "{field} must be at most {limit}")
	NumbersBeyond     = NewReason(Invalid, "number_out_of_range", "{field} must not contain numbers beyond the range of a double")
	NotAmong          = NewReason(Invalid, "must_be_one_of", "{field} must be one of: {words}")
	NotUTF8           = NewReason(Invalid, "must_be_utf8", "{field} must be valid UTF-8")
	WithControl       = NewReason(Invalid, "must_not_contain_control_characters", "{field} must not contain control characters")
	WithNUL           = NewReason(Invalid, "must_not_contain_nul", "{field} must not contain NUL characters")
	NotSerialID       = NewReason(Invalid, "must_be_serial_id", "{field} must be the id of a serial")
	NotEntryID        = NewReason(Invalid, "must_be_audit_entry_id", "{field} must be the id of an audit entry")
	NotCursor         = NewReason(Invalid, "must_be_cursor", "{field} must be what a page of this list led to")
	NotRecordID       = NewReason(Invalid, "must_be_id", "{field} must be the id of a record that the list shows")
	ActionUnknown     = NewReason(Invalid, "unknown_action", "{field} must be an action of the audit trail: {action}")
	NotSHA256         = NewReason(Invalid, "must_be_sha256", "{field} must be a SHA-256 in lower-case hexadecimal digits")
	RangeBackwards    = NewReason(Invalid, "range_backwards", "{field} must not end before it begins")
	SelectionUnclear  = NewReason(Invalid, "exactly_one_selection", "Exactly one of serialIds, ranges, where is required")
	SelectionOrRecall = NewReason(Invalid, "exactly_one_selection_or_recall", "Exactly one of serialIds, ranges, where, recall is required")
	SelectionTooLarge = NewReason(Invalid, "too_many_serials", "At most {limit} serials at once")
	NothingToUpdate   = NewReason(Invalid, "nothing_to_update", "No valid fields to update")
	TextUnstorable    = NewReason(Invalid, "text_unstorable", "Text must be valid UTF-8 without NUL characters")

	// Records that do not exist, or are not where the request looks for them.
	NoRecord = NewReason(NotFound, "not_found", "{record} not found: {id}")

	// The state of a serial.
	ForceCompleteScrapped = NewReason(Invalid, "serial_scrapped", "Cannot force-complete a scrapped serial")
	ScrapScrapped         = NewReason(Invalid, "serial_scrapped", "Serial is already scrapped")
	SerialCompleted       = NewReason(Invalid, "serial_completed", "Serial is already completed")
	ScrapCompleted        = NewReason(Invalid, "serial_completed", "Cannot scrap a completed serial")
	NothingOpen           = NewReason(Invalid, "no_open_steps", "Serial has no incomplete required steps — use normal completion")
	StandsElsewhere       = NewReason(Conflict, "stands_elsewhere", "{serialId} stands at step index {stepIndex}, expected {expected}")

	// Selections of serials.
	SelectionCount = NewReason(Invalid, "selection_count", "The selection has {count} serials, expected {expected}")
	SelectionLeft  = NewReason(Conflict, "left_selection", "{serialId} is no longer in the selection")
	BatchCutOff    = NewReason(Uncertain, "batch_cut_off", "The batch was cut off: {done} of {selected} serials had their turn.")

	// Jobs, paths, steps and pick-lists.
	RecordChanged = NewReason(Changed, "changed_since_read", "{record} was changed since it was read: {id}")
	MatchOfMany   = NewReason(Invalid, "if_match_of_many", "If-Match is for a change of one record")

	// Permissions and signatures.
	NotPermitted = NewReason(Forbidden, "permission_needed", "This needs the permission {permission}")
	NobodysLogin = NewReason(Invalid, "nobodys_login", "{field} is nobody's login: {value}")
	ConfirmFirst = NewReason(Forbidden, "confirm_first", "Confirm that it is you")
	LastAdmin    = NewReason(Invalid, "last_admin", "Somebody has to keep the role admin")
	ActsForOther = NewReason(Forbidden, "may_not_act_for_others", "{field} must be {login}: you may not act for others")

	// Idempotency keys.
	KeyOfOther    = NewReason(KeyReused, "idempotency_key_reused", "Idempotency-Key was already used for another request")
	KeyIsRunning  = NewReason(Running, "idempotency_key_running", "A request with this Idempotency-Key is still running")
	RefusedBefore = NewReason(Invalid, "refused_before", "{message}") // by a release that stored only the message

	// The service and its database. Most sentences say whether something may have been changed, and what the caller should do.
	ServiceBusy         = NewReason(Unavailable, "service_busy", "The service is busy")
	WrongClock          = NewReason(Unavailable, "wrong_clock", "The clock of this machine is wrong")
	DatabaseUnreachable = NewReason(Unavailable, "database_unreachable", "The database cannot be reached just now. Nothing was changed; try again later.")
	DatabaseBusy        = NewReason(Unavailable, "database_busy", "The database is busy with other changes to the same records. Nothing was changed; try again.")
	DatabaseLocked      = NewReason(Unavailable, "database_locked", "The database is locked by another program just now. Nothing was changed; try again later.")
	DatabaseSlow        = NewReason(Unavailable, "database_slow", "The database took too long. Nothing was changed; try again later.")
	DatabaseFull        = NewReason(Unavailable, "database_full", "There is no space left for the database. Nothing was changed; try again later.")
	DatabaseUnwritable  = NewReason(Unavailable, "database_unwritable", "The database cannot be read or written just now. Nothing was changed; try again later.")
	ProgramTooOld       = NewReason(Unavailable, "program_too_old", "A newer version of Routecard has brought the database up to date, and this one is too old to write to it. Nothing was changed; the program has to be replaced.")
	DatabaseReplaced    = NewReason(Unavailable, "database_replaced", "The database file was replaced")
	CommitUnsynced      = NewReason(Uncertain, "commit_unknown", "The disk failed during the commit. The change may or may not have been made: look before you try again.")
	CommitUnknown       = NewReason(Uncertain, "commit_unknown", "The connection to the database was lost during the commit. The change may or may not have been made: look before you try again.")
)

// Errors in the readings and numbers of a request.
var (
	NotDecimal = NewReason(Invalid, "must_be_decimal", "{field} must be a decimal number of at most 18 digits")
	NotWritten = NewReason(Invalid, "must_be_string_or_number", "{field} must be a string or a number")
)
