package httpapi

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

// TestSpentMemory asks for more than is left, in vain and until somebody gives back.
func TestSpentMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		budget := newMemory(10 << 10)
		first, second := &share{of: budget, ctx: t.Context()}, &share{of: budget, ctx: t.Context()}
		text := `{"x":"` + strings.Repeat("x", 4000) + `"}`
		if _, err := readObject(strings.NewReader(text), int64(len(text)), first); err != nil {
			t.Fatal(err)
		}
		if _, err := readObject(strings.NewReader(text), int64(len(text)), second); !errors.Is(err, errBusy) {
			t.Errorf("with the budget spent: %v", err)
		}
		read := make(chan error)
		go func() {
			_, err := readObject(strings.NewReader(text), -1, second)
			read <- err
		}()
		synctest.Wait()
		first.giveBack()
		if err := <-read; err != nil {
			t.Errorf("with the budget given back: %v", err)
		}
		second.giveBack()
		if budget.left != 10<<10 {
			t.Errorf("%d bytes are left", budget.left)
		}
	})
}
