package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIns makes a folder of programs for the book's commands: pnmc, which is the one under
// test; go, whose build -o FILE ./cmd/pnmc compares its flags and puts the one under test
// there; and, where Spot is not installed, ltl2tgba and ltl2tgta, for which pnmc translates.
func standIns(t *testing.T, root string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	programs := map[string]string{
		"pnmc": fmt.Sprintf("%s=program exec %q \"$@\"\n", asTranslator, self),
		"go": fmt.Sprintf(`real=%q own=%q root=%q
case "$1 $*" in build*" -o "*) ;; *) exec "$real" "$@" ;; esac
for word; do [ "$last" = -o ] && file=$word; last=$word; done
shift
(cd "$root" && "$real" build -n "$@" >/dev/null) 2>/dev/null || exit 2
mkdir -p "$(dirname "$file")" && cp "$own/pnmc" "$file"
`, programAt("go"), folder, root),
		"ltl2tgba": translating,
		"ltl2tgta": translating,
	}
	for name, script := range programs {
		if strings.HasPrefix(name, "ltl2") && programAt(name) != "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// translating is a translator with the options of Spot's that the book uses.
const translating = `to=tgba
for word; do
  case "$word" in -H | -f) ;; --tgta) to=tgta ;; -*) exit 2 ;; *) formula=$word ;; esac
done
exec pnmc translate --to $to "$formula"
`

func programAt(name string) string {
	path, _ := exec.LookPath(name)
	return path
}

// likeSource makes a folder look like that of the source, in which the book's commands run:
// what they write stays in it.
func likeSource(root, folder string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !strings.HasPrefix(name, ".") && !slices.Contains([]string{"bin", "dist"}, name) {
			if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
