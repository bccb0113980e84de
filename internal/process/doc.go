// Package process does with processes and files what each operating system does otherwise.
//
// In come commands that this process starts, and files that it alone may write; out go
// processes that end when this one ends (DieTogether), that the terminal does not interrupt
// (Apart), what one took of memory (Memory, Peak, PeakOf), and whether a file is free (Lock).
// Where a system lacks something, the function does nothing or returns zero. Next are packages
// mcc/batch and cmd/pnmc, which start a process for each run.
package process
