package verify

import (
	"maps"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

func (c *RecordCheck) fileAttached(entry *trail.Entry) error {
	link, err := shop.LinkOf(entry)
	link.AttachedBy, link.On.ID = strings.Clone(link.AttachedBy), strings.Clone(link.On.ID)
	c.told.files[link.ID] = link
	return err
}

// compareFiles compares the attachments. Voiding is compared for all records that can be voided.
func (c *toldContents) compareFiles(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for link, err := range tx.AllFileLinks() {
		if err != nil {
			return err
		}
		seen[link.ID] = true
		told, known := c.files[link.ID]
		if !known {
			found(RecordDifference{Kind: shop.RecordFileLink, ID: link.ID, Why: errRecordUntold})
			continue
		}
		reportFields(found, shop.RecordFileLink, link.ID, linkDiffers(told, link))
	}
	missing(found, shop.RecordFileLink, seen, maps.Keys(c.files))
	return nil
}

func linkDiffers(told, kept shop.FileLink) []string {
	var d trail.Differing
	d.Unless(told.On == kept.On, "the record that it is attached to")
	d.Unless(told.SHA256 == kept.SHA256, "sha256")
	d.Unless(told.Size == kept.Size, "size")
	d.Unless(told.Type == kept.Type, "type")
	d.Unless(told.Name == kept.Name, "name")
	d.Unless(told.Kind == kept.Kind, "kind")
	d.Unless(told.Note == kept.Note, "note")
	d.Unless(told.AttachedBy == kept.AttachedBy, "attachedBy")
	d.Unless(told.AttachedAt == kept.AttachedAt, "attachedAt")
	return d
}
