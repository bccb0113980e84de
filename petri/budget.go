package petri

import "pnmc/internal/account"

// Budget limits the memory of an exploration. Time comes through a context.
type Budget = account.Budget

// MemoryError says that the memory budget is spent.
type MemoryError = account.MemoryError
