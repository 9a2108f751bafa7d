package files

import "github.com/routecard/routecard/shop/refusal"

// Refusals of this package, one per line.
var (
	unwritable = refusal.NewReason(refusal.Unavailable, "files_unwritable", "Files cannot be kept just now. Nothing was changed; try again later.")
	unreadable = refusal.NewReason(refusal.Unavailable, "files_unreadable", "Files cannot be read just now; try again later.")
	bytesGone  = refusal.NewReason(refusal.NotFound, "file_bytes_missing", "The bytes of the file are missing: {sha256}")
)
