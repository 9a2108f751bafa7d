// Package demo fills an empty database with a believable shop.
package demo

import (
	"context"
	"time"

	"github.com/routecard/routecard"
)

// Fill fills.
func Fill(ctx context.Context, store routecard.Store, now time.Time) error { return nil }
