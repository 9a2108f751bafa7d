package faulttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// reachTries is the number of times that an operation without a success is called again, after the operations that it needs.
const reachTries = 40

// leads maps an operation to the operations that must come before it, in their order. All of them use the same serial, the same operator,
// or the record that the previous operation made.
var leads = map[string][]string{
	"addToNonconformance":        {"batchCreateSerials", "openNonconformance"},
	"advanceToStep":              {"createPath", "batchCreateSerials"},
	"changePassword":             {"createUser", "changeAccount"},
	"changePin":                  {"createUser", "changeAccount"},
	"closeNonconformance":        {"batchCreateSerials", "openNonconformance", "disposeNonconformance"},
	"createToken":                {"createUser", "changeAccount"},
	"deleteLocation":             {"createLocation"},
	"deleteOverride":             {"createPath", "batchCreateSerials", "createOverrides"},
	"deletePath":                 {"createPath"},
	"deleteProcess":              {"createProcess"},
	"deleteTemplate":             {"createTemplate"},
	"disposeNonconformance":      {"batchCreateSerials", "openNonconformance"},
	"forceCompleteSerial":        {"batchCreateSerials"},
	"getLedgerProof":             {"listAuditEntries"},
	"getNonconformance":          {"batchCreateSerials", "openNonconformance"},
	"listTokens":                 {"createUser", "changeAccount"},
	"newBadge":                   {"createUser", "changeAccount"},
	"pushTrackerComment":         {"linkTrackerTicket"},
	"releaseSerial":              {"batchCreateSerials", "holdSerial"},
	"revokeToken":                {"createUser", "changeAccount", "createToken"},
	"undo":                       {"batchCreateSerials", "advanceSerial", "listAuditEntriesBySerial"},
	"voidCertAttachment":         {"attachCertificate"},
	"voidNote":                   {"createNote"},
	"updateSerial":               {"batchCreateSerials"},
	"updateCertificate":          {"createCertificate"},
	"getTemplate":                {"createTemplate"},
	"batchAttachCertificate":     {"createCertificate", "batchCreateSerials"},
	"attachCertificate":          {"createCertificate", "batchCreateSerials"},
	"createOverrides":            {"createPath", "batchCreateSerials"},
	"listBomVersions":            {"createBom"},
	"editBom":                    {"createBom"},
	"advanceSerial":              {"batchCreateSerials"},
	"scrapSerial":                {"batchCreateSerials"},
	"holdSerial":                 {"batchCreateSerials"},
	"batchScrap":                 {"batchCreateSerials"},
	"batchAdvance":               {"batchCreateSerials"},
	"batchAdvanceTo":             {"createPath", "batchCreateSerials"},
	"batchForceComplete":         {"batchCreateSerials"},
	"batchHold":                  {"batchCreateSerials"},
	"batchBom":                   {"batchCreateSerials", "createBom"},
	"batchRelease":               {"batchCreateSerials", "batchHold"},
	"listAuditEntriesByJob":      {"createJob"},
	"getCertAttachments":         {"attachCertificate"},
	"updateTemplate":             {"createTemplate"},
	"applyTemplate":              {"createJob", "createTemplate"},
	"configureStep":              {"createPath"},
	"assignStep":                 {"createUser", "createPath"},
	"updatePath":                 {"createPath"},
	"updateAdvancementMode":      {"createPath"},
	"replaceSteps":               {"createPath"},
	"getSignaturesOfSerial":      {"batchCreateSerials"},
	"listHoldsOfSerial":          {"batchCreateSerials"},
	"getStepStatuses":            {"batchCreateSerials"},
	"getSerialBom":               {"batchCreateSerials"},
	"getStepQueue":               {"createPath"},
	"listNotesByStep":            {"createPath"},
	"listCertificateAttachments": {"createCertificate"},
	"attachFileToCert":           {"uploadFile", "createCertificate"},
	"attachFileToInstrument":     {"uploadFile", "createInstrument"},
	"attachFileToJob":            {"uploadFile", "createJob"},
	"attachFileToNonconformance": {"uploadFile", "batchCreateSerials", "openNonconformance"},
	"attachFileToSerial":         {"uploadFile", "batchCreateSerials"},
	"attachFileToStep":           {"uploadFile", "createPath"},
	"batchAttachFile":            {"uploadFile", "batchCreateSerials"},
	"getFile":                    {"uploadFile"},
	"attachFileToLot":            {"uploadFile", "createLot"},
	"attachCertificateToLot":     {"createCertificate", "createLot"},
	"receiveLot":                 {"createLot"},
	"adjustLot":                  {"createLot"},
	"splitLot":                   {"createLot"},
	"setLotExpiry":               {"createLot"},
	"holdLot":                    {"createLot"},
	"listFilesOfLot":             {"createLot"},
	"releaseLot":                 {"createLot", "holdLot"},
	"listHoldsOfLot":             {"createLot"},
	"listUsesOfLot":              {"createLot"},
	"listUsesOfSerial":           {"batchCreateSerials"},
	"getAsBuilt":                 {"batchCreateSerials"},
	"voidLot":                    {"createLot"},
	"calibrateInstrument":        {"createInstrument"},
	"getUnitsInDoubt":            {"createInstrument"},
	"listReadingsOfInstrument":   {"createInstrument"},
	"getCharacteristics":         {"createPath"},
	"setCharacteristics":         {"createPath"},
	"getRequirements":            {"createPath"},
	"setRequirements":            {"createPath"},
	"setPathBom":                 {"createPath", "createBom"},
	"getChart":                   {"createPath", "setCharacteristics"},
	"listBaselines":              {"createPath", "setCharacteristics"},
	"listMeasurementsOfSerial":   {"batchCreateSerials"},
	"recordMeasurements":         {"createPath", "setCharacteristics", "batchCreateSerials", "advanceSerial", "advanceSerial"},
	"voidMeasurement":            {"createPath", "setCharacteristics", "batchCreateSerials", "advanceSerial", "advanceSerial", "recordMeasurements"},
	"setSerialNumber":            {"batchCreateSerials"},
	"voidFileLink":               {"uploadFile", "createJob", "attachFileToJob"},
}

