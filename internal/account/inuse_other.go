//go:build !linux || race

package account

// InUse returns the memory that the process has now, as far as the language's runtime knows,
// and about what the program's own code and tables take beside. It does so with the race
// detector, too. That keeps a shadow of all memory ever touched and gives none of it back,
// so the resident memory says little about the program.
func InUse() int64 { return goMemory() + programBytes }
