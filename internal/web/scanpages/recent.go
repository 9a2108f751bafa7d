package scanpages

import (
	"encoding/base64"
	"encoding/json"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop/ident"
)

const (
	scansKept = 20 // scans that a device stores
	codeKept  = 32 // characters of each scan's code
)

// Scanned is one scan and its result, as the device stores it.
type Scanned struct {
	Code string          `json:"c"`
	Kind string          `json:"k"` // see bandOf
	Left string          `json:"l,omitempty"`
	Text string          `json:"t"`
	At   ident.Timestamp `json:"a"`
}

// recentScans returns the scans that this device stores, newest first.
func recentScans(v *site.Visit) []Scanned {
	var scans []Scanned
	text, err := base64.RawURLEncoding.DecodeString(site.ReadCookie(v.R, site.ScansCookie))
	if err != nil || json.Unmarshal(text, &scans) != nil {
		return nil
	}
	return scans[:min(len(scans), scansKept)]
}

// keepScan adds a scan in front of the stored ones, and returns all of them. The size of a cookie is limited to four kilobytes.
func keepScan(v *site.Visit, scan Scanned) []Scanned {
	const room = 3500
	scan.Code, scan.Text = site.Cut(scan.Code, codeKept), site.Cut(scan.Text, 400) // the band shows this shortened text as well
	older := recentScans(v)
	for i := range older {
		older[i].Text = site.Cut(older[i].Text, 120)
	}
	scans := append([]Scanned{scan}, older...)
	scans = scans[:min(len(scans), scansKept)]
	for {
		text, err := json.Marshal(scans)
		if err != nil {
			return scans
		}
		encoded := base64.RawURLEncoding.EncodeToString(text)
		if len(encoded) <= room {
			v.SetCookie(site.ScansCookie, encoded, site.YearSeconds)
			return scans
		}
		scans = scans[:len(scans)-1]
	}
}

// ending returns the last limit characters of a text.
func ending(text string, limit int) string {
	runes := []rune(text)
	if len(runes) > limit {
		return "…" + string(runes[len(runes)-limit+1:])
	}
	return text
}