// beyond returns the reason why an operation cannot succeed in this service; "" if it can.
func (f *fuzzer) beyond(o *operation) string {
	switch {
	case o.OperationID == "getCosignedCheckpoint":
		return "nobody cosigns here"
	case strings.Contains(o.OperationID, "Backup") && strings.Contains(f.service.database, "://"):
		return "backups are of files"
	case f.bearer != "" && slices.Contains([]string{"setUp", "signIn", "signOut", "sign"}, o.OperationID):
		return "it takes a secret that nobody draws often, or was done at the beginning"
	case f.bearer == "" && (slices.Contains(o.Tags, "Access") || slices.Contains([]string{"getSignaturePolicy", "setSignaturePolicy", "sign", "beginPasskeySignature"}, o.OperationID)):
		return "nobody signs in here"
	}
	return ""
}

// reach calls every operation that never succeeded until it succeeds, with valid input and after the operations that it needs. In open mode
// each operation must succeed. With sign-in, operations that did not succeed are logged.
func (f *fuzzer) reach() {
	f.Helper()
	f.sound = true
	defer func() { f.sound = false }()
	byName := map[string]*operation{}
	for _, o := range f.operations {
		byName[o.OperationID] = o
	}
	for try := range reachTries {
		all := true
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			o := byName[name]
			if f.succeeded(name) || f.beyond(o) != "" {
				continue
			}
			all = false
			f.about = nil
			for _, lead := range leads[name] {
				f.callTo(byName[lead])
				f.about = f.newestOf("SN-", "user_", "NCR-", "note_", "tmpl_", "catt_", "flnk_", "inst_",
					"path_", "step_", "char_", "meas_", "lot_")
			}
			if (name == "completeDeferredStep" || name == "waiveStep") && len(f.known.open) == 0 {
				f.jump(byName)
			}
			if name == "reworkSerial" {
				f.sendBack(byName)
			}
			if name == "createOverrides" || name == "deleteOverride" {
				f.override(byName)
			}
			if name == "closeJob" || name == "reopenJob" {
				f.reopen(byName)
			}
			if strings.Contains(name, "Recall") {
				f.recall(byName)
			}
			if strings.HasSuffix(name, "Lot") {
				f.stock(byName)
			}
			if strings.Contains(name, "Shipment") || strings.Contains(name, "Receipt") {
				f.ship(byName)
			}
			if strings.Contains(name, "Conformance") {
				f.certify(byName)
			}
			if strings.Contains(name, "FirstArticle") || name == "recordCustomerApproval" {
				f.inspect(byName)
			}
			if slices.Contains([]string{"installComponent", "batchInstallComponents", "removeComponent"}, name) {
				f.install(byName)
			}
			if name == "testNotices" {
				f.notify(byName)
			}
			if name == "freezeLimits" || name == "getChart" {
				f.chart(byName)
			}
			f.callTo(o)
			if f.Failed() {
				return
			}
			if open := f.known.open; !f.succeeded(name) && strings.HasSuffix(o.path, "/{stepId}") && len(open) > 0 {
				f.known.open = open[:len(open)-1] // the step is resolved, or cannot be resolved
			}
		}
		if all {
			f.Logf("every operation has succeeded after %d more rounds", try)
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if !f.succeeded(name) && f.beyond(byName[name]) == "" {
			said := fmt.Sprintf("seed %d: %s never succeeded: %v", f.seed, name, f.outcomes[name])
			if f.bearer != "" { // an earlier random call may have set a policy that demands signatures, which the calls here do not have
				f.Log(said)
				continue
			}
			f.Error(said)
		}
	}
}

