package shop

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// UnattachedFor is how long a file is kept that nobody attaches to anything.
const UnattachedFor = 24 * time.Hour

// ExpectFile notes that the bytes of a file are about to be put in their place, and who uploaded them. It is refused while
// the same bytes are being removed.
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

// KeepFile notes that the bytes of a file that was expected are in their place, and returns the file. Of several who upload
// the same bytes at once, one is told that they did not exist.
func (s *Service) KeepFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		if file, err = tx.File(digest); err != nil {
			return err
		}
		if file.State == FileLeaving { // it took a day to put it in its place
			return refusal.Refuse(refusal.ServiceBusy)
		}
		file.Existed = file.State == FileKept
		file.State = FileKept
		return tx.PutFile(file)
	}, Aside)
	return file, err
}

// FindFile answers a file whose bytes the caller may have.
func (s *Service) FindFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if file, err = tx.File(digest); err == nil {
			err = visibleTo(tx, CallerOf(ctx), file)
		}
		return OrNotFound(err, NameFile, digest)
	})
	return file, err
}

// DismissFiles returns files that nobody has attached to anything for as long as they are kept, at most limit of them. Nobody
// can attach one of them from then on. Files that were dismissed before and not forgotten yet are among them.
func (s *Service) DismissFiles(ctx context.Context, limit int) (digests []string, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		digests, err = tx.DismissFiles(s.Now()-ident.Timestamp(UnattachedFor.Milliseconds()), limit)
		return err
	}, Aside)
	return digests, err
}

// DismissUnknownFile marks bytes as leaving that are in their place and that the database does not know. It is false, and
// nothing is changed, for a file that it knows.
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

// ForgetFile removes what is known of a file that was dismissed and whose bytes are gone.
func (s *Service) ForgetFile(ctx context.Context, digest string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.ForgetFile(digest) }, Aside)
}

// KeptFiles yields every file whose bytes have to be there, in the order of their digests.
func (s *Service) KeptFiles(ctx context.Context) iter.Seq2[File, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[File, error] { return tx.KeptFiles() })
}

// UploadStore is what uploading needs of a database.
type UploadStore interface {
	// PutFile inserts a file, or replaces what is known of it, but for whether it was ever attached.
	PutFile(file File) error
	PutFileUpload(digest, login string, at ident.Timestamp) error
	// DismissFiles marks files as leaving that are not attached and were uploaded before a time, and returns all that are
	// leaving: limit at most.
	DismissFiles(before ident.Timestamp, limit int) ([]string, error)
	ForgetFile(digest string) error // one that is leaving
	KeptFiles() iter.Seq2[File, error]
}
