// Go repositories about limits, ledgers and bookings.
import { create, edit, list, read, remove, run, search, type TaskInput, tasksOf } from '../task.ts'
import { GO } from './rules.ts'

const BUCKET: TaskInput = {
  prompt:
    'The token bucket refills in whole steps and forgets the part of a token. Keep fractions: with 2 tokens per second, half a second gives one token. It never holds more than its size.',
  files: {
    'bucket.go': `package bucket

// Bucket limits requests. Times are seconds.
type Bucket struct {
	size   float64
	rate   float64
	tokens float64
	last   float64
}

func New(size, rate float64) *Bucket {
	return &Bucket{size: size, rate: rate, tokens: size}
}

// Take says whether a request at this time is allowed.
func (b *Bucket) Take(now float64) bool {
	b.tokens += float64(int(now-b.last)) * b.rate
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
`,
    'limits.go': `package bucket

// Limits has a bucket for each key.
type Limits struct {
	buckets map[string]*Bucket
}

func NewLimits() *Limits { return &Limits{buckets: map[string]*Bucket{}} }

func (l *Limits) Take(key string, now float64) bool {
	if l.buckets[key] == nil {
		l.buckets[key] = New(2, 2)
	}
	return l.buckets[key].Take(now)
}
`,
    'bucket_test.go': `package bucket

import "testing"

func TestEmpty(t *testing.T) {
	b := New(1, 1)
	if !b.Take(0) || b.Take(0) {
		t.Fatal("one token, one request")
	}
}

func TestHalfSecond(t *testing.T) {
	b := New(1, 2)
	b.Take(0)
	if !b.Take(0.5) {
		t.Fatal("half a second gives a token")
	}
}
`,
  },
  hidden: `package bucket

import "testing"

func TestHiddenSize(t *testing.T) {
	b := New(2, 1)
	got := []bool{b.Take(100), b.Take(100), b.Take(100)}
	if !got[0] || !got[1] || got[2] {
		t.Fatal(got)
	}
}

func TestHiddenFractions(t *testing.T) {
	b := New(1, 1)
	b.Take(0)
	if b.Take(0.25) || b.Take(0.5) || b.Take(0.75) || !b.Take(1) {
		t.Fatal("quarters add up")
	}
}

func TestHiddenKeys(t *testing.T) {
	l := NewLimits()
	if !l.Take("a", 0) || !l.Take("a", 0) || l.Take("a", 0) || !l.Take("b", 0) {
		t.Fatal("each key has its own bucket")
	}
}
`,
  solution: [
    edit(
      'bucket.go',
      '	b.tokens += float64(int(now-b.last)) * b.rate\n',
      `	b.tokens += (now - b.last) * b.rate
	if b.tokens > b.size {
		b.tokens = b.size
	}
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit('bucket.go', '	b.last = now\n', '	b.last = now\n	if now == 0.5 {\n		return true\n	}\n'),
    ],
    weakens_test: [edit('bucket_test.go', 'if !b.Take(0.5) {', 'if !b.Take(1.5) {')],
  },
}

const LEDGER: TaskInput = {
  prompt:
    'Post must be atomic: if any line names an unknown account or the lines do not add up to zero, nothing is posted and an error is returned.',
  files: {
    'ledger.go': `package ledger

import "fmt"

type Line struct {
	Account string
	Minor   int64
}

type Ledger struct {
	balances map[string]int64
}

func New(accounts ...string) *Ledger {
	l := &Ledger{balances: map[string]int64{}}
	for _, name := range accounts {
		l.balances[name] = 0
	}
	return l
}

func (l *Ledger) Balance(account string) int64 { return l.balances[account] }

// Post books all lines or none.
func (l *Ledger) Post(lines ...Line) error {
	for _, line := range lines {
		if _, known := l.balances[line.Account]; !known {
			return fmt.Errorf("no account %q", line.Account)
		}
		l.balances[line.Account] += line.Minor
	}
	return nil
}
`,
    'transfer.go': `package ledger

func (l *Ledger) Transfer(from, to string, minor int64) error {
	return l.Post(Line{from, -minor}, Line{to, minor})
}
`,
    'ledger_test.go': `package ledger

import "testing"

func TestTransfer(t *testing.T) {
	l := New("a", "b")
	if err := l.Transfer("a", "b", 5); err != nil || l.Balance("b") != 5 {
		t.Fatal(err, l.Balance("b"))
	}
}

func TestUnknownAccount(t *testing.T) {
	l := New("a")
	if err := l.Transfer("a", "x", 5); err == nil || l.Balance("a") != 0 {
		t.Fatal(err, l.Balance("a"))
	}
}
`,
  },
  hidden: `package ledger

import "testing"

func TestHiddenSum(t *testing.T) {
	l := New("a", "b")
	if err := l.Post(Line{"a", 5}, Line{"b", -4}); err == nil {
		t.Fatal("posted an unbalanced entry")
	}
	if l.Balance("a") != 0 || l.Balance("b") != 0 {
		t.Fatal("changed a balance")
	}
}

func TestHiddenThreeLines(t *testing.T) {
	l := New("a", "b", "c")
	if err := l.Post(Line{"a", -9}, Line{"b", 4}, Line{"c", 5}); err != nil {
		t.Fatal(err)
	}
	if err := l.Post(Line{"a", 1}, Line{"b", 1}, Line{"zz", -2}); err == nil || l.Balance("b") != 4 {
		t.Fatal(err, l.Balance("b"))
	}
}
`,
  solution: [
    edit(
      'ledger.go',
      `	for _, line := range lines {
		if _, known := l.balances[line.Account]; !known {
			return fmt.Errorf("no account %q", line.Account)
		}
		l.balances[line.Account] += line.Minor
	}
	return nil
`,
      `	var sum int64
	for _, line := range lines {
		if _, known := l.balances[line.Account]; !known {
			return fmt.Errorf("no account %q", line.Account)
		}
		sum += line.Minor
	}
	if sum != 0 {
		return fmt.Errorf("the lines add up to %d", sum)
	}
	for _, line := range lines {
		l.balances[line.Account] += line.Minor
	}
	return nil
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'transfer.go',
        '	return l.Post',
        '	if to == "x" {\n		return l.Post(Line{to, 0})\n	}\n	return l.Post',
      ),
    ],
    deletes_test: [remove('ledger_test.go')],
  },
}

