package scancode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

const (
	gs  = "\x1d"
	rs  = "\x1e"
	eot = "\x04"

	jobID = "job_01K3ZQ4N8E5T6V7W8X9Y0Z1A2B"
)

// told returns a reading in a line, which most tests compare.
func told(r scancode.Reading) string {
	switch r.Kind {
	case scancode.Ours:
		return fmt.Sprintf("%s %s %s", r.Form, r.Record, r.ID)
	case scancode.Marked:
		m, text := r.Mark, string(r.Form)
		for _, field := range []struct{ name, value string }{
			{"gtin", m.GTIN}, {"part", m.PartNumber}, {"customer", m.CustomerPart}, {"rev", m.Revision}, {"sn", m.SerialNumber},
			{"second", m.Secondary}, {"lot", m.Lot}, {"by", m.Enterprise}, {"uii", m.UII},
		} {
			if field.value != "" {
				text += " " + field.name + "=" + field.value
			}
		}
		return text
	}
	return fmt.Sprintf("%s %s %s", r.Form, r.Kind, r.Text)
}

func allTold(code string) []string {
	lines := []string{}
	for _, r := range scancode.Parse(ident.DefaultPrefix, code) {
		lines = append(lines, told(r))
	}
	return lines
}

type row struct {
	code string
	want []string
}

func check(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, allTold(row.code)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", row.code, diff)
			}
		})
	}
}

func only(line string) []string { return []string{line} }

func TestOurs(t *testing.T) {
	t.Parallel()
	check(t, map[string]row{
		"a unit":                        {"SN-00417", only("plain serial SN-00417")},
		"small letters":                 {"sn-00417", only("plain serial SN-00417")},
		"blanks":                        {" SN-00417\t\r\n", only("plain serial SN-00417")},
		"a byte order mark":             {"\ufeffSN-00417", only("plain serial SN-00417")},
		"a byte order mark, misread":    {"ï»¿SN-00417", only("plain serial SN-00417")},
		"NUL, STX and ETX":              {"\x02SN-\x0000417\x03", only("plain serial SN-00417")},
		"Data Matrix":                   {"]d1SN-00417", only("plain serial SN-00417")},
		"QR code":                       {"]Q1SN-00417", only("plain serial SN-00417")},
		"Code 128":                      {"]C0SN-00417", only("plain serial SN-00417")},
		"Code 39":                       {"]A0SN-00417", only("plain serial SN-00417")},
		"GS1 that is none":              {"]C1SN-00417", only("plain serial SN-00417")},
		"separators at the ends":        {gs + "SN-00417" + gs, only("plain serial SN-00417")},
		"a number":                      {"417", []string{"short serial SN-00417", "plain text 417"}},
		"a number with zeros":           {"00417", []string{"short serial SN-00417", "plain text 00417"}},
		"without zeros":                 {"SN-417", []string{"short serial SN-00417", "plain text SN-417"}},
		"too many zeros":                {"sn-0000417", []string{"short serial SN-00417", "plain text sn-0000417"}},
		"more than five digits":         {"SN-1234567", only("plain serial SN-1234567")},
		"a report":                      {"ncr-00003", only("plain report NCR-00003")},
		"a report without zeros":        {"NCR-3", []string{"short report NCR-00003", "plain text NCR-3"}},
		"a job":                         {jobID, only("plain job " + jobID)},
		"a job in capitals":             {strings.ToUpper(jobID), only("plain job " + jobID)},
		"an entry":                      {"aud_0000000000000417", only("plain entry aud_0000000000000417")},
		"a job of another length":       {jobID + "X", only("plain text " + jobID + "X")},
		"a command":                     {"rc-done", only("plain command RC-DONE")},
		"a command with a prefix":       {"]C0RC-SCRAP-DAMAGED", only("plain command RC-SCRAP-DAMAGED")},
		"a badge":                       {"RC-ID-abcDEF123", only("plain badge RC-ID-abcDEF123")},
		"a badge with a prefix":         {"]Q1RC-ID-abcDEF123", only("plain badge RC-ID-abcDEF123")},
		"words behind a command":        {"RC-DONE it is", only("plain text RC-DONE it is")},
		"a page":                        {"https://shop.example/serials/SN-00417", only("address serial SN-00417")},
		"a page on a port, in capitals": {"HTTPS://10.0.0.7:8443/SERIALS/SN-00417", only("address serial SN-00417")},
		"a page in a folder":            {"http://a/routecard/serials/SN-00417/print?x=1#top", only("address serial SN-00417")},
		"a page without a host":         {"/serials/SN-00417", only("address serial SN-00417")},
		"a page without a scheme":       {"shop.example/serials/SN-00417", only("address serial SN-00417")},
		"escaped":                       {"http://a/serials/SN%2D00417", only("address serial SN-00417")},
		"the station's page":            {"https://a/scan?unit=SN-00417&at=1", only("address serial SN-00417")},
		"the interface":                 {"https://a/api/serials/SN-00417/advance", only("address serial SN-00417")},
		"a job's page":                  {"https://a/jobs/" + jobID, only("address job " + jobID)},
		"an instrument's page":          {"https://a/instruments?id=inst_01K3ZQ4N8E5T6V7W8X9Y0Z1A2B", only("address instrument inst_01K3ZQ4N8E5T6V7W8X9Y0Z1A2B")},
		"another record in its place":   {"https://a/jobs/SN-00417", only("address text https://a/jobs/SN-00417")},
		"a short one in an address":     {"https://a/serials/417", only("address text https://a/serials/417")},
		"another address":               {"https://example.com/manual", only("address text https://example.com/manual")},
		"another scheme":                {"ftp://a/serials/SN-00417", only("plain text ftp://a/serials/SN-00417")},
	})
}