// jump advances a unit past two steps, so that later calls can complete and waive deferred steps. Random calls may never do this, because
// few of the paths that they create have enough steps and allow it.
func (f *fuzzer) jump(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var user struct{ ID string }
	var on onPath
	_ = post("createUser", "/api/users", `{"name":"Passes by"}`, &user) && f.started(byName, "Passed", 4, 1, &on) &&
		post("advanceToStep", "/api/serials/"+on.units[0].ID+"/advance-to", `{"targetStepIndex":3,"userId":"`+user.ID+`"}`, new(any))
}

// sendBack sends a unit back for rework. Random calls seldom have a unit that was advanced, is not on hold, and can go back.
func (f *fuzzer) sendBack(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var on onPath
	_ = f.started(byName, "Back", 2, 1, &on) &&
		post("advanceSerial", "/api/serials/"+on.units[0].ID+"/advance", `{"userId":"a"}`, new(any)) &&
		post("reworkSerial", "/api/serials/"+on.units[0].ID+"/rework", `{"targetStepIndex":0,"reason":"r","userId":"a"}`, new(any))
}

// override makes a step optional for a unit, and required again. Random calls seldom have the identifiers of a unit and of a step of its path.
func (f *fuzzer) override(byName map[string]*operation) {
	f.Helper()
	var on onPath
	if !f.started(byName, "Overridden", 2, 1, &on) {
		return
	}
	unit, step := on.units[0].ID, on.steps[1].ID
	target := "/api/serials/" + unit + "/overrides"
	_ = f.does(byName["createOverrides"], http.MethodPost, target,
		`{"serialIds":["`+unit+`"],"stepId":"`+step+`","reason":"r","userId":"a"}`, new(any)) &&
		f.does(byName["deleteOverride"], http.MethodDelete, target+"/"+step, `{"userId":"a"}`, new(any))
}

// chart requests a chart and freezes its limits. Random calls seldom measure a number twice and then give a time range with both readings,
// and some runs never make a characteristic with numbers.
func (f *fuzzer) chart(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var on onPath
	var set struct{ Characteristics []struct{ ID string } }
	_ = f.started(byName, "Measured", 1, 2, &on) &&
		f.does(byName["setCharacteristics"], http.MethodPut, "/api/steps/"+on.steps[0].ID+"/characteristics",
			`{"characteristics":[{"number":"1","name":"Bore","type":"number"}],"userId":"a"}`, &set) &&
		post("recordMeasurements", "/api/serials/"+on.units[0].ID+"/measurements", `{"values":[{"characteristic":"1","value":"1"}],"userId":"a"}`, new(any)) &&
		post("recordMeasurements", "/api/serials/"+on.units[1].ID+"/measurements", `{"values":[{"characteristic":"1","value":"2"}],"userId":"a"}`, new(any)) &&
		post("freezeLimits", "/api/characteristics/"+set.Characteristics[0].ID+"/baseline",
			`{"from":"2000-01-01T00:00:00Z","to":"2999-01-01T00:00:00Z","reason":"study","userId":"a"}`, new(any)) &&
		f.does(byName["getChart"], http.MethodGet, "/api/characteristics/"+set.Characteristics[0].ID+"/chart", "", new(any))
}

