package lanes

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// A Team is members that do the same work on different things, such as an engine on one question
// each. It begins as the lane that makes it. Where fewer lanes are at work than there are threads,
// Start adds a lane. Nobody waits for a thread: what no other member can take up now the first one
// comes to later.
//
// Teams share threads evenly. A team that has work for one more, and finds no thread, says so. Then
// those that are larger by two or more let a member go at the next opportunity (Leave), and those
// that are not smaller add none.
//
// For example, of 8 threads three lanes use one each. The first makes a team for ten questions, which
// grows to six. The second does so a little later, and finds no thread. Members of the first team that
// are done with a question leave until both have three or four.
//
// A context that is of no lane makes a team, too: its members are goroutines that nobody counts.
type Team struct {
	turns   *Turnstile      // nil: of no lane
	base    context.Context // of new members
	mutex   *sync.Mutex     // the turnstile's, if there is one; guards what follows
	size    int             // members, the first among them unless it waits
	wants   bool            // it had work for one more
	taking  int             // members that took threads
	members sync.WaitGroup  // but for the first
}

// teamKey is the key under which the context of a member has its team.
type teamKey struct{}

// NewTeam returns a team of the lane of ctx, and the context in which its first member works. The team
// is nil, and ctx as it was, if there is one thread only. Close ends the team.
func NewTeam(ctx context.Context) (*Team, context.Context) {
	t := turnstileOf(ctx)
	m := &Team{turns: t, size: 1, base: ctx, mutex: new(sync.Mutex)}
	if t == nil {
		return m, ctx
	}
	if _, ok := ctx.(*laneContext); t.all() == 1 || t.threads > 0 && !ok { // looks are those of one lane
		return nil, ctx
	}
	m.base, m.mutex = context.WithValue(Plain(ctx), teamKey{}, m), &t.mutex
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.teams = append(t.teams, m)
	return m, Of(ctx, m.base)
}

// Start makes work be done by one member more, if there is a thread for it, and fewer than most are at
// work. Work is given the context of the member, and reports whether it ended because Leave told it to.
func (m *Team) Start(most int, work func(ctx context.Context) (left bool)) (started bool) {
	if m == nil {
		return false
	}
	m.mutex.Lock()
	if m.wants = false; m.size < most {
		started = m.turns == nil || m.turns.unused() > 0 && !m.largerThan(0)
		m.wants = !started
	}
	if started {
		m.add(1)
	}
	m.mutex.Unlock()
	if !started {
		return false
	}
	t, lane, place := m.turns, m.base, (chan struct{})(nil)
	if t != nil && t.threads > 0 {
		t.count(1)
		lane, place = &laneContext{m.base, &laneState{turns: t}}, t.queue()
	}
	m.members.Go(func() {
		if place != nil {
			<-place
			defer t.release()
			defer t.count(-1)
		}
		if !work(lane) {
			m.mutex.Lock()
			defer m.mutex.Unlock()
			m.add(-1)
		}
	})
	return true
}

// Content notes that the team has no work for one more.
func (m *Team) Content() {
	if m != nil {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.wants = false
	}
}

// Leave reports whether the member that asks, which is not the first, is to end: where more than most are
// at work, where there are more lanes than threads, or where another team needs a thread more than this. It
// counts as ended then.
func (m *Team) Leave(most int) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	leaves := m.size > most
	if m.turns != nil && !leaves {
		unused := m.turns.unused() // that which there is, the other team may take
		leaves = unused < 0 || unused == 0 && m.largerThan(1)
	}
	if leaves {
		m.add(-1)
	}
	return leaves
}

// Wait waits until all members but the first have ended, of whose lane ctx is.
func (m *Team) Wait(ctx context.Context) {
	if m == nil {
		return
	}
	m.Content()
	if m.alone() {
		return
	}
	m.count(-1)
	defer m.count(1)
	Rest(ctx, m.members.Wait)
}

// alone reports whether the first member is the only one.
func (m *Team) alone() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.size == 1
}

// count counts members, of which busy knows already.
func (m *Team) count(members int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.size += members
}

// Close ends the team, whose members have all ended but for the first.
func (m *Team) Close() {
	if m == nil || m.turns == nil {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.turns.teams = slices.DeleteFunc(m.turns.teams, func(other *Team) bool { return other == m })
}

// add counts members, with the mutex held.
func (m *Team) add(members int) {
	m.size += members
	if m.turns != nil {
		m.turns.busy.Add(int64(members))
	}
}

// largerThan reports whether a team has work for one more that is smaller by more than by. It is called with the
// mutex held.
func (m *Team) largerThan(by int) bool {
	for _, other := range m.turns.teams {
		if other != m && other.wants && other.size+by < m.size {
			return true
		}
	}
	return false
}

// leftShare says which part of the free threads is left by an engine that takes some beside others.
const leftShare = 3

// othersWant reports whether a team other than m has work for one more. It is called with the mutex held.
func (t *Turnstile) othersWant(m *Team) bool {
	return slices.ContainsFunc(t.teams, func(other *Team) bool { return other != m && other.wants })
}

// all returns how many threads there are: the turns, or without a bound the processors.
func (t *Turnstile) all() int {
	if t.threads > 0 {
		return t.threads
	}
	return runtime.GOMAXPROCS(0)
}

// unused returns how many threads no lane uses; less than 0 if there are more lanes than threads.
func (t *Turnstile) unused() int { return t.all() - int(t.busy.Load()) }

// Take gives an engine threads to work with, itself among them, but no more than most, until release is
// called. These are its own and those that nobody uses; or of these, if it works for a member of a team, the
// share of one member. Where other lanes are at work, a third of them is left, as these may make teams later, and
// none are given where a team waits for one. A lane that waits for a mutex is at work here. It gets 1 at least, and that alone where ctx is of no lane.
//
// Of 64 threads, let 3 lanes use one each. One that takes all it can gets 42. If instead it is a team of 16, 46
// are free. Most members get 4 threads then, and the last ones 3.
func Take(ctx context.Context, most int) (threads int, release func()) {
	t := turnstileOf(ctx)
	if t == nil || most <= 1 {
		return 1, func() {}
	}
	m, _ := ctx.Value(teamKey{}).(*Team)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	// A lane that begins or ceases to wait meanwhile is in the one number first, and then no more in the other.
	before, busy := t.soon.Load(), int(t.busy.Load())
	busy += int(max(before, t.soon.Load()))
	free, members := max(0, t.all()-busy), 1
	if m != nil {
		members = max(1, m.size-m.taking)
		m.taking++
	}
	switch {
	case t.othersWant(m):
		free = 0
	case members == 1 && busy > 1:
		free -= free / leftShare
	}
	more := min(most-1, (free+members-1)/members)
	t.busy.Add(int64(more))
	return 1 + more, func() {
		t.busy.Add(int64(-more))
		if m != nil {
			t.mutex.Lock()
			defer t.mutex.Unlock()
			m.taking--
		}
	}
}
