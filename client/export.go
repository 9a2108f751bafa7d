package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Export returns everything that a search finds, as a file: kind is jobs, serials, steps, audit, certs, users or measurements, form is csv,
// ndjson, xlsx or, for measurements of a job, dfq, and filters are the parameters of that operation. The caller closes the result. Reading
// it fails when the file was cut off.
func (c *Client) Export(ctx context.Context, kind, form string, filters url.Values, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/" + url.PathEscape(kind+"."+form), query: filters}, options)
}