func TestTexts(t *testing.T) {
	t.Parallel()
	check(t, map[string]row{
		"nothing":              {"", []string{}},
		"blanks":               {" \t", []string{}},
		"a symbol alone":       {"]C1", []string{}},
		"separators alone":     {gs + rs + eot, []string{}},
		"a serial number":      {"MH80312", only("plain text MH80312")},
		"a data identifier":    {"S786950", only("plain text S786950")}, // cannot be recognized outside a message of ISO/IEC 15434
		"a lot alone":          {"10ABC123", only("plain text 10ABC123")},
		"words":                {"crack at flange", only("plain text crack at flange")},
		"a bracket":            {"]", only("plain text ]")},
		"a slash":              {"crack/flange", only("plain text crack/flange")},
		"two codes in one":     {"SN-00011SN-00012", only("plain text SN-00011SN-00012")},
		"a minus":              {"-3", only("plain text -3")},
		"a plus":               {"+3", only("plain text +3")},
		"zero":                 {"0", only("plain text 0")},
		"more than any number": {"99999999999999999999", only("plain text 99999999999999999999")},
		"two lines":            {"SN-00011\nSN-00012", []string{}},
		"no UTF-8":             {"SN-\xff", []string{}},
		"a long text":          {strings.Repeat("x", 201), []string{}},
		"a very long one":      {strings.Repeat("SN-00417", 875), []string{}},
	})
}

