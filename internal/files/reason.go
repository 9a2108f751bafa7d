package files

import "github.com/routecard/routecard/shop"

// The reasons for which only this package refuses, one a line.
var (
	notEnabled = shop.NewReason(shop.NotFound, "files_not_enabled", "Files are not enabled")
	unwritable = shop.NewReason(shop.Unavailable, "files_unwritable", "Files cannot be kept just now. Nothing was changed; try again later.")
	unreadable = shop.NewReason(shop.Unavailable, "files_unreadable", "Files cannot be read just now; try again later.")
	bytesGone  = shop.NewReason(shop.NotFound, "file_bytes_missing", "The bytes of the file are missing: {sha256}")
)
