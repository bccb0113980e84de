package tables_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"pnmc/internal/tables"
)

// TestPolicyAllowsTheScriptAlone compares the policy with the hash of the script as a browser
// computes it, and sees that nothing is loaded.
func TestPolicyAllowsTheScriptAlone(t *testing.T) {
	sum := sha256.Sum256([]byte(tables.Script))
	source := "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	policy := tables.Policy()
	if !strings.Contains(policy, source+";") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("%s does not have %s", policy, source)
	}
	for _, loaded := range []string{"http:", "https:", "src=", "import(", "fetch("} {
		if strings.Contains(tables.Script, loaded) || strings.Contains(policy, loaded) {
			t.Errorf("the script or its policy loads by %s", loaded)
		}
	}
}
