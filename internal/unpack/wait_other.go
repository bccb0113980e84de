//go:build !unix

package unpack

// withoutWaiting is nothing where no file is a pipe.
const withoutWaiting = 0
