package web

import "net/http"

// routes lists every page and what is posted to it. Forms post to the page they stand on.
func (p *pages) routes() map[string]func(*visit) error {
	return map[string]func(*visit) error{
		"GET /{$}":                     showFloor,
		"POST /operator":               (*visit).chooseOperator,
		"GET /jobs":                    showJobs,
		"POST /jobs":                   createJob,
		"GET /jobs/{id}":               showJob,
		"POST /jobs/{id}":              changeJob,
		"GET /jobs/{id}/route":         showRoute,
		"POST /jobs/{id}/route":        editRoute,
		"GET /jobs/{id}/paths/{path}":  showRoute,
		"POST /jobs/{id}/paths/{path}": editRoute,
		"GET /serials":                 showSerials,
		"GET /serials/{id}":            showCard,
		"POST /serials/{id}":           changeCard,
		"GET /serials/{id}/print":      printCard,
		"GET /scan":                    showScan,
		"POST /scan":                   scan,
		"GET /scan/codes":              showCodes,
		"GET /certs":                   showCertificates,
		"POST /certs":                  createCertificate,
		"GET /certs/{id}":              showCertificate,
		"GET /library":                 showLibrary,
		"POST /library":                changeLibrary,
		"GET /bom":                     showBOMs,
		"POST /bom":                    createBOM,
		"GET /bom/{id}":                showBOM,
		"POST /bom/{id}":               changeBOM,
		"GET /audit":                   showAudit,
		"GET /audit/entries.csv":       downloadAudit,
		"GET /audit/entries.json":      downloadAudit,
		"GET /labels":                  showLabels,
	}
}

var _ = http.MethodGet