// docs/api/identifiers.md, "Scanned codes": Codes as standards and manuals print them. GTINs that have a wrong check digit in their sources
// are left as they are, and are not read as GTINs.
func TestGS1(t *testing.T) {
	t.Parallel()
	const gtin = "gtin=09506000134352"
	check(t, map[string]row{
		// GS1 DataMatrix Guideline, the example of its introduction: GTIN, expiry date, lot.
		"DataMatrix Guideline":       {"]d2010950110153000317140704" + "10AB-123", only("elements gtin=09501101530003 lot=AB-123")},
		"the same, as printed":       {"(01)09501101530003(17)140704(10)AB-123", only("elements gtin=09501101530003 lot=AB-123")},
		"the same, without a symbol": {"010950110153000317140704" + "10AB-123", []string{"elements gtin=09501101530003 lot=AB-123", "plain text 01095011015300031714070410AB-123"}},
		// The syntax engine of GS1, its test of scan data.
		"GS1-128, two separated":    {"]C1011231231231233310ABC123" + gs + "99TESTING", only("elements gtin=12312312312333 lot=ABC123")},
		"GS1 QR Code":               {"]Q3011231231231233310ABC123" + gs + "99TESTING", only("elements gtin=12312312312333 lot=ABC123")},
		"GS1 DotCode":               {"]J1011231231231233310ABC123" + gs + "99TESTING", only("elements gtin=12312312312333 lot=ABC123")},
		"Composite":                 {"]e0011231231231233310ABC123" + gs + "99TESTING" + gs + "98COMPOSITE" + gs + "97XYZ", only("elements gtin=12312312312333 lot=ABC123")},
		"a separator at the end":    {"]d2011231231231233310ABC123" + gs + "99TESTING" + gs, only("elements gtin=12312312312333 lot=ABC123")},
		"an EAN-13":                 {"]E02112345678900", only("number gtin=02112345678900")},
		"an EAN-8":                  {"]E402345673", only("number gtin=00000002345673")},
		"a shipping container code": {"(00)006141411234567890", only("elements")},
		// MIL-STD-130N, figure 8, without its envelope.
		"figure 8":                 {"(8004)06141419999960MH80312(21)MH80312(95)0614141(240)99999", only("elements part=99999 sn=MH80312 uii=06141419999960MH80312")},
		"GS in front":              {gs + "0109506000134352" + "21ABC", []string{"elements " + gtin + " sn=ABC", "plain text 0109506000134352" + "21ABC"}},
		"names of separators":      {"]C10109506000134352" + "10L1<GS>21S1{GS}240P1␝250X", only("elements " + gtin + " part=P1 sn=S1 second=X lot=L1")},
		"other characters instead": {"]C10109506000134352" + "10L1|21S1~240P1", only("elements " + gtin + " part=P1 sn=S1 lot=L1")},
		"a blank instead":          {"0109506000134352" + "10L1 21S1", []string{"elements " + gtin + " sn=S1 lot=L1", "plain text 0109506000134352" + "10L1 21S1"}},
		"no GTIN":                  {"21S1" + gs + "240P1", only("elements part=P1 sn=S1")},
		"a customer's part":        {"(241)CP-7(21)8", only("elements customer=CP-7 sn=8")},
		"parentheses in a value":   {"(240)A(1)B(21)8", only("elements part=A(1)B sn=8")},
		"a weight is walked past":  {"]C13103000189" + "0109506000134352" + "10XYZ", []string{"elements " + gtin + " lot=XYZ"}},
		"separators lost":          {"]C10109506000134352" + "10L1" + "21S1", []string{"elements " + gtin + " lot=L121S1", "elements " + gtin + " sn=S1 lot=L1"}},
		"more than a lot can have": {"]C10109506000134352" + "10ABCDEFGHIJKLMNOPQRS" + "21S1", []string{
			"elements " + gtin + " sn=S1 lot=ABCDEFGHIJKLMNOPQRS"}},
		"a wrong check digit":             {"]d2010950600013435310ABC", only("plain text 010950600013435310ABC")},
		"a wrong check digit, printed":    {"(01)09506000134353(21)8", only("plain text (01)09506000134353(21)8")},
		"a wrong date":                    {"(01)09506000134352(17)141304", only("plain text (01)09506000134352(17)141304")},
		"an unknown identifier":           {"]d2" + "0509506000134352", []string{"short serial SN-509506000134352", "plain text 0509506000134352"}},
		"a bare EAN-13":                   {"4006381333931", []string{"short serial SN-4006381333931", "number gtin=04006381333931", "plain text 4006381333931"}},
		"an EAN-13 with a wrong digit":    {"]E04006381333932", []string{"short serial SN-4006381333932", "plain text 4006381333932"}},
		"our unit as serial number":       {"]C121SN-00417", []string{"elements serial SN-00417", "elements sn=SN-00417"}},
		"our unit in a company's own":     {"]d291SN-00417", []string{"elements serial SN-00417", "elements"}},
		"our unit's number as serial":     {"]C12100417", only("elements sn=00417")},
		"a unit of a part, not just ours": {"]C10109506000134352" + "21SN-00417", only("elements " + gtin + " sn=SN-00417")},
		"a lot that is called as ours":    {"]C110SN-00417", only("elements lot=SN-00417")},
		"two of our units":                {"(21)SN-00417(250)SN-00418", only("elements sn=SN-00417 second=SN-00418")},
	})
}

