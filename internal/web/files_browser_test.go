package web_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// cameraPhoto is a picture as a phone takes it: lying on its side, with a note to turn it and with where it was taken.
func cameraPhoto(t *testing.T, width, height int) string {
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
	tiff = append(tiff, "\x25\x88\x04\x00\x01\x00\x00\x00\x26\x00\x00\x00"...) // where the position is
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

// F6: a photo from a phone is made smaller, stands upright and does not tell where it was taken; one whose connection was lost is
// attached when the person tries again, once.
func TestAPhotoIsAttachedInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t, "--max-file-size", "100000000")
	var job struct{ ID string }
	s.post("/api/jobs", fields{"name": "Valve body", "goalQuantity": 1}, &job)
	b := s.open()
	b.visit("/jobs/" + job.ID)
	b.work("Dana")
	b.choose("[data-attach] [name=kind]", "photo")
	const input = `[data-attach] input[multiple]`
	send := func(file string) {
		b.there(input)
		b.do("choose a photo", chromedp.SetUploadFiles(chromedp.CSS(input), []string{file}))
	}
	send(cameraPhoto(t, 4000, 3000))
	b.says("IMG 0001.jpg: attached")
	var links []struct{ SHA256, Type, Name string }
	s.get("/api/jobs/"+job.ID+"/files", &links)
	if len(links) != 1 || links[0].Type != "image/jpeg" || links[0].Name != "IMG 0001.jpg" {
		t.Fatalf("attached are %+v", links)
	}
	response, err := http.Get(s.url + "/api/files/" + links[0].SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(text))
	if err != nil || config.Width != 1920 || config.Height != 2560 {
		t.Errorf("it is %d by %d, %v", config.Width, config.Height, err)
	}
	if bytes.Contains(text, []byte("Exif")) || bytes.Contains(text, []byte("GPS")) {
		t.Error("it tells what the camera wrote into it")
	}

	// The page does not send a file that the service would refuse.
	large := filepath.Join(t.TempDir(), "large.txt")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 100_000_001)); err != nil {
		t.Fatal(err)
	}
	send(large)
	b.says("large.txt: This is no picture. Choose another kind to attach it.")
	b.choose("[data-attach] [name=kind]", "other")
	send(large)
	b.says("large.txt: A file may have at most 100 MB.")
	b.choose("[data-attach] [name=kind]", "photo")

	s.stop()
	send(cameraPhoto(t, 300, 200))
	b.says("The connection was lost.")
	s.start()
	b.click(`[data-attach] li button`)
	b.wait("it is attached", `[...document.querySelectorAll("[data-attach] li.good")].length === 2`)
	s.get("/api/jobs/"+job.ID+"/files", &links)
	if len(links) != 2 {
		t.Errorf("attached are %+v", links)
	}
}