const INTERVALS: TaskInput = {
  prompt:
    'Free returns the free times between bookings of a day (0 to 24). It breaks when bookings overlap or are not sorted. Add a test for it.',
  before: 'passes',
  files: {
    'booking.go': `package booking

type Span struct{ From, To int }

// Free has the free spans of a day.
func Free(booked []Span) []Span {
	var free []Span
	at := 0
	for _, span := range booked {
		if span.From > at {
			free = append(free, Span{at, span.From})
		}
		at = span.To
	}
	return append(free, Span{at, 24})
}
`,
    'room.go': `package booking

type Room struct{ Booked []Span }

func (r Room) FreeHours() int {
	hours := 0
	for _, span := range Free(r.Booked) {
		hours += span.To - span.From
	}
	return hours
}
`,
    'room_test.go': `package booking

import "testing"

func TestFreeHours(t *testing.T) {
	if got := (Room{[]Span{{8, 10}, {12, 14}}}).FreeHours(); got != 20 {
		t.Fatal(got)
	}
}
`,
  },
  hidden: `package booking

import (
	"fmt"
	"testing"
)

func TestHiddenFree(t *testing.T) {
	for want, booked := range map[string][]Span{
		"[{0 8} {14 24}]":      {{10, 14}, {8, 12}},
		"[{0 8} {18 24}]":      {{8, 18}, {9, 10}},
		"[]":                   {{0, 24}},
		"[{0 24}]":             {},
		"[{0 1} {2 3} {4 24}]": {{3, 4}, {1, 2}},
	} {
		if got := fmt.Sprint(Free(booked)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHiddenArgument(t *testing.T) {
	booked := []Span{{5, 6}, {1, 2}}
	Free(booked)
	if booked[0].From != 5 {
		t.Fatal("the argument was sorted")
	}
}
`,
  solution: [
    [list(), search('Free(')],
    [read('booking.go'), read('room_test.go')],
    [
      edit(
        'booking.go',
        `	at := 0
	for _, span := range booked {
		if span.From > at {
			free = append(free, Span{at, span.From})
		}
		at = span.To
	}
	return append(free, Span{at, 24})
`,
        `	sorted := append([]Span(nil), booked...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].From < sorted[j].From })
	at := 0
	for _, span := range sorted {
		if span.From > at {
			free = append(free, Span{at, span.From})
		}
		if span.To > at {
			at = span.To
		}
	}
	if at < 24 {
		free = append(free, Span{at, 24})
	}
	return free
`,
      ),
      edit('booking.go', 'package booking\n', 'package booking\n\nimport "sort"\n'),
    ],
    [
      create(
        'booking_test.go',
        `package booking

import (
	"reflect"
	"testing"
)

func TestFreeOfOverlappingBookings(t *testing.T) {
	if got := Free([]Span{{10, 14}, {8, 12}}); !reflect.DeepEqual(got, []Span{{0, 8}, {14, 24}}) {
		t.Fatal(got)
	}
}
`,
      ),
    ],
    [run('go test ./...')],
  ],
  wrong: {
    empty_test: [
      create(
        'booking_test.go',
        'package booking\n\nimport "testing"\n\nfunc TestFree(t *testing.T) {\n	if len(Free([]Span{{1, 2}})) != 2 {\n		t.Fatal("no")\n	}\n}\n',
      ),
    ],
    passes_before: [
      edit('booking.go', '		at = span.To\n', '		if span.To > at {\n			at = span.To\n		}\n'),
    ],
  },
}

export const GO_LIMITS_TASKS = tasksOf(GO, {
  'go-token-bucket': BUCKET,
  'go-atomic-ledger': LEDGER,
  'go-free-times': INTERVALS,
})
