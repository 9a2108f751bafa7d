package shop

import (
	"context"
	"iter"
	"net/url"
	"reflect"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// Organization is the shop as printed papers show it. Name, Address and Lang are set together, Name is "" until then.
type Organization struct {
	ID           string `json:"-"` // always OrganizationID
	Name         string `json:"name"`
	Address      string `json:"address"`
	SupplierCode string `json:"supplierCode,omitempty"` // what customers call the shop
	Logo         string `json:"logo,omitempty"`         // SHA-256 of an uploaded picture
	Statement    string `json:"statement,omitempty"`    // the statement on certificates of conformance
	Lang         string `json:"lang"`                   // the language of papers of jobs without a language: see workorder.Languages
}

// OrganizationID is the identifier of the only organization.
const OrganizationID = "organization"

// unsetOrganization returns the organization before it is first set.
func unsetOrganization() Organization {
	return Organization{ID: OrganizationID, Lang: workorder.Languages()[0]}
}

// Contents returns the SHA-256 of the contents that audit entries record.
func (o Organization) Contents() trail.ContentsSHA256 { return trail.ContentsOf(o) }

// OrganizationInput is the body of Set Organization. Name, address and lang are required. Omitted optional fields keep their value; null
// and blank texts clear them.
type OrganizationInput struct {
	Name         input.TextInput `field:"name"`
	Address      input.TextInput `field:"address"`
	SupplierCode input.TextInput `field:"supplierCode"`
	Logo         input.TextInput `field:"logo"`
	Statement    input.TextInput `field:"statement"`
	Lang         input.TextInput `field:"lang"`
	ChangedBy    input.TextInput `field:"changedBy"` // only for the audit trail
}

// Apply checks the fields, one after the other, and returns the organization with the changes.
func (in OrganizationInput) Apply(o Organization) (_ Organization, err error) {
	if o.Name, err = input.RequiredTrimmed(in.Name); err != nil {
		return o, err
	}
	o.Address, err = input.RequiredWithin("address", input.Trimmed(in.Address), workorder.DescriptionLimit, refusal.Required)
	if err != nil {
		return o, err
	}
	if in.SupplierCode.Present() {
		o.SupplierCode, err = input.OptionalWithin("supplierCode", input.Trimmed(in.SupplierCode), workorder.OrderTextLimit)
		if err != nil {
			return o, err
		}
	}
	if in.Logo.Present() {
		if o.Logo = ""; !input.Unfilled(in.Logo) {
			if o.Logo, err = requiredDigest("logo", input.Trimmed(in.Logo)); err != nil {
				return o, err
			}
		}
	}
	if in.Statement.Present() {
		o.Statement, err = input.OptionalWithin("statement", input.Trimmed(in.Statement), workorder.DescriptionLimit)
		if err != nil {
			return o, err
		}
	}
	if o.Lang, err = input.RequiredName("lang", in.Lang); err != nil {
		return o, err
	}
	return o, workorder.CheckLanguage("lang", o.Lang)
}

// Organization returns the organization, with the language en and no other text if it was never set.
func (s *Service) Organization(ctx context.Context) (o Organization, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		o, err = organizationIn(tx)
		return err
	})
	return o, err
}

// OrganizationIn is Organization within a transaction.
func OrganizationIn(tx OrganizationStore) (Organization, error) { return organizationIn(tx) }

func organizationIn(tx OrganizationStore) (Organization, error) {
	kept, err := tx.Organizations()
	if at := slices.IndexFunc(kept, func(o Organization) bool { return o.ID == OrganizationID }); at >= 0 {
		return kept[at], err
	}
	return unsetOrganization(), err
}

// SetOrganization changes the organization. A new logo must be a picture that the caller may read, and is stored for good.
func (s *Service) SetOrganization(ctx context.Context, in OrganizationInput) (after Organization, err error) {
	err = s.Commit(ctx, &after, func(tx Tx) error {
		before, err := organizationIn(tx)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameOrganization, "", func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if after, err = in.Apply(before); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if after.Logo != "" && after.Logo != before.Logo {
			file, err := attachableFile(tx, after.Logo, CallerOf(ctx))
			if err != nil {
				return err
			}
			if !file.Picture() {
				return refusal.RefuseField(NotPicture, "logo")
			}
		}
		if after == before {
			return nil
		}
		if err := tx.PutOrganization(after); err != nil {
			return err
		}
		told := any(before)
		if before == unsetOrganization() {
			told = nil
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionOrganizationChanged, UserID: userID, Timestamp: s.Now(), Metadata: trail.BeforeAndAfter(told, after),
		})
	})
	return after, err
}

// organizationEvent is the metadata of an entry about the organization.
type organizationEvent struct {
	After Organization `json:"after"`
}

// OrganizationStore has the database functions for the organization.
type OrganizationStore interface {
	// Organizations returns the organization; nothing until it is set.
	Organizations() ([]Organization, error)
	// PutOrganization stores the organization, and marks the file of its logo as attached.
	PutOrganization(organization Organization) error
}

