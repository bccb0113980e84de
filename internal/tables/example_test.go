package tables_test

import (
	"fmt"
	"strings"

	"pnmc/internal/tables"
)

// A page names the policy before its script, which makes a table of class "sorts" sort. The policy
// allows this script by its hash, and nothing from elsewhere.
func ExamplePolicy() {
	page := `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="` + tables.Policy() + `">` +
		"<style>" + tables.Style + "</style>" +
		`<table class="sorts"><tr><th>net<th>states<tr><td>Kanban<td>2546432</table>` +
		"<script>" + tables.Script + "</script>"
	for directive := range strings.SplitSeq(tables.Policy(), "; ") {
		if before, _, isHash := strings.Cut(directive, "'sha256-"); isHash {
			directive = before + "the hash of the script"
		}
		fmt.Println(directive)
	}
	fmt.Println(strings.Count(page, tables.Script), "script")
	// Output:
	// default-src 'none'
	// script-src the hash of the script
	// style-src 'unsafe-inline'
	// img-src data:
	// base-uri 'none'
	// form-action 'none'
	// 1 script
}