// notify tests a notice that has an address. Random texts are no mail addresses. No mail server is needed: its absence is the result of the test.
func (f *fuzzer) notify(byName map[string]*operation) {
	f.Helper()
	_ = f.does(byName["setNotices"], http.MethodPut, "/api/settings/notices",
		`{"rows":[{"kind":"backup_failed","mail":["it@shop.example"]}],"changedBy":"a"}`, new(any)) &&
		f.does(byName["testNotices"], http.MethodPost, "/api/settings/notices/test", `{"kind":"backup_failed"}`, new(any))
}

// reopen closes a new job and reopens it. Random calls seldom close a job, because most jobs have units in progress.
func (f *fuzzer) reopen(byName map[string]*operation) {
	f.Helper()
	var job struct{ ID string }
	if f.does(byName["createJob"], http.MethodPost, "/api/jobs", `{"name":"Canceled","goalQuantity":1}`, &job) &&
		f.does(byName["closeJob"], http.MethodPost, "/api/jobs/"+job.ID+"/close", `{"reason":"canceled","userId":"a"}`, new(any)) {
		f.does(byName["reopenJob"], http.MethodPost, "/api/jobs/"+job.ID+"/reopen", `{"reason":"ordered again","userId":"a"}`, new(any))
	}
}

// recall requests a recall of a heat in every form. Random calls seldom have exactly one cause.
func (f *fuzzer) recall(byName map[string]*operation) {
	f.Helper()
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if o := byName[name]; strings.Contains(name, "Recall") {
			s := &sent{operation: o, method: http.MethodGet, target: o.path + "?heatNumber=4711"}
			answer, err := f.send(s)
			if err != nil {
				f.defect(s, answer, "no answer: "+err.Error())
				return
			}
			f.judge(s, answer)
		}
	}
}

// stock receives a lot with a quantity and calls the operations that need a quantity, or a lot on hold. Random lots seldom have a quantity.
func (f *fuzzer) stock(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var lot struct{ ID string }
	if !post("createLot", "/api/lots", `{"material":"Steel","quantity":"10","unit":"kg","userId":"a"}`, &lot) {
		return
	}
	if !f.does(byName["updateLot"], http.MethodPut, "/api/lots/"+lot.ID, `{"heatNumber":"88214","reason":"typed wrong","userId":"a"}`, new(any)) {
		return
	}
	for _, one := range [][2]string{
		{"receive", `{"quantity":"5","userId":"a"}`}, {"adjust", `{"remaining":"9","reason":"count","userId":"a"}`},
		{"split", `{"quantity":"1","userId":"a"}`},
	} {
		if !post(one[0]+"Lot", "/api/lots/"+lot.ID+"/"+one[0], one[1], new(any)) {
			return
		}
	}
	var hold struct{ ID string }
	recall := `{"recall":{"lotId":"` + lot.ID + `"},"expectedCount":0,"lots":true,"reason":"crack","userId":"a"}`
	_ = post("batchHold", "/api/serials/batch-hold", recall, new(any)) &&
		post("holdLot", "/api/lots/"+lot.ID+"/hold", `{"reason":"crack","userId":"a"}`, &hold) &&
		post("releaseLot", "/api/lots/"+lot.ID+"/release", `{"holdId":"`+hold.ID+`","reason":"none","userId":"a"}`, new(any))
}

// install installs material of a lot in a unit, by itself and in a batch, and removes it again. Random calls seldom have exactly one of a
// unit and a lot.
func (f *fuzzer) install(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var lot, component struct{ ID string }
	var on onPath
	_ = post("createLot", "/api/lots", `{"material":"Steel","userId":"a"}`, &lot) && f.started(byName, "Assembled", 1, 1, &on) &&
		post("installComponent", "/api/serials/"+on.units[0].ID+"/components", `{"lotId":"`+lot.ID+`","userId":"a"}`, &component) &&
		post("batchInstallComponents", "/api/serials/batch-components",
			`{"serialIds":["`+on.units[0].ID+`"],"lotId":"`+lot.ID+`","userId":"a"}`, new(any)) &&
		post("removeComponent", "/api/serials/"+on.units[0].ID+"/components/"+component.ID+"/remove", `{"reason":"wrong","userId":"a"}`, new(any))
}