// Names of the organization in the tables of nouns.go.
const (
	RecordOrganization ident.RecordKind = "organization"

	NameOrganization refusal.RecordName = "Organization"

	OpSetOrganization Operation = "set-organization"

	ActionOrganizationChanged trail.Action = "organization_changed"
)

// NotPicture refuses a file as a logo.
var NotPicture = refusal.NewReason(refusal.Invalid, "must_be_picture", "{field} must be a PNG, JPEG or WebP picture")

var organizationNoun = noun{
	records: []Record{{
		Kind: RecordOrganization, Names: named(NameOrganization), Table: "organization", Compared: true,
		Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
			var told organizationEvent
			err := trail.ReadMetadata(entry, &told)
			return OrganizationID, told.After.Contents(), err
		},
		Kept: func(tx Tx) iter.Seq2[Kept, error] {
			return keptOf(each(tx.Organizations()), func(o Organization) Kept { return Kept{o.ID, o.Contents()} })
		},
	}},
	operations: []operationRow{{operation: OpSetOrganization, permission: Admin, subject: AboutSettings}},
	actions:    []actionRow{{action: ActionOrganizationChanged, of: only(RecordOrganization)}},
}

// WithHooks sets which addresses web hooks may be sent to. The default is every https address.
func WithHooks(allowed func(*url.URL) bool) Option {
	return func(s *Service) { s.hookAllowed = allowed }
}

func anyEncrypted(target *url.URL) bool { return target.Scheme == "https" }

// NoticeSettings returns who gets notices, and when.
func (s *Service) NoticeSettings(ctx context.Context) (settings notice.Settings, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		settings, err = noticeSettingsIn(tx)
		return err
	})
	return settings, err
}

func noticeSettingsIn(tx NoticeStore) (notice.Settings, error) {
	kept, err := tx.NoticeSettings()
	if len(kept) > 0 {
		return kept[0].Completed(), err
	}
	return notice.Unset(), err
}

// SetNotices changes who gets notices, and when.
func (s *Service) SetNotices(ctx context.Context, in notice.SettingsInput) (after notice.Settings, err error) {
	err = s.Commit(ctx, &after, func(tx Tx) error {
		before, err := noticeSettingsIn(tx)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameNotices, "", func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if after, err = in.Apply(before, s.hookAllowed); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil || reflect.DeepEqual(after, before) {
			return err
		}
		if err := tx.PutNoticeSettings(after); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionNoticesChanged, UserID: userID, Timestamp: s.Now(), Metadata: trail.BeforeAndAfter(before, after),
		})
	})
	return after, err
}

// noticesEvent is the metadata of an entry about the settings of notices.
type noticesEvent struct {
	After notice.Settings `json:"after"`
}

// LogoPicture returns the logo of an organization as PNG, reduced to the size of papers; nil if it has none, or one that cannot be printed.
func (s *Service) LogoPicture(ctx context.Context, o Organization) ([]byte, error) {
	if o.Logo == "" || s.papers == nil {
		return nil, nil
	}
	return s.papers.Logo(ctx, o.Logo)
}

// NoticeStore has the database functions for notices.
type NoticeStore interface {
	// NoticeSettings returns the settings; nothing until they are set.
	NoticeSettings() ([]notice.Settings, error)
	PutNoticeSettings(settings notice.Settings) error
	// LockNotices makes other transactions that call it wait until this one ends.
	LockNotices() error
	// InsertNoticeCause stores that a cause is notified on a day, and reports whether that is new.
	InsertNoticeCause(kind notice.Kind, key, day string) (bool, error)
	// WaitingNotices returns the messages that wait, the oldest first.
	WaitingNotices(limit int) ([]notice.Message, error)
	// LatestNotices returns the newest messages in any state, the newest first.
	LatestNotices(limit int) ([]notice.Message, error)
	// PutNotice stores a message, also one that exists.
	PutNotice(message notice.Message) error
	// ForgetNotices deletes messages that were done before a time, and causes of the days before a day.
	ForgetNotices(before ident.Timestamp, day string) error
}

// Names of the settings of notices in the tables of nouns.go.
const (
	RecordNotices ident.RecordKind = "notice-settings"

	NameNotices refusal.RecordName = "Notices"

	OpSetNotices Operation = "set-notices" // includes sending a test

	ActionNoticesChanged trail.Action = "notices_changed"
)

var noticesNoun = noun{
	records: []Record{{
		Kind: RecordNotices, Names: named(NameNotices), Table: "notice_settings", Compared: true,
		Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
			var told noticesEvent
			err := trail.ReadMetadata(entry, &told)
			return notice.SettingsID, told.After.Contents(), err
		},
		Kept: func(tx Tx) iter.Seq2[Kept, error] {
			return keptOf(each(tx.NoticeSettings()), func(s notice.Settings) Kept { return Kept{s.ID, s.Contents()} })
		},
	}},
	operations: []operationRow{{operation: OpSetNotices, permission: Admin, subject: AboutSettings}},
	actions:    []actionRow{{action: ActionNoticesChanged, of: only(RecordNotices)}},
}
