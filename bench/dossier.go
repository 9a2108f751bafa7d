package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/table"
)

const (
	caseDossier  = "dossier of a unit with 200 entries, 100 readings and 20 MB of files"
	bareReading  = "bare files, read and hashed"
	dossierSteps = 100
	dossierFiles = 4
	dossierBytes = 5 << 20 // of a file
)

// makeDossiers downloads the dossier of a unit again and again, in turns with reading and hashing the same bytes without the service. The
// duration of the floor is for the whole; FirstByte is the time until the dossier begins.
func makeDossiers(r *rig, name string) ([]row, error) {
	if r.data.size > smallSize {
		return nil, nil // the contents of the database make no difference
	}
	unit, content := "", make([]byte, dossierFiles*dossierBytes)
	_, _ = rand.NewChaCha8([32]byte{}).Read(content) // never fails
	bare := filepath.Join(r.folder, "bare-dossier")
	if err := os.WriteFile(bare, content, 0o600); err != nil {
		return nil, err
	}
	var floor, begins load.Result
	begin := func(*load.Client) (err error) { unit, err = r.dossierUnit(content); return err }
	measured, err := r.alone(name, 5, begin, func(*load.Client) (time.Duration, error) {
		took, err := readHashed(bare)
		if err != nil {
			return 0, err
		}
		floor.Requests++
		floor.Took += took
		floor.Latencies = append(floor.Latencies, took)
		first, whole, err := r.downloadDossier(unit)
		begins.Latencies = append(begins.Latencies, first)
		return whole, err
	})
	if err != nil {
		return nil, err
	}
	floor.Sort()
	begins.Sort()
	measured.Unit, measured.FirstByte = "requests", begins.Quantile(0.5)
	measured.against(bareReading, &floor)
	measured.Note = fmt.Sprintf("begins after %s", table.Duration(measured.FirstByte))
	return []row{measured}, errors.Join(err, os.Remove(bare))
}

// dossierUnit creates the unit of the dossiers.
func (r *rig) dossierUnit(content []byte) (unit string, err error) {
	send := func(method, path string, body map[string]any, into any) {
		if err == nil {
			err = post(http.DefaultClient, method, r.service.base+path, body, into)
		}
	}
	var job struct{ ID string }
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	var made []struct{ ID string }
	steps := make([]map[string]any, dossierSteps)
	for i := range steps {
		steps[i] = map[string]any{"name": fmt.Sprintf("Step %d", i)}
	}
	send(http.MethodPost, "/api/jobs", map[string]any{"name": "Dossier", "goalQuantity": 1}, &job)
	send(http.MethodPost, "/api/paths", map[string]any{"jobId": job.ID, "name": "p", "goalQuantity": 1, "steps": steps}, &path)
	for i := range path.Steps {
		send(http.MethodPut, "/api/steps/"+path.Steps[i].ID+"/characteristics", map[string]any{
			"characteristics": []map[string]any{{"number": "1", "name": "Bore", "type": "number", "unit": "mm", "upper": "9"}},
			"userId":          "bench",
		}, nil)
	}
	send(http.MethodPost, "/api/serials", map[string]any{"jobId": job.ID, "pathId": path.ID, "quantity": 1, "userId": "bench"}, &made)
	if err != nil || len(made) == 0 {
		return "", errors.Join(err, errors.New("no unit was created"))
	}
	unit = "/api/serials/" + made[0].ID
	for i := range dossierFiles {
		piece := content[i*dossierBytes : (i+1)*dossierBytes]
		binary.LittleEndian.PutUint64(piece, uint64(i)+uint64(time.Now().UnixNano())) // no file is known already
		if err := upload(r, piece); err != nil {
			return "", err
		}
		send(http.MethodPost, unit+"/files", map[string]any{
			"sha256": fmt.Sprintf("%x", sha256.Sum256(piece)), "name": "file", "kind": "other", "userId": "bench",
		}, nil)
	}
	for range dossierSteps {
		send(http.MethodPost, unit+"/measurements", map[string]any{
			"values": []map[string]any{{"characteristic": "1", "value": "8.5"}}, "userId": "bench",
		}, nil)
		send(http.MethodPost, unit+"/advance", map[string]any{"userId": "bench"}, nil)
	}
	return unit, err
}

// downloadDossier returns the times until the first byte and until the last.
func (r *rig) downloadDossier(unit string) (first, whole time.Duration, err error) {
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.service.base+unit+"/dossier.zip", http.NoBody)
	if err != nil {
		return 0, 0, err
	}
	started := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, 0, err
	}
	if _, err := io.ReadFull(response.Body, make([]byte, 1)); err != nil {
		return 0, 0, errors.Join(err, response.Body.Close())
	}
	first = time.Since(started)
	_, err = io.Copy(io.Discard, response.Body)
	whole = time.Since(started)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("dossier: status %d", response.StatusCode)
	}
	return first, whole, errors.Join(err, response.Body.Close())
}

// readHashed reads a file and hashes it, and returns the duration.
func readHashed(name string) (time.Duration, error) {
	started := time.Now()
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(sha256.New(), file)
	return time.Since(started), errors.Join(err, file.Close())
}

func judgeDossier(o outcome, add addTarget, skip skipTarget) {
	const name, wanted = "beginning of the dossier of a unit with 200 entries", "within 100 ms"
	r := o.at(caseDossier, 0)
	if r == nil {
		skip(name, wanted)
		return
	}
	add(name, wanted, r.FirstByte <= 100*time.Millisecond, table.Duration(r.FirstByte)+at(r))
}
