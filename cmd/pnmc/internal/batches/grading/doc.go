// Package grading shows how well a batch went. It compares answers with those that are known to be
// right, gives scores as the contest does, and writes tables and a report.
//
// In come runs as pnmc/mcc/batch/history has them, and files of right answers. Out go tables of
// comma-separated values, a table for reading, and one page of HTML that needs no network. Next is
// the command batch.
//
//	oracle.go, rows.go    right answers, read row by row
//	summary.go, table.go  answers compared with them, and as tables
//	report.go, cactus.go  the page of it, and its curve
package grading
