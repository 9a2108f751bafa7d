package httpapi

import (
	"context"
	"net/http"

	"github.com/routecard/routecard/shop"
)

// attachFile attaches a file to a record of a kind.
func attachFile(kind shop.RecordKind) handler {
	return change(http.StatusCreated,
		func(s *shop.Service, ctx context.Context, id string, in shop.AttachFileInput) (shop.FileLink, error) {
			return s.AttachFile(ctx, shop.FileSubject{Kind: kind, ID: id}, in)
		})
}

// listFiles answers what is attached to a record of a kind.
func listFiles(kind shop.RecordKind) handler {
	return read(func(s *shop.Service, ctx context.Context, id string) ([]shop.FileLink, error) {
		return s.FilesOf(ctx, shop.FileSubject{Kind: kind, ID: id})
	})
}
