package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

// The types of the files that Import and ImportReadings take. Those of a measuring machine, and AQDEF, are for readings.
const (
	CSV                = "text/csv"
	Windows1252        = "text/csv; charset=windows-1252"
	Lines              = "application/x-ndjson"
	Machine            = "text/plain"
	MachineWindows1252 = "text/plain; charset=windows-1252"
	AQDEF              = "application/x-aqdef" // Q-DAS transfer format: a dfq, or a dfd followed by its dfx
)

// Import takes the rows of a file: kind is jobs, serials, users or certs, form is one of the types above, and params are the parameters of
// that operation. For measurements there is ImportReadings. It is repeated under its key until there is a response.
func (c *Client) Import(
	ctx context.Context, kind, form string, content io.ReadSeeker, params ImportJobsParams, options ...Option,
) (ImportResult, error) {
	return c.importFile(ctx, kind, form, content, params.values(), options)
}

// ImportReadings takes the rows of a file of readings: form is one of the types above. It is repeated under its key until there is a
// response.
func (c *Client) ImportReadings(
	ctx context.Context, form string, content io.ReadSeeker, params ImportMeasurementsParams, options ...Option,
) (ImportResult, error) {
	return c.importFile(ctx, "measurements", form, content, params.values(), options)
}

func (c *Client) importFile(
	ctx context.Context, kind, form string, content io.ReadSeeker, query url.Values, options []Option,
) (answer ImportResult, err error) {
	options = append([]Option{Header("Content-Type", form)}, options...)
	body, err := c.open(ctx, request{
		method: http.MethodPost, path: "/api/import/" + url.PathEscape(kind), query: query, content: content, keyed: true,
	}, options)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	err = json.NewDecoder(body).Decode(&answer)
	return answer, err
}
