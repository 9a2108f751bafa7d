package main

import (
	"bytes"
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
	caseUpload = "upload files of 256 MiB"
	bareFile   = "bare file, written and synced"
)

// uploadFiles uploads files of the maximum size one after another, in turns with writing the same number of bytes without the service. All
// files have different contents.
func uploadFiles(r *rig, name string) ([]row, error) {
	const size = 256 << 20
	if r.data.size > smallSize {
		return nil, nil // the contents of the database make no difference
	}
	content := make([]byte, size)
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(content) // never fails
	files, floor := uint64(0), load.Result{}
	nothing := func(*load.Client) error { return nil }
	measured, err := r.alone(name, 3, nothing, func(*load.Client) (time.Duration, error) {
		files++
		binary.LittleEndian.PutUint64(content, files)
		started := time.Now()
		if err := writeFile(filepath.Join(r.folder, "bare"), content); err != nil {
			return 0, err
		}
		took := time.Since(started)
		floor.Requests++
		floor.Took += took
		floor.Latencies = append(floor.Latencies, took)
		started = time.Now()
		err := upload(r, content)
		return time.Since(started), err
	})
	if err != nil {
		return nil, err
	}
	floor.Sort()
	measured.Unit = "requests"
	measured.against(bareFile, &floor)
	measured.Note = fmt.Sprintf("%.0f MB/s against %.0f MB/s; %s at most, %s when idle", measured.PerSecond*size/1e6,
		measured.FloorPerSecond*size/1e6, table.Memory(measured.PeakMemory), table.Memory(measured.IdleMemory))
	return []row{measured}, nil
}

func upload(r *rig, content []byte) error {
	request, err := http.NewRequestWithContext(r.ctx, http.MethodPost, r.service.base+"/api/files", bytes.NewReader(content))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	said, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusCreated {
		err = fmt.Errorf("upload: status %d, %.200s", answer.StatusCode, said)
	}
	return errors.Join(err, answer.Body.Close())
}

// writeFile writes a file in pieces, syncs it and removes it.
func writeFile(name string, content []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	for len(content) > 0 && err == nil {
		var n int
		n, err = file.Write(content[:min(len(content), 64<<10)])
		content = content[n:]
	}
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(name))
}

func judgeFiles(o outcome, add addTarget, skip skipTarget) {
	const rate, rateWanted = "upload files of 256 MiB, against writing them", "at least 0.9"
	const memory, memoryWanted = "memory above idle while files of 256 MiB are uploaded", "at most 64 MiB"
	r := o.at(caseUpload, 0)
	if r == nil || r.PeakMemory == 0 {
		skip(rate, rateWanted)
		skip(memory, memoryWanted)
		return
	}
	add(rate, rateWanted, r.Ratio >= 0.9, table.Ratio(r.Ratio)+at(r))
	above := r.PeakMemory - r.IdleMemory
	add(memory, memoryWanted, above <= 64<<20, table.Memory(above)+at(r))
}