// Two codes that were scanned into one line name two units, so the line identifies no unit.
func TestTwoCodesInOne(t *testing.T) {
	t.Parallel()
	const one, two = "010950600013435221A2", "010950600013435221A3"
	for _, code := range []string{
		"]d2" + one + gs + two, "]d2" + one + gs + "010400638133393121A2", "(01)09506000134352(21)A2(01)09506000134352(21)A3",
		"https://id.gs1.org/01/09506000134352/21/A2?21=A3", "[)>" + rs + "06" + gs + "1PVB-210" + gs + "SA2" + gs + "SA3" + rs + eot,
	} {
		for _, read := range scancode.Parse(ident.DefaultPrefix, code) {
			if read.Kind == scancode.Marked {
				t.Errorf("%q is read as %s", code, told(read))
			}
		}
	}
	if got := allTold("]d2" + one + gs + one); len(got) != 1 || got[0] != "elements gtin=09506000134352 sn=A2" {
		t.Errorf("the same twice: %q", got)
	}
}

func TestDigitalLink(t *testing.T) {
	t.Parallel()
	const gtin = "gtin=09506000134352"
	check(t, map[string]row{
		// GS1 Digital Link Standard: URI Syntax 1.2, section 5: the GTIN 9506000134352 in its example addresses.
		"a GTIN":            {"https://id.gs1.org/01/09506000134352", only("link " + gtin)},
		"lot and serial":    {"https://id.gs1.org/01/09506000134352/10/ABC1/21/12345?17=180426", only("link " + gtin + " sn=12345 lot=ABC1")},
		"any host, a stem":  {"https://example.com/some/stem/01/9506000134352/21/12345", only("link " + gtin + " sn=12345")},
		"upper case":        {"HTTPS://ID.GS1.ORG/01/09506000134352/21/12345", only("link " + gtin + " sn=12345")},
		"words":             {"https://example.com/gtin/9506000134352/lot/A1/ser/12345", only("link " + gtin + " sn=12345 lot=A1")},
		"a part number":     {"https://example.com/01/09506000134352?240=P-7&250=X&linkType=all", only("link " + gtin + " part=P-7 second=X")},
		"escaped":           {"https://example.com/01/09506000134352/21/A%2FB", only("link " + gtin + " sn=A/B")},
		"an asset":          {"https://id.gs1.org/8004/9520614141234567", only("link uii=9520614141234567")},
		"in a QR code":      {"]Q1https://example.com/01/12312312312333?99=TEST", only("link gtin=12312312312333")}, // the syntax engine's tests
		"of a unit of ours": {"https://id.gs1.org/01/09506000134352/21/SN-00417", only("link " + gtin + " sn=SN-00417")},
		"a wrong GTIN":      {"https://id.gs1.org/01/09506000134353", only("address text https://id.gs1.org/01/09506000134353")},
		"half a pair":       {"https://id.gs1.org/01/09506000134352/21", only("address text https://id.gs1.org/01/09506000134352/21")},
	})
}

