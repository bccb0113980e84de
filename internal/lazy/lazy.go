// Package lazy makes values of packages when they are first asked for.
//
// A variable of a package that is a map, a regular expression or a parser is made whenever the
// program starts, whatever it is to do: that takes memory, and code and tables that would not be
// read otherwise. A Value with a function is laid out by the compiler, so that the package has
// nothing to do at the start. (sync.OnceValue has the same aim, but is a call itself.) Callers are
// all packages that have tables; TestStartIsSmall in cmd/pnmc looks at the sum.
package lazy

import "sync"

// Value is what Make returns, which is called once. It may be used by several threads, and
// must not be copied after first use.
//
//	var word = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`^\w+$`) }}
type Value[T any] struct {
	Make func() T

	once sync.Once
	made T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.made = v.Make() })
	return v.made
}
