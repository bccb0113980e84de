package partition

// UseUp has all blocks but so many be in use, so that numbers are the largest that there are.
func (s *Sets) UseUp(but uint32) { s.used.Store(mostBlocks - but) }

// UseUpRecords has all records but so many be in use.
func (s *Sets) UseUpRecords(but uint32) { s.recorded.Store(mostRecords - but) }
