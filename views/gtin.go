package views

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
)

// findOfGTIN finds the units that a mark with a GTIN and a serial number identifies. Candidates are the units with that own number, and the
// unit with that identifier. It returns the candidates whose job has the GTIN. If no job has the GTIN, it returns the candidates whose part
// is unknown: only a person can decide whether one of these is meant.
func findOfGTIN(tx Reader, numbers []shop.OwnNumber, mark *scancode.Mark) ([]FoundRecord, error) {
	numbers, parts, err := withIdentified(tx, numbers, mark.SerialNumber)
	if err != nil {
		return nil, err
	}
	jobs := make([]string, len(numbers))
	for i := range numbers {
		jobs[i] = numbers[i].JobID
	}
	gtins, err := tx.GTINsOfJobs(jobs)
	if err != nil {
		return nil, err
	}
	var of, unknown []shop.OwnNumber
	for i := range numbers {
		switch compared(mark, gtins[numbers[i].JobID], parts(&numbers[i])) {
		case samePart:
			of = append(of, numbers[i])
		case unknownPart:
			unknown = append(unknown, numbers[i])
		case otherPart:
		}
	}
	if len(of) > 0 || len(unknown) == 0 {
		return named(tx, of, false, nil)
	}
	known, err := tx.JobsWithGTIN(mark.GTIN, 1)
	if len(known) > 0 {
		return nil, err
	}
	return named(tx, unknown, true, err)
}

// withIdentified adds the unit whose identifier is the serial number to the units with that own number, under its current own number. part
// returns the part number of a unit's job.
func withIdentified(tx Reader, numbers []shop.OwnNumber, serial string) (_ []shop.OwnNumber, part func(*shop.OwnNumber) string, err error) {
	part = (*shop.OwnNumber).Part
	record, id, is := shop.ParseID(tx.SerialPrefix(), serial)
	if !is || record != shop.RecordSerial {
		return numbers, part, nil
	}
	number, _ := tx.SerialPrefix().ParseSerialID(id)
	units, err := tx.UnitsNumbered([]int64{number})
	if err != nil || len(units) == 0 {
		return numbers, part, err
	}
	path, err := tx.Path(units[0].PathID)
	if err != nil {
		return nil, nil, err
	}
	job, err := tx.Job(path.JobID)
	if err != nil {
		return nil, nil, err
	}
	identified := shop.OwnNumber{SerialID: id, Number: units[0].OwnNumber, JobID: job.ID}
	return append(numbers, identified), func(n *shop.OwnNumber) string {
		if n.JobID == job.ID {
			return job.Part()
		}
		return n.Part()
	}, nil
}

// sameness is the result of comparing the part of a unit with that of a mark.
type sameness int

const (
	unknownPart sameness = iota
	samePart
	otherPart
)

// compared compares the part of a mark with that of a job: by GTIN if both have one, otherwise by part number.
func compared(mark *scancode.Mark, gtin, part string) sameness {
	switch {
	case gtin == mark.GTIN:
		return samePart
	case gtin != "":
		return otherPart
	case ofPart(mark, part):
		return samePart
	}
	if _, other := workorder.GTIN14(part); other || part != "" && (mark.PartNumber != "" || mark.CustomerPart != "") {
		return otherPart
	}
	return unknownPart
}

// ofPart reports whether a mark identifies a part: by the number of the supplier or of the customer, or by its GTIN, with or without
// leading zeros.
func ofPart(mark *scancode.Mark, part string) bool {
	if part == "" {
		return false
	}
	return strings.EqualFold(part, mark.PartNumber) || strings.EqualFold(part, mark.CustomerPart) ||
		mark.GTIN != "" && strings.TrimLeft(part, "0") == strings.TrimLeft(mark.GTIN, "0")
}

// withKnownPart leaves out the units whose part is unknown if there are units whose part is known. unknown reports whether the part of the
// remaining units is unknown.
func withKnownPart(found []FoundRecord) (_ []FoundRecord, unknown bool) {
	sure := slices.ContainsFunc(found, func(one FoundRecord) bool {
		return one.Kind == resolvable[shop.RecordSerial].called && !one.PartUnknown
	})
	if sure {
		found = slices.DeleteFunc(found, func(one FoundRecord) bool { return one.PartUnknown })
	}
	return found, slices.ContainsFunc(found, func(one FoundRecord) bool { return one.PartUnknown })
}

// findJobs finds the jobs with the GTIN of a mark that has no serial number.
func findJobs(tx Reader, mark *scancode.Mark) (found []FoundRecord, err error) {
	if mark.GTIN == "" || mark.SerialNumber != "" {
		return nil, nil
	}
	ids, err := tx.JobsWithGTIN(mark.GTIN, numberedAtMost)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		job, err := tx.Job(id)
		if err != nil {
			return nil, err
		}
		found = append(found, FoundRecord{Kind: resolvable[shop.RecordJob].called, ID: id, Name: job.Name})
	}
	return found, nil
}

// calledByGTIN finds the jobs with the GTIN that a text contains, as the search shows them.
func calledByGTIN(tx Reader, text string) (found []Called, err error) {
	for _, read := range scancode.Parse(tx.SerialPrefix(), text) {
		if read.Kind != scancode.Marked {
			continue
		}
		jobs, err := findJobs(tx, &read.Mark)
		if err != nil {
			return nil, err
		}
		for _, job := range jobs {
			one, err := tx.CalledExactly(shop.RecordJob, job.ID)
			if err != nil {
				return nil, err
			}
			found = append(found, one)
		}
	}
	return found, nil
}
