package demo_test

import (
	"testing"
	"time"

	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/firstarticle"
)

// The demo has an approved full first article of an assembly whose form 2 needs nothing typed, so that its job has no warning, and a draft
// of another part that lacks fields.
func TestFirstArticles(t *testing.T) {
	t.Parallel()
	now := moments(t)["wednesday morning"]
	service := fill(t, now)
	if err := demo.AttachFiles(t.Context(), service.store, files.NewFolder(t.TempDir(), false), now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	list, err := service.FirstArticles(t.Context(), shop.FirstArticleQuery{})
	if err != nil || len(list.Items) != 2 {
		t.Fatalf("%d first articles, %v", len(list.Items), err)
	}
	byStatus := map[shop.FirstArticleStatus]shop.FirstArticle{}
	for i := range list.Items {
		found, err := service.FirstArticle(t.Context(), list.Items[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		byStatus[found.Status] = found
	}
	approved, draft := byStatus[shop.FirstArticleApproved], byStatus[shop.FirstArticleDraft]
	if approved.Kind != firstarticle.Full || approved.ChangedSince != 0 || text(&approved, "1.13") != "Assembly" {
		t.Errorf("the approved one: %+v", approved)
	}
	if draft.PartNumber == approved.PartNumber || len(draft.Missing) == 0 || text(&draft, "3.1.9") == "" {
		t.Errorf("the draft: %+v", draft)
	}
	for _, field := range approved.Fields {
		if field.Form == 2 && field.Typed {
			t.Errorf("%s was typed: %s", field.Name(), field.Text)
		}
	}
	// Raw material, outside work, and a functional test, each with its paper.
	for _, name := range []string{"2.1.10", "2.2.10", "2.2.8", "2.3.11", "2.3.12", "3.3.9"} {
		if text(&approved, name) == "" {
			t.Errorf("the approved one lacks %s", name)
		}
	}
	// Two people signed it, the release of its unit is signed, and so is the certificate of conformance of the unit.
	sheet, err := service.FirstArticleSheet(t.Context(), approved.ID)
	if err != nil || !sheet.Signed() || len(sheet.Signatures) != 2 || text(&approved, "1.20") != "Deepak Rao (d.rao)" {
		t.Errorf("signed by %+v, %v, and shows %q", sheet.Signatures, err, text(&approved, "1.20"))
	}
	released, err := service.Signatures(t.Context(), approved.SerialIDs[0])
	if err != nil || len(released) != 1 || released[0].PrintedName != "Deepak Rao" {
		t.Errorf("the signatures of the unit: %+v, %v", released, err)
	}
	certificate, err := service.Conformance(t.Context(), shop.ConformanceID(1))
	if err != nil || !certificate.Signed {
		t.Errorf("the certificate of conformance: %+v, %v", certificate, err)
	}
	if due, err := service.FirstArticleDue(t.Context(), approved.JobID); err != nil || due.Missing || due.Lapsed {
		t.Errorf("the job of the approved one: %+v, %v", due, err)
	}
	if due, err := service.FirstArticleDue(t.Context(), draft.JobID); err != nil || !due.Missing {
		t.Errorf("the job of the draft: %+v, %v", due, err)
	}
}

// text returns the text of a field of a first article.
func text(f *shop.FirstArticle, name string) string {
	for i := range f.Fields {
		if f.Fields[i].Name() == name {
			return f.Fields[i].Text
		}
	}
	return ""
}
