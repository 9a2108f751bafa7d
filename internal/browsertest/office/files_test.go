package office_test

import (
	"bytes"
	"errors"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// docs/files.md, "Drawings and instructions": A photo from a phone is scaled down and rotated upright, and does not reveal where it was
// taken. If the connection is lost during the upload of a photo and the user tries again, the photo is attached once.
func TestAPhotoIsAttachedInTheBrowser(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t, "--max-file-size", "100000000")
	var job struct{ ID string }
	s.Post("/api/jobs", browsertest.Fields{"name": "Valve body", "goalQuantity": 1}, &job)
	b := s.Open()
	b.Visit("/jobs/" + job.ID)
	b.Work("Dana")
	b.Choose("[data-attach] [name=kind]", "photo")
	const input = `[data-attach] input[multiple]`
	send := func(file string) {
		b.There(input)
		b.Do("choose a photo", chromedp.SetUploadFiles(chromedp.CSS(input), []string{file}))
	}
	send(browsertest.CameraPhoto(t, 4000, 3000))
	b.Says("IMG 0001.jpg: attached")
	var links []struct{ SHA256, Type, Name string }
	s.Get("/api/jobs/"+job.ID+"/files", &links)
	if len(links) != 1 || links[0].Type != "image/jpeg" || links[0].Name != "IMG 0001.jpg" {
		t.Fatalf("attached are %+v", links)
	}
	response, err := http.Get(s.URL + "/api/files/" + links[0].SHA256)
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
	b.Says("large.txt: This is no picture. Choose another kind to attach it.")
	b.Choose("[data-attach] [name=kind]", "other")
	send(large)
	b.Says("large.txt: A file may have at most 100 MB.")
	b.Choose("[data-attach] [name=kind]", "photo")

	s.Stop()
	send(browsertest.CameraPhoto(t, 300, 200))
	b.Says("The connection was lost.")
	s.Start()
	b.Click(`[data-attach] li button`)
	b.Wait("it is attached", `[...document.querySelectorAll("[data-attach] li.good")].length === 2`)
	s.Get("/api/jobs/"+job.ID+"/files", &links)
	if len(links) != 2 {
		t.Errorf("attached are %+v", links)
	}
}
