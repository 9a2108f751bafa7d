package shop

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// UnattachedFor is the time for which a file is stored without being attached to a record.
const UnattachedFor = 24 * time.Hour

// ExpectFile records that the bytes of a file are about to be stored, and who uploaded them. It is refused while the same bytes are being
// removed.
func (s *Service) ExpectFile(ctx context.Context, file File) error {
	return s.store.Update(ctx, func(tx Tx) error {
		known, err := tx.File(file.SHA256)
		switch {
		case errors.Is(err, ErrNoRecord):
			file.State = FileArriving
		case err != nil:
			return err
		case known.State == FileLeaving:
			return refusal.Refuse(refusal.ServiceBusy)
		default:
			file.State = known.State
		}
		file.UploadedAt = s.Now()
		if err := tx.PutFile(file); err != nil {
			return err
		}
		return tx.PutFileUpload(file.SHA256, CallerOf(ctx).Login, file.UploadedAt)
	}, Aside)
}

// KeepFile records that the bytes of an expected file are stored, and returns the file. If several callers upload the same bytes at once,
// Existed is false for only one of them.
func (s *Service) KeepFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		if file, err = tx.File(digest); err != nil {
			return err
		}
		if file.State == FileLeaving { // storing the bytes took longer than UnattachedFor
			return refusal.Refuse(refusal.ServiceBusy)
		}
		file.Existed = file.State == FileKept
		file.State = FileKept
		return tx.PutFile(file)
	}, Aside)
	return file, err
}

// FindFile returns a file. It refuses a file that the caller may not read.
func (s *Service) FindFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if file, err = tx.File(digest); err == nil {
			err = visibleTo(tx, CallerOf(ctx), file)
		}
		return OrNotFound(err, NameFile, digest)
	})
	return file, err
}

// DismissFiles marks files as leaving that have not been attached for UnattachedFor, and returns up to limit of them. From then on they
// cannot be attached. The result includes files that were dismissed before and are not yet forgotten.
func (s *Service) DismissFiles(ctx context.Context, limit int) (digests []string, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		digests, err = tx.DismissFiles(s.Now()-ident.Timestamp(UnattachedFor.Milliseconds()), limit)
		return err
	}, Aside)
	return digests, err
}

// DismissUnknownFile marks a stored file as leaving that is not in the database. For a file in the database, it changes nothing and
// returns false.
func (s *Service) DismissUnknownFile(ctx context.Context, file File) (unknown bool, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		_, err := tx.File(file.SHA256)
		if unknown = errors.Is(err, ErrNoRecord); !unknown {
			return err
		}
		file.State, file.UploadedAt = FileLeaving, s.Now()-ident.Timestamp(UnattachedFor.Milliseconds())-1
		return tx.PutFile(file)
	}, Aside)
	return unknown, err
}

// ForgetFile deletes the record of a dismissed file whose bytes have been removed.
func (s *Service) ForgetFile(ctx context.Context, digest string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.ForgetFile(digest) }, Aside)
}

// KeptFiles yields every file whose bytes must be stored, in the order of their digests.
func (s *Service) KeptFiles(ctx context.Context) iter.Seq2[File, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[File, error] { return tx.KeptFiles() })
}

// UploadStore lists the database operations for uploads.
type UploadStore interface {
	// PutFile inserts or replaces the record of a file. It does not change whether the file was ever attached.
	PutFile(file File) error
	PutFileUpload(digest, login string, at ident.Timestamp) error
	// DismissFiles marks files as leaving that are not attached and were uploaded before a time. It returns all files that are leaving,
	// at most limit.
	DismissFiles(before ident.Timestamp, limit int) ([]string, error)
	ForgetFile(digest string) error // the file must be leaving
	KeptFiles() iter.Seq2[File, error]
}
