// Package start keeps the start of the program small.
//
// In comes a program whose packages set up their variables, one after the other, before main begins. They touch code and
// constants all over it, and each page that is touched brings its neighbours. Go sets packages up in the order of their paths, as
// far as those that they import are ready. So this one comes in the middle, and gives back what those before it
// have touched. Next is cmd/pnmc, which does the same when it begins, and before it explores.
package start

import "pnmc/internal/process"

func init() { process.ForgetProgram() }
