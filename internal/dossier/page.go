package dossier

import (
	"bytes"
	_ "embed" // for verify.html
)

// verifyFile is the page in a dossier that verifies dossiers.
const verifyFile = "verify.html"

//go:embed verify.html
var verifyPage []byte

// VerifyPage returns a page that verifies dossiers in a browser, in one file and without a network. It makes the checks of Verify.
func VerifyPage() []byte { return bytes.Clone(verifyPage) }