// ship sends a unit to a supplier and receives it: drawn calls seldom have a unit at a step with outside work.
func (f *fuzzer) ship(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var certificate, shipment, receipt struct{ ID string }
	var on onPath
	if !post("createCertificate", "/api/certs", `{"type":"process","name":"Plated"}`, &certificate) ||
		!f.started(byName, "Plated", 1, 1, &on) ||
		!f.does(byName["setRequirements"], http.MethodPut, "/api/steps/"+on.steps[0].ID+"/requirements",
			`{"outside":{"process":"Plate"},"userId":"a"}`, new(any)) ||
		!post("createShipment", "/api/shipments", `{"supplier":"S","serialIds":["`+on.units[0].ID+`"],"userId":"a"}`, &shipment) {
		return
	}
	at := "/api/shipments/" + shipment.ID
	_ = f.does(byName["getShipment"], http.MethodGet, at, "", new(any)) &&
		f.does(byName["listLinesOfShipment"], http.MethodGet, at+"/lines", "", new(any)) &&
		post("receiveShipment", at+"/receive", `{"received":{"serialIds":["`+on.units[0].ID+`"]},"userId":"a"}`, &receipt) &&
		post("attachCertificateToReceipt", at+"/receipts/"+receipt.ID+"/certs", `{"certId":"`+certificate.ID+`","userId":"a"}`, new(any)) &&
		post("voidReceipt", at+"/receipts/"+receipt.ID+"/void", `{"reason":"wrong","userId":"a"}`, new(any))
}

// certify issues a certificate of conformance, a new revision of it, and withdraws it: drawn calls seldom have units without a certificate.
func (f *fuzzer) certify(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var certificate struct{ ID string }
	var on onPath
	if !f.started(byName, "Certified", 1, 1, &on) ||
		!post("advanceSerial", "/api/serials/"+on.units[0].ID+"/advance", `{"userId":"a"}`, new(any)) {
		return
	}
	body := `{"serialIds":["` + on.units[0].ID + `"],"customer":"C","orderNumber":"O","reason":"r","userId":"a"}`
	if !post("issueConformance", "/api/conformances", strings.Replace(body, `"reason":"r",`, "", 1), &certificate) {
		return
	}
	at := "/api/conformances/" + certificate.ID
	_ = f.does(byName["getConformance"], http.MethodGet, at, "", new(any)) &&
		f.does(byName["listUnitsOfConformance"], http.MethodGet, at+"/units", "", new(any)) &&
		post("reissueConformance", at+"/reissue", body, new(any)) &&
		post("withdrawConformance", at+"/withdraw", `{"reason":"r","userId":"a"}`, new(any))
}

