// Package policy names texts for the content security policy of a page.
//
// In comes a script or a style of the page. Out goes the source that the policy needs so that
// a browser uses this text and no other. Packages view and tables make such pages. It follows
// the W3C's "Content Security Policy Level 3", section 2.3.1.
package policy

import (
	"crypto/sha256"
	"encoding/base64"
)

// Source returns how a policy names a text, without the quotes around it.
func Source(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
