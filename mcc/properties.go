package mcc

import "pnmc/query"

// Properties are read and resolved by package query.
type (
	// Property is one property of a file.
	Property = query.Property
	// UnreadError tells what of a property file could not be used.
	UnreadError = query.UnreadError
)
