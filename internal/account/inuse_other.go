//go:build !linux || race

package account

// InUse returns the memory that the process has now, as far as the language's runtime knows,
// and about what the program's own code and tables take beside. It does so with the race
// detector, too, which keeps a shadow of all memory ever touched and gives nothing of it
// back: what is resident then says little about the program.
func InUse() int64 { return goMemory() + programBytes }
