package shop

import "context"

type browsingKey struct{}

// Browsing marks a context. A View under it holds nothing between two statements: each sees what is committed when it
// runs. A long list is read so, page by page, because whoever reads it may be slow, and would otherwise keep a place that
// others wait for, and the store from forgetting what has been replaced since.
func Browsing(ctx context.Context) context.Context {
	return context.WithValue(ctx, browsingKey{}, true)
}

// IsBrowsing reports whether a context is marked by Browsing.
func IsBrowsing(ctx context.Context) bool { return ctx.Value(browsingKey{}) != nil }
