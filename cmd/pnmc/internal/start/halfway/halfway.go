// Package halfway does what package start does, a little later.
//
// In comes a program whose packages set up their variables, out it goes without what they have touched of it. This package
// imports what is set up after the largest tables of others. So it is set up next. Package start says why; next is cmd/pnmc.
package halfway

import (
	_ "pnmc/internal/account" // late: it reads figures of the runtime, which have tables of their own
	"pnmc/internal/process"
)

func init() { process.ForgetProgram() }
