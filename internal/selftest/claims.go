package selftest

// Claim is a claim of the program about its behavior, with its test.
type Claim struct {
	Name, Says string // as in docs/validation.md

	stopped bool // whether the claim concerns the state after the service stopped
	try     func(*trial)
}

// Claims returns the table of claims, in the order in which they are tested. Claims that need a stopped service come last.
func Claims() []Claim {
	return []Claim{
		{"path", "A unit goes through the steps of its path in their order, and no further when it is completed or scrapped.", false, path},
		{
			"gate", "No unit gets past a gate or a physical step that was neither done nor overridden for it, by " +
				"a person with the permission and for a reason.",
			false, gate,
		},
		{
			"passed-over", "Steps that a unit passes over are recorded as skipped or deferred, and a deferred step stays open " +
				"until a person completes it.",
			false, passedOver,
		},
		{"measured", "A unit leaves a step only when its required readings are recorded and within limits.", false, measured},
		{"instrument", "Readings with an instrument that is due for calibration, or failed it, are refused.", false, instrument},
		{"hold", "A unit on hold does not move until a person with the permission releases it, with a reason.", false, hold},
		{
			"nonconformance", "A report is closed only when each unit has a disposition, and each disposition is " +
				"carried out as it is recorded.",
			false, nonconformance,
		},
		{"undone", "An undone change stays in the trail, with who undid it and why.", false, undone},
		{
			"voided", "A certificate that was attached by mistake can be voided. It stays on record, with who voided it and why.",
			false, voided,
		},
		{"moved-meanwhile", "A change that is based on an earlier state of the unit is refused.", false, movedMeanwhile},
		{"repeated", "A request that is sent twice with the same key takes effect once.", false, repeated},
		{"own-number", "No two units of a part have the same number.", false, ownNumber},
		{"identity", "Without a valid sign-in, no record can be read or changed.", false, identity},
		{"roles", "Each role can do what it is permitted to do, and nothing else.", false, roles},
		{"names", "No user can act under the name of another.", false, names},
		{
			"given-secret", "A password or PIN that an administrator set must be changed before the user can do anything else.",
			false, givenSecret,
		},
		{"lock", "Five wrong secrets lock an account, and the trail records it.", false, locked},
		{
			"signature", "A decision that has to be signed is refused without a signature of exactly that decision, and shows " +
				"name, time and meaning.",
			false, signature,
		},
		{
			"trail", "Each change is one entry of the trail with who, what and when, and the entries are numbered without a gap.",
			false, trail,
		},
		{"copies", "The whole trail is exported, for people and for programs, entry by entry.", false, copies},
		{"kept", "Every confirmed change is there after the service is killed.", false, kept},
		{"restored", "A backup restores every entry, and the restored trail can be proved like the original.", true, restored},
		{"unchangeable", "The database refuses to change or remove an entry of the trail.", true, unchangeable},
		{"record-edit", "An edit of a unit in the database, without the service, is found.", true, recordEdit},
		{"trail-edit", "An edit of the trail in the database, without the service, is found.", true, trailEdit},
	}
}