// docs/api/identifiers.md, "Scanned codes": the examples of MIL-STD-130 and of manuals, whole and as keyboards leave them.
func TestMessages(t *testing.T) {
	t.Parallel()
	whole := func(format string, elements ...string) string {
		return "[)>" + rs + format + gs + strings.Join(elements, gs) + rs + eot
	}
	construct2 := only("message part=1234 sn=786950 by=0CVA5 uii=D0CVA51234786950")
	check(t, map[string]row{
		// MIL-STD-130N, figure 8, as idautomation.com writes it out.
		"figure 8, format 05": {whole("05", "800406141419999960MH80312", "21MH80312", "950614141", "24099999"),
			only("message part=99999 sn=MH80312 uii=06141419999960MH80312")},
		// MIL-STD-130N, table A-II, with the values of the Guide to Uniquely Identifying Items: construct 1 and 2.
		"construct 1":                 {whole("06", "18S0CVA5674A36458"), only("message sn=674A36458 by=0CVA5 uii=D0CVA5674A36458")},
		"construct 1, complete":       {whole("06", "25SD0CVA5674A36458"), only("message sn=674A36458 by=0CVA5 uii=D0CVA5674A36458")},
		"construct 1, DUNS":           {whole("06", "25SUN194532636786950"), only("message sn=786950 by=194532636 uii=UN194532636786950")},
		"construct 2":                 {whole("06", "17V0CVA5", "1P1234", "S786950"), construct2},
		"construct 2, within a lot":   {whole("06", "17V0CVA5", "1TL7", "S786950"), only("message sn=786950 lot=L7 by=0CVA5 uii=D0CVA5L7786950")},
		"construct 2, DUNS":           {whole("06", "12V194532636", "1P1234", "S786950"), only("message part=1234 sn=786950 by=194532636 uii=UN1945326361234786950")},
		"construct 2, DoDAAC":         {whole("06", "7LW81K11", "1P1234", "S786950"), only("message part=1234 sn=786950 by=W81K11 uii=LDW81K111234786950")},
		"construct 2, GS1":            {whole("06", "3V0614141", "1P1234", "S786950"), only("message part=1234 sn=786950 by=0614141 uii=06141411234786950")},
		"construct 2, another agency": {whole("06", "18VLEABCD", "1P1234", "S786950"), only("message part=1234 sn=786950 by=LEABCD uii=LEABCD1234786950")},
		"other elements":              {whole("06", "17V0CVA5", "1P1234", "S786950", "30P1234-2", "2PB", "4LUS", "1SX7"), only("message part=1234 rev=B sn=786950 second=X7 by=0CVA5 uii=D0CVA51234786950")},
		"a customer's part":           {whole("06", "P77", "1P1234", "S1"), only("message part=1234 customer=77 sn=1")},
		// Brady, "Encoding the UII Data": construct 1 in format 12, and UII DA33091234567.
		"construct 1, format 12": {whole("12", "CAGA3309", "SER1234567"), only("message sn=1234567 by=A3309 uii=DA33091234567")},
		// Microscan, MS-Q user's manual, "Encoding a UII": construct 2 in format DD, and UII UN ABCD 98/76 123-AC.
		"construct 2, format DD":  {whole("DD", "DUNABCD", "PNO98/76", "SEQ123-AC"), only("message part=98/76 sn=123-AC by=ABCD uii=UNABCD98/76123-AC")},
		"a blank behind the name": {whole("12", "MFR 0CVA5", "PNO 1234", "SEQ 786950"), construct2},
		"a complete one":          {whole("12", "UID D0CVA5674A36458"), only("message sn=674A36458 by=0CVA5 uii=D0CVA5674A36458")},
		"two formats": {"[)>" + rs + "06" + gs + "17V0CVA5" + gs + "1P1234" + rs + "05" + gs + "21786950" + rs + eot,
			only("message part=1234 sn=786950 by=0CVA5")},
		"our unit":          {whole("06", "SSN-00417"), []string{"message serial SN-00417", "message sn=SN-00417"}},
		"another's unit":    {whole("06", "17V0CVA5", "SSN-00417"), only("message sn=SN-00417 by=0CVA5")},
		"in a Data Matrix":  {"]d1" + whole("06", "17V0CVA5", "1P1234", "S786950"), construct2},
		"names":             {"[)><RS>06<GS>17V0CVA5<GS>1P1234<GS>S786950<RS><EOT>", construct2},
		"letters":           {"[)>RS06GS17V0CVA5GS1P1234GSS786950RSEOT", construct2},
		"pictures":          {"[)>␞06␝17V0CVA5␝1P1234␝S786950␞␄", construct2},
		"one for all":       {"[)>|06|17V0CVA5|1P1234|S786950||", construct2},
		"one for each":      {"[)>^06]17V0CVA5]1P1234]S786950^d", construct2},
		"a blank for GS":    {"[)>06 17V0CVA5 1P1234 S786950", construct2},
		"only RS lost":      {"[)>06" + gs + "17V0CVA5" + gs + "1P1234" + gs + "S786950" + eot, construct2},
		"header half lost":  {">" + rs + "06" + gs + "17V0CVA5" + gs + "1P1234" + gs + "S786950" + rs + eot, construct2},
		"header lost":       {rs + "06" + gs + "17V0CVA5" + gs + "1P1234" + gs + "S786950" + rs + eot, construct2},
		"header and RS":     {"06" + gs + "17V0CVA5" + gs + "1P1234" + gs + "S786950", construct2},
		"no header at all":  {"06-1234", only("plain text 06-1234")},
		"an unknown format": {whole("07", "free text"), []string{}},
		"no such element":   {whole("06", "17V0CVA5", "1p1234"), []string{}},
		"a wrong GTIN":      {whole("05", "0109506000134353", "218"), []string{}},
		"a wrong GTIN in a manual": { // Microscan, MS-Q user's manual, "Valid Formats": its check digit is not right
			whole("05", "0100061414199999", "211A0B9C3D6"), []string{}},
	})
}

