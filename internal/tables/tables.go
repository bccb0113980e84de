// Package tables makes tables of HTML pages sort and filter, without a network.
//
// In comes a page with <table class="sorts">; Script, placed in it once, makes a button of
// each heading in the first row, and puts a field above a table of many rows that shows
// only those with some text. Without scripts the tables stay as they are. Policy lets the
// page run this script and load nothing. Reports of mcc/batch and experiment use it.
package tables

import (
	_ "embed"

	"pnmc/internal/policy"
)

// Script is the text of the script.
//
//go:embed tables.js
var Script string

// Style is how headings and fields look.
const Style = `th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
th button::after { content: " ↕"; opacity: .35; } th[aria-sort=ascending] button::after { content: " ↑"; opacity: 1; } th[aria-sort=descending] button::after { content: " ↓"; opacity: 1; }
.filter { display: block; margin: 8px 0; color: inherit; font-size: 13px; } .filter input { font: inherit; padding: 3px 8px; min-width: 18em; }`

// Policy is a content security policy for a page with Script.
func Policy() string {
	return "default-src 'none'; script-src '" + policy.Source([]byte(Script)) + "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}
