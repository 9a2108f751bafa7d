package process

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
)

// SmallDisk mounts a file system of a size, such as "4m", for as long as a test runs, and returns its folder. Where that is
// not allowed the test is skipped, or fails when it has to run.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	mount := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder) //nolint:gosec // of a test
	if out, err := mount.CombinedOutput(); err != nil {
		Missing(t, "tmpfs", fmt.Sprintf("the right to mount a tmpfs: %v: %s", err, out))
	}
	t.Cleanup(func() {
		unmount := exec.CommandContext(context.Background(), "umount", folder) //nolint:gosec // ours
		if out, err := unmount.CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return folder
}
