// Package tables makes tables of HTML pages sort and filter, without a network.
//
// In comes a page with <table class="sorts">. Script, placed in it once, makes a button of
// each heading in the first row. Above a table of many rows it puts a field that filters
// rows by a text. Without scripts the tables stay as they are. Policy lets the page run
// this script and load nothing. Reports of mcc/batch and experiment use it.
package tables

import (
	_ "embed"

	"pnmc/internal/policy"
)

// Script is the text of the script.
//
//go:embed tables.js
var Script string

// Style is the colours of a report, in the light and in the dark, and how headings and fields
// of tables look.
const Style = `:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --faint: #5c6b7a; --line: #dde3e9; --head: #f3f6f9; --good: #1c7c4a; --bad: #b3261e; --gap: #955900; --link: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14171a; --faint: #9aa5b0; --line: #363d44; --head: #20262c; --good: #3ecf9f; --bad: #ff8a80; --gap: #ffad33; --link: #6cb8ff; } }
body { color: var(--ink); background: var(--paper); } a, summary { color: var(--link); } .none { color: var(--faint); }
th, td { padding: 4px 9px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; } th { background: var(--head); font-weight: 600; vertical-align: bottom; white-space: normal; }
.wrong { color: var(--bad); font-weight: 600; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
th button::after { content: "\00a0↕"; opacity: .35; } th[aria-sort=ascending] button::after { content: "\00a0↑"; opacity: 1; } th[aria-sort=descending] button::after { content: "\00a0↓"; opacity: 1; }
.filter { display: block; margin: 8px 0; color: inherit; font-size: 13px; } .filter input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--faint); border-radius: 5px; padding: 3px 8px; min-width: 18em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }`

// Policy returns a content security policy for a page with Script.
func Policy() string {
	return "default-src 'none'; script-src '" + policy.Source([]byte(Script)) + "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}
