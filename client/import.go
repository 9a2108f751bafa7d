package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

// The types of the files that Import takes.
const (
	CSV         = "text/csv"
	Windows1252 = "text/csv; charset=windows-1252"
	Lines       = "application/x-ndjson"
)

// Import takes the rows of a file: kind is jobs, serials, users or certs, form is one of the types above, and params are the parameters
// of that operation. It is repeated under its key while nobody answers.
func (c *Client) Import(
	ctx context.Context, kind, form string, content io.ReadSeeker, params ImportJobsParams, options ...Option,
) (answer ImportResult, err error) {
	options = append([]Option{Header("Content-Type", form)}, options...)
	body, err := c.open(ctx, request{
		method: http.MethodPost, path: "/api/import/" + url.PathEscape(kind), query: params.values(), content: content, keyed: true,
	}, options)
	if err != nil {
		return answer, err
	}
	defer body.Close()
	err = json.NewDecoder(body).Decode(&answer)
	return answer, err
}
