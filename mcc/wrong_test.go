package mcc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/petritest"
	"pnmc/pnml"
	"pnmc/query"
)

// TestWrongPropertiesAreJoinedOnce: errors joined one to the next have a text that takes
// squares of time, and a file may have thousands.
func TestWrongPropertiesAreJoinedOnce(t *testing.T) {
	folder := t.TempDir()
	var model bytes.Buffer
	if err := pnml.Write(&model, petritest.Philosophers(2)); err != nil {
		t.Fatal(err)
	}
	queries := &strings.Builder{}
	queries.WriteString(`<property-set xmlns="http://mcc.lip6.fr/">`)
	const wrong = 300
	for i := range wrong {
		fmt.Fprintf(queries, "<property><id>p%d</id><formula><place-bound><place>nowhere</place></place-bound></formula></property>\n", i)
	}
	queries.WriteString("</property-set>")
	for name, content := range map[string]string{"model.pnml": model.String(), "CTLCardinality.xml": queries.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unread := (*query.UnreadError)(nil)
	err := Run(t.Context(), folder, "CTLCardinality", Options{Time: time.Minute}, io.Discard)
	if !errors.As(err, &unread) || len(unread.IDs) != wrong {
		t.Fatalf("%v, want %d wrong properties", err, wrong)
	}
	if n := depthOfJoined(unread.Err); n > 5 {
		t.Errorf("errors are joined %d deep", n)
	}
}

// depthOfJoined returns how deep errors are joined in one another.
func depthOfJoined(err error) (depth int) {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range list.Unwrap() {
			depth = max(depth, 1+depthOfJoined(e))
		}
	}
	return depth
}
