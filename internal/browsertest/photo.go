package browsertest

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
)

// CameraPhoto returns a picture as a phone takes it: stored sideways, with the rotation and the location in its metadata.
func CameraPhoto(t *testing.T, width, height int) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.Set(x, y, color.RGBA{uint8(x), uint8(y), 128, 255})
		}
	}
	var encoded bytes.Buffer
	if err := jpeg.Encode(&encoded, picture, nil); err != nil {
		t.Fatal(err)
	}
	order := binary.LittleEndian
	tiff := []byte("II*\x00\x08\x00\x00\x00")
	tiff = order.AppendUint16(tiff, 2)
	tiff = append(tiff, "\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"...) // Orientation: turned by 90 degrees
	tiff = append(tiff, "\x25\x88\x04\x00\x01\x00\x00\x00\x26\x00\x00\x00"...) // offset of the position
	tiff = append(tiff, 0, 0, 0, 0)
	tiff = order.AppendUint16(tiff, 1)
	tiff = append(tiff, "\x01\x00\x02\x00\x02\x00\x00\x00N\x00\x00\x00"...) // GPSLatitudeRef
	tiff = append(tiff, 0, 0, 0, 0)
	tiff = append(tiff, "GPS 48.137 N"...)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	text := append([]byte{0xFF, 0xD8, 0xFF, 0xE1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	text = append(append(text, segment...), encoded.Bytes()[2:]...)
	file := filepath.Join(t.TempDir(), "IMG 0001.jpg")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