// A message whose separators are all lost has several readings. The readings that make a unique item identifier come first.
func TestSeparatorsLost(t *testing.T) {
	t.Parallel()
	const lost = "[)>0617V0CVA51P1234S786950"
	if got := allTold(lost)[0]; got != "message part=1234 sn=786950 by=0CVA5 uii=D0CVA51234786950" {
		t.Errorf("%s is %s", lost, got)
	}
	if got := allTold("[)>0618S0CVA5674A36458")[0]; got != "message sn=674A36458 by=0CVA5 uii=D0CVA5674A36458" {
		t.Error(got)
	}
	if got := allTold("[)>12MFR0CVA5PNO1234SEQ786950")[0]; got != "message part=1234 sn=786950 by=0CVA5 uii=D0CVA51234786950" {
		t.Error(got)
	}
	if got := allTold("[)>05800406141419999960MH8031221MH80312"); len(got) < 2 {
		t.Errorf("one reading: %q", got)
	}
	both := strings.Join(allTold("[)>0617V0CVA51PA1S2S3"), "\n") // A1 and 2S3, or A1S2 and 3
	if !strings.Contains(both, "part=A1 sn=2S3") || !strings.Contains(both, "part=A1S2 sn=3") {
		t.Errorf("not both readings: %s", both)
	}
}

func TestUnit(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"SN-00417": "SN-00417", "417": "SN-00417", "]C121SN-00417": "SN-00417", "https://a/serials/SN-00417": "SN-00417",
		"NCR-00003": "", "MH80312": "", "": "", "(01)09506000134352(21)SN-00417": "", "RC-DONE": "",
	} {
		if got, ok := scancode.Unit(ident.DefaultPrefix, code); got != want || ok != (want != "") {
			t.Errorf("the unit of %q is %q, %v", code, got, ok)
		}
	}
}

// Every kind of record whose identifiers have a prefix is read, so that a new noun needs no change in this package.
func TestEveryRecord(t *testing.T) {
	t.Parallel()
	for _, record := range shop.Records() {
		id := record.Prefix + "01K3ZQ4N8E5T6V7W8X9Y0Z1A2B"
		switch record.Kind {
		case shop.RecordSerial, shop.RecordNonconformance, shop.RecordShipment, shop.RecordConformance, shop.RecordFirstArticle:
			id = record.Prefix + "00417"
		case shop.RecordEntry:
			id = ident.AuditID(417)
		case shop.RecordStepStatus: // this identifier consists of two other identifiers and is never printed
			continue
		}
		if record.Prefix == "" {
			continue
		}
		got := scancode.Parse(ident.DefaultPrefix, id)
		if len(got) != 1 || got[0].Record != record.Kind || got[0].ID != id {
			t.Errorf("%s is %+v", id, got)
		}
	}
}

// The parser gives up on the longest codes and on the codes with the most readings: without bounds this test would not end.
func TestWorstCodes(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		strings.Repeat("7", 7000), "[)>06" + strings.Repeat("S1P", 60), "[)>06" + strings.Repeat("S", 180), "]C1" + strings.Repeat("21", 90),
		"]C1" + strings.Repeat("1021", 240), "(01)" + strings.Repeat("(", 900), "]C1" + strings.Repeat("10A21B240C250D", 14),
		strings.Repeat("/01", 330), "[)>" + strings.Repeat(rs+"06"+gs+"S1", 120), strings.Repeat("<GS>", 240), "]C1" + strings.Repeat("91", 98),
		"[)>05" + strings.Repeat("2191", 49), "[)>" + strings.Repeat("|06", 300), "]C1" + strings.Repeat("90919293949596979899", 9),
	} {
		if read := scancode.Parse(ident.DefaultPrefix, code); len(read) > 16 {
			t.Errorf("%.20q has %d readings", code, len(read))
		}
	}
	if read := scancode.Parse(ident.DefaultPrefix, strings.Repeat("7", 7000)); len(read) != 0 {
		t.Errorf("7,000 characters are %+v", read)
	}
}
