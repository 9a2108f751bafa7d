package httpapi

import (
	"errors"
	"net/http"
	"os"

	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/shop"
)

// spoolBody spools the body of a request. A piece that was written to disk no longer counts as memory.
func spoolBody(c *call) (*spool.File, error) {
	if c.r.ContentLength > spool.Limit {
		return nil, errTooLarge
	}
	memory := shop.MemoryBudgetOf(c.r.Context())
	file, err := spool.Take(spool.NewReader(c.w, http.MaxBytesReader(c.w, c.r.Body, spool.Limit), memory), memory)
	if _, ofDisk := errors.AsType[*os.PathError](err); err != nil && !ofDisk {
		err = unread(err)
	}
	return file, err
}
