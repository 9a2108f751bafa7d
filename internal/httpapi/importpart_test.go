package httpapi

import (
	"net/http"
	"regexp"
	"testing"
)

// A file of readings with another part, revision, step or gage than the unit's is refused, and so is a row that identifies two units.
func TestReadingsOfAnotherPart(t *testing.T) {
	t.Parallel()
	m := openMeasuring(t, 3)
	m.must(t, http.StatusOK, http.MethodPut, "/api/jobs/"+m.jobOf(t, "SN-00001"), `{"partNumber": "G-16", "partRevision": "C", "changedBy": "ann"}`)
	gage := regexp.MustCompile(`inst_\w+`)
	const value = "K2001/1 20\nK0001/1 0.001\nK0014/1 A-1\n"
	for name, c := range map[string]struct {
		media, file string
		parameters  []string
		want        string
	}{
		"the part":              {aqdefType, "K1001 g-16 \nK1004 c\n" + value, nil, "1, 0, 0"},
		"another part":          {aqdefType, "K1001 G-17\n" + value, nil, "0, 0, 0; 1 partNumber: partNumber is G-17, and that of SN-00001 is G-16"},
		"another revision":      {aqdefType, "K1001 G-16\nK1004 B\n" + value, nil, "0, 0, 0; 1 partRevision: partRevision is B, and that of SN-00001 is C"},
		"a part that is a name": {aqdefType, "K1001 Gate\nK1004 B\n" + value, []string{"columns", `{"K1001":"","K1004":"note"}`}, "1, 0, 0"},
		"another part, of a chosen unit": {
			aqdefType, "K1001 G-17\nK2001/1 20\nK0001/1 0.001\n", []string{"constants", `{"serialId":"SN-00001"}`},
			"0, 0, 0; 1 partNumber: partNumber is G-17, and that of SN-00001 is G-16",
		},
		"the step":         {aqdefType, "K2312/1 Hone\n" + value, nil, "1, 0, 0"},
		"a step elsewhere": {aqdefType, "K2312/1 OP 20\n" + value, nil, "1, 0, 0"},
		"another step": {
			aqdefType, "K2312/1 Pack\n" + value, nil,
			"0, 0, 0; 1 stepId: stepId is required: the file has the value from Pack, and SN-00001 is at Hone",
		},
		"another step, on purpose": {aqdefType, "K2312/1 Pack\n" + value, []string{"constants", `{"stepId":"` + m.step + `"}`}, "1, 0, 0"},
		"a gage that the catalog lacks": {
			aqdefType, "K4072/1 M-1\n" + value + "K0012/1 2\n", nil,
			"0, 0, 0; 1 K0012: K0012 is 2 in line 3, and the catalog of the file has no such entry",
		},
		"two keys of the unit": {
			aqdefType, value + "K0006/1 A-2\n", []string{"columns", `{"K0006":"serialNumber"}`}, "0, 0, 0; 1 K0014: The column serialNumber is there twice",
		},
		"two keys of the gage": {
			aqdefType, value + "K0010/1 M-1\nK0012/1 M-2\n", []string{"columns", `{"K0010":"instrumentNumber"}`},
			"0, 0, 0; 1 K0012: The column instrumentNumber is there twice",
		},
		"a table with the part": {
			"text/csv", "serialId,number,value,partNumber,partRevision\nSN-00001,20,0.001,G-16,C\nSN-00002,20,0.001,G-17,C\nSN-00003,20,0.001,,\n", nil,
			"2, 0, 0; 3 partNumber: partNumber is G-17, and that of SN-00002 is G-16",
		},
		"a table with two units": {
			"text/csv", "serialId,serialNumber,number,value\nSN-00001,A-2,20,0.001\nSN-00002,A-2,20,0.001\nSN-00003,,20,0.001\n", nil,
			"2, 0, 0; 2 serialNumber: serialNumber is A-2, which is not that of SN-00001",
		},
		"a table with two gages": {
			"text/csv", "serialId,number,value,instrumentId,instrumentNumber\nSN-00001,20,0.001,ext:M-1,M-2\nSN-00002,20,0.001,ext:M-1,M-1\n", nil,
			"1, 0, 0; 2 instrumentNumber: instrumentNumber is M-2, which is not that of ext:M-1",
		},
	} {
		target := importOf("measurements", append(c.parameters, "onRefusal", "each", "dryRun", "true")...)
		if got := gage.ReplaceAllString(m.bring(t, target, c.media, c.file).told(), "ext:M-1"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
