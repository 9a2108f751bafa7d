package site

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
)

// downloadBuffer is the amount of data that is buffered before the first byte is sent. Until then, an error can still be shown as a page.
const downloadBuffer = 32 << 10

// Content types of downloads.
const (
	CSVType      = "text/csv; charset=utf-8"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// download is a file that is being sent. It sends its header together with the first part of the content.
type download struct {
	w          http.ResponseWriter
	name, kind string
	patient    *patience.Writer // nil until something was sent
}

// SendDownload sends a file while write produces it. It stops if the visitor loses the permission to read.
func SendDownload(v *Visit, name, kind string, write func(io.Writer) error) error {
	to := v.W
	if v.Access != nil {
		to = v.Access.Watched(v.W, v.R, shop.Read)
	}
	file := &download{w: to, name: name, kind: kind}
	buffer := bufio.NewWriterSize(file, downloadBuffer)
	err := write(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if err == nil || file.patient == nil {
		return err
	}
	v.Logger.Info("download cut off", "error", err)
	panic(http.ErrAbortHandler) // so that the client notices that the file is incomplete
}

func (d *download) Write(piece []byte) (int, error) {
	if d.patient == nil {
		header := d.w.Header()
		header.Set("Content-Type", d.kind)
		header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", d.name))
		header.Set("Cache-Control", "no-store")
		d.patient = patience.Limited(d.w)
		if d.kind == CSVType && !bytes.HasPrefix(piece, []byte(sheet.ByteOrderMark)) {
			if _, err := d.patient.Write([]byte(sheet.ByteOrderMark)); err != nil {
				return 0, err
			}
		}
	}
	return d.patient.Write(piece)
}
