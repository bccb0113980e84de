//go:build !linux

package account

// InUse is the memory that the process has now, as far as the language's runtime knows,
// and about what the program's own code and tables take beside.
func InUse() int64 { return goMemory() + 16<<20 }
