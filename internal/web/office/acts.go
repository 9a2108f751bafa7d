package office

import (
	"slices"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Acts returns the latest changes of the job and its units, newest first.
func (p *JobPage) Acts() []site.Act {
	return site.ActsOf(p.History, true, func(a, b trail.Entry) bool {
		return a.SerialID != "" && b.SerialID != "" && shop.ActionTold(a) == shop.ActionTold(b) &&
			a.PathID == b.PathID && a.StepID == b.StepID &&
			a.FromStepID == b.FromStepID && a.ToStepID == b.ToStepID && a.CertID == b.CertID &&
			(p.TakenBack(a) == nil) == (p.TakenBack(b) == nil) && slices.Equal(p.More(a), p.More(b))
	})
}
