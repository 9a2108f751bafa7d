package office

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"

	"github.com/routecard/routecard/internal/importcsv"
	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// digestField is the field with the digest of the file's content. It makes the content part of the form's key.
const digestField = "sha256"

// fieldWeight is the memory of a form field, in bytes, without its name and its value.
const fieldWeight = 128

// readFile reads a form with a file. The caller must close the file.
func readFile(v *site.Visit) error {
	v.Form = url.Values{}
	memory := shop.MemoryBudgetOf(v.R.Context())
	v.R.Body = io.NopCloser(spool.NewReader(v.W, http.MaxBytesReader(v.W, v.Unlimited, spool.Limit+site.FormLimit), memory))
	parts, err := v.R.MultipartReader()
	if err != nil {
		return refusal.Refuse(wording.FormUnread)
	}
	room, name := int64(site.FormLimit), ""
	for {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			if err := site.RefuseBadges(v, v.Form); err != nil {
				return err
			}
			return site.CheckForm(v.Form)
		case err == nil && part.FormName() == "file" && v.Brought == nil:
			name = part.FileName()
			err = takeFile(v, part, part.FileName(), memory)
		case err == nil && part.FormName() == "file":
			err = joinFile(v, name, part, memory)
		case err == nil:
			var text []byte
			text, err = io.ReadAll(io.LimitReader(part, room+1))
			size := len(text) + len(part.FormName())
			if room -= int64(size + fieldWeight); err == nil && room < 0 {
				err = site.ErrFormTooLarge
			}
			memory.TakeNow(spool.BodyWeight*size + fieldWeight)
			v.Form.Add(part.FormName(), string(text))
		}
		if err != nil {
			return unreadFile(err)
		}
	}
}

// takeFile stores the uploaded file temporarily. If no file was chosen, the field has neither a name nor content.
func takeFile(v *site.Visit, content io.Reader, name string, memory shop.MemoryBudget) error {
	digest := sha256.New()
	file, err := spool.Take(io.TeeReader(content, digest), memory)
	if err != nil {
		return err
	}
	if file.Size == 0 && name == "" {
		return nil
	}
	if v.Brought = file; file.Size > spool.Limit {
		return refusal.Refuse(wording.FileTooLarge, spool.Limit>>20)
	}
	v.Form.Set(digestField, hex.EncodeToString(digest.Sum(nil)))
	return nil
}

// joinFile joins two uploaded files in the Q-DAS transfer format: descriptions (.dfd) and values (.dfx), in any order.
func joinFile(v *site.Visit, name string, part *multipart.Part, memory shop.MemoryBudget) error {
	first := v.Brought
	defer first.Close()
	before, after := io.Reader(io.NewSectionReader(first, 0, first.Size)), io.Reader(part)
	switch other := part.FileName(); {
	case importcsv.PairAQDEF(name, other):
	case importcsv.PairAQDEF(other, name):
		before, after = after, before
	default:
		return refusal.Refuse(wording.FilesOfTwo)
	}
	return takeFile(v, importcsv.JoinAQDEF(before, after), name, memory)
}

// unreadFile returns the error for a form with a file that could not be read.
func unreadFile(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refusal.Refuse(wording.FileTooLarge, spool.Limit>>20)
	}
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return err
	}
	if told, ok := errors.AsType[*refusal.Error](err); ok {
		return told
	}
	return refusal.Refuse(wording.FormUnread)
}
