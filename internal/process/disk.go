package process

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
)

// SmallDisk mounts a file system of a size, such as "4m", while a test runs, and returns its folder. If mounting is not allowed, the test
// is skipped, or fails if it is required.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	mount := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder) //nolint:gosec // of a test
	if out, err := mount.CombinedOutput(); err != nil {
		Missing(t, "tmpfs", fmt.Sprintf("the right to mount a tmpfs: %v: %s", err, out))
	}
	t.Cleanup(func() {
		unmount := exec.CommandContext(context.Background(), "umount", folder) //nolint:gosec // the folder was created above
		if out, err := unmount.CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return folder
}
