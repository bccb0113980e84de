package logic

import "pnmc/logic/internal/reading"

// SyntaxError is what a parser finds wrong with its input, and where.
type SyntaxError = reading.SyntaxError

// Ambiguity is what a Vocabulary may tell besides, for messages only.
type Ambiguity = reading.Ambiguity

// Limit is asked before a reader takes so many bytes.
type Limit = reading.Limit

// LimitError is the error of a Limit.
type LimitError = reading.LimitError

// TooLargeError is the error of one line of a file of formulas that has a limit of its own.
type TooLargeError = reading.TooLargeError