// inspect fills, verifies, reopens and approves a first article, and voids another: drawn calls seldom type all missing fields.
func (f *fuzzer) inspect(byName map[string]*operation) {
	f.Helper()
	post := func(name, target, body string, made any) bool {
		return f.does(byName[name], http.MethodPost, target, body, made)
	}
	var on onPath
	if !f.started(byName, "Inspected", 1, 1, &on) ||
		!f.does(byName["setCharacteristics"], http.MethodPut, "/api/steps/"+on.steps[0].ID+"/characteristics",
			`{"characteristics":[{"number":"1","name":"Bore","type":"number","upper":"9"}],"userId":"a"}`, new(any)) ||
		!post("recordMeasurements", "/api/serials/"+on.units[0].ID+"/measurements",
			`{"values":[{"characteristic":"1","value":"8"}],"userId":"a"}`, new(any)) {
		return
	}
	var article, other struct {
		ID      string
		Missing []struct{ Form, Row, Field int }
	}
	body := `{"serialIds":["` + on.units[0].ID + `"],"kind":"full","reason":"r","userId":"a"}`
	if !post("createFirstArticle", "/api/paths/"+on.path+"/first-articles", body, &article) ||
		!post("createFirstArticle", "/api/paths/"+on.path+"/first-articles", body, &other) {
		return
	}
	typed := map[string]string{}
	for _, m := range article.Missing {
		name := fmt.Sprintf("%d.%d", m.Form, m.Field)
		if m.Row != 0 {
			name = fmt.Sprintf("%d.%d.%d", m.Form, m.Row, m.Field)
		}
		typed[name] = "x"
	}
	fields, _ := json.Marshal(map[string]any{"fields": typed, "userId": "a"})
	at := "/api/first-articles/" + article.ID
	f.does(byName["getFirstArticleDossier"], http.MethodGet, at+"/dossier.zip", "", new(any)) // no JSON
	f.does(byName["getFirstArticleWorkbook"], http.MethodGet, at+".xlsx", "", new(any))
	_ = f.does(byName["updateFirstArticle"], http.MethodPut, at, string(fields), new(any)) &&
		f.does(byName["getFirstArticle"], http.MethodGet, at, "", new(any)) &&
		f.does(byName["previewFirstArticleDossier"], http.MethodGet, at+"/dossier", "", new(any)) &&
		post("voidFirstArticle", "/api/first-articles/"+other.ID+"/void", `{"reason":"r","userId":"a"}`, new(any)) &&
		post("verifyFirstArticle", at+"/verify", `{"userId":"a"}`, new(any)) &&
		post("reopenFirstArticle", at+"/reopen", `{"reason":"r","userId":"a"}`, new(any)) &&
		post("verifyFirstArticle", at+"/verify", `{"userId":"a"}`, new(any)) &&
		post("approveFirstArticle", at+"/approve", `{"userId":"b"}`, new(any)) &&
		post("recordCustomerApproval", at+"/customer-approval", `{"name":"C","approvedOn":"2026-01-31","userId":"a"}`, new(any))
}

// onPath is a new path with its steps and new units at the first step.
type onPath struct {
	path         string
	steps, units []struct{ ID string }
}

// started creates a job, a path whose steps may be passed in any order, and units on the path.
func (f *fuzzer) started(byName map[string]*operation, name string, steps, units int, on *onPath) bool {
	f.Helper()
	post := func(operation, target string, made any, body map[string]any) bool {
		typed, err := json.Marshal(body)
		return err == nil && f.does(byName[operation], http.MethodPost, target, string(typed), made)
	}
	named := make([]map[string]string, steps)
	for i := range named {
		named[i] = map[string]string{"name": strconv.Itoa(i + 1)}
	}
	var job struct{ ID string }
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	made := post("createJob", "/api/jobs", &job, map[string]any{"name": name, "goalQuantity": units}) &&
		post("createPath", "/api/paths", &path, map[string]any{
			"jobId": job.ID, "name": name, "goalQuantity": units, "advancementMode": "flexible", "steps": named,
		}) &&
		post("batchCreateSerials", "/api/serials", &on.units, map[string]any{
			"jobId": job.ID, "pathId": path.ID, "quantity": units, "userId": "a",
		})
	on.path, on.steps = path.ID, path.Steps
	return made
}

// does calls an operation that has to succeed in open mode, and reports whether it did.
func (f *fuzzer) does(o *operation, method, target, body string, made any) bool {
	f.Helper()
	s := &sent{operation: o, method: method, target: target, body: body}
	answer, err := f.send(s)
	if err != nil {
		f.defect(s, answer, "no answer: "+err.Error())
		return false
	}
	f.judge(s, answer)
	if f.bearer == "" && answer.status >= http.StatusMultipleChoices {
		f.defect(s, answer, "it should succeed")
	}
	return answer.status < http.StatusMultipleChoices && json.Unmarshal([]byte(answer.body), made) == nil
}

// succeeded reports whether an operation was carried out at least once.
func (f *fuzzer) succeeded(name string) bool {
	for status, count := range f.outcomes[name] {
		if count > 0 && status < http.StatusMultipleChoices {
			return true
		}
	}
	return false
}

// newestOf returns the newest identifiers of each kind.
func (f *fuzzer) newestOf(kinds ...string) (ids []string) {
	for _, kind := range kinds {
		if all := f.known.kinds[kind]; len(all) > 0 {
			ids = append(ids, all[len(all)-1])
		}
	}
	return ids
}
