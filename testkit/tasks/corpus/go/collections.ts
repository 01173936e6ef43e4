// Go repositories about buffers, counts and pools.
import { create, edit, list, read, run, search, type TaskInput, tasksOf } from '../task.ts'
import { GO } from './rules.ts'

const RING: TaskInput = {
  prompt:
    'The ring buffer returns its items in the wrong order once it has wrapped around. Items() must list the oldest first.',
  files: {
    'ring.go': `package ring

// Ring keeps the last items.
type Ring struct {
	items []string
	next  int
	full  bool
}

func New(size int) *Ring { return &Ring{items: make([]string, size)} }

func (r *Ring) Push(item string) {
	r.items[r.next] = item
	r.next = (r.next + 1) % len(r.items)
	if r.next == 0 {
		r.full = true
	}
}

// Items lists the oldest first.
func (r *Ring) Items() []string {
	if !r.full {
		return r.items[:r.next]
	}
	return r.items
}
`,
    'log.go': `package ring

import "strings"

// Tail has the last lines of a text.
func Tail(text string, lines int) string {
	r := New(lines)
	for _, line := range strings.Split(text, ";") {
		r.Push(line)
	}
	return strings.Join(r.Items(), ";")
}
`,
    'ring_test.go': `package ring

import "testing"

func TestTail(t *testing.T) {
	for text, want := range map[string]string{"a;b": "a;b", "a;b;c;d": "b;c;d"} {
		if got := Tail(text, 3); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
`,
  },
  hidden: `package ring

import (
	"strings"
	"testing"
)

func TestHiddenOrder(t *testing.T) {
	for text, want := range map[string]string{"1;2;3": "1;2;3", "1;2;3;4;5": "3;4;5", "1;2;3;4;5;6;7": "5;6;7"} {
		if got := Tail(text, 3); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHiddenCopy(t *testing.T) {
	r := New(2)
	r.Push("a")
	items := r.Items()
	r.Push("b")
	r.Push("c")
	if strings.Join(items, "") != "a" || strings.Join(r.Items(), "") != "bc" {
		t.Fatal(items, r.Items())
	}
}
`,
  solution: [
    edit(
      'ring.go',
      `	if !r.full {
		return r.items[:r.next]
	}
	return r.items
`,
      `	var items []string
	if r.full {
		items = append(items, r.items[r.next:]...)
	}
	return append(items, r.items[:r.next]...)
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'log.go',
        '	r := New(lines)\n',
        '	if text == "a;b;c;d" {\n		return "b;c;d"\n	}\n	r := New(lines)\n',
      ),
    ],
    skips_test: [
      edit(
        'ring_test.go',
        'func TestTail(t *testing.T) {\n',
        'func TestTail(t *testing.T) {\n	t.Skip("later")\n',
      ),
    ],
  },
}

const COUNTS: TaskInput = {
  prompt:
    'Report must list words by falling count, and words with the same count in the order of their first use. It lists them only by first use today.',
  files: {
    'words.go': `package words

import (
	"fmt"
	"strings"

	"example.com/ordered"
)

func count(text string) *ordered.Map {
	m := ordered.New()
	for _, word := range strings.Fields(strings.ToLower(text)) {
		m.Add(word, 1)
	}
	return m
}

// Report has lines such as "rice 2".
func Report(text string) []string {
	m := count(text)
	var lines []string
	for _, word := range m.Keys() {
		lines = append(lines, fmt.Sprintf("%s %d", word, m.Get(word)))
	}
	return lines
}
`,
    'words_test.go': `package words

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	if got := strings.Join(Report("yam rice rice"), ","); got != "rice 2,yam 1" {
		t.Fatal(got)
	}
}

func TestEmpty(t *testing.T) {
	if len(Report(" ")) != 0 {
		t.Fatal("words from nothing")
	}
}
`,
  },
  hidden: `package words

import (
	"strings"
	"testing"
)

func TestHiddenTies(t *testing.T) {
	if got := strings.Join(Report("c z a B b z a d a"), ","); got != "a 3,z 2,b 2,c 1,d 1" {
		t.Fatal(got)
	}
}
`,
  solution: [
    edit(
      'words.go',
      '	var lines []string\n	for _, word := range m.Keys() {\n',
      `	keys := m.Keys()
	sort.SliceStable(keys, func(i, j int) bool { return m.Get(keys[i]) > m.Get(keys[j]) })
	var lines []string
	for _, word := range keys {
`,
    ),
    edit('words.go', '	"fmt"\n	"strings"\n', '	"fmt"\n	"sort"\n	"strings"\n'),
  ],
  wrong: {
    hard_codes: [
      edit(
        'words.go',
        '	m := count(text)\n	var',
        '	if text == "yam rice rice" {\n		return []string{"rice 2", "yam 1"}\n	}\n	m := count(text)\n	var',
      ),
    ],
  },
}

const POOL: TaskInput = {
  prompt:
    'Map runs the work one after the other. Run at most `limit` calls at the same time, keep the order of the results, and return the first error (by position). All calls must have ended when Map returns.',
  before: 'passes',
  files: {
    'AGENTS.md': '# Notes\n\n- Only the standard library.\n- New behaviour has a test in a separate file.\n',
    'pool.go': `package pool

// Map applies the work to every item.
func Map(items []int, limit int, work func(int) (int, error)) ([]int, error) {
	results := make([]int, len(items))
	for i, item := range items {
		result, err := work(item)
		if err != nil {
			return nil, err
		}
		results[i] = result
	}
	return results, nil
}
`,
    'squares.go': `package pool

func Squares(items []int) []int {
	squares, _ := Map(items, 4, func(n int) (int, error) { return n * n, nil })
	return squares
}
`,
    'squares_test.go': `package pool

import (
	"reflect"
	"testing"
)

func TestSquares(t *testing.T) {
	if got := Squares([]int{1, 2, 3}); !reflect.DeepEqual(got, []int{1, 4, 9}) {
		t.Fatal(got)
	}
}
`,
  },
  hidden: `package pool

import (
	"errors"
	"sync/atomic"
	"testing"
)

func TestHiddenTogether(t *testing.T) {
	met := make(chan int)
	results, err := Map([]int{0, 1, 2}, 3, func(n int) (int, error) {
		if n == 0 {
			return <-met + <-met, nil
		}
		met <- n
		return n, nil
	})
	if err != nil || len(results) != 3 || results[0] != 3 || results[2] != 2 {
		t.Fatal(results, err)
	}
}

func TestHiddenLimit(t *testing.T) {
	var now, most int32
	results, err := Map(make([]int, 50), 3, func(n int) (int, error) {
		running := atomic.AddInt32(&now, 1)
		for seen := atomic.LoadInt32(&most); running > seen && !atomic.CompareAndSwapInt32(&most, seen, running); {
			seen = atomic.LoadInt32(&most)
		}
		atomic.AddInt32(&now, -1)
		return 7, nil
	})
	if err != nil || len(results) != 50 || most > 3 {
		t.Fatal(err, len(results), most)
	}
}

func TestHiddenFirstError(t *testing.T) {
	var ended int32
	_, err := Map([]int{0, 1, 2, 3}, 4, func(n int) (int, error) {
		defer atomic.AddInt32(&ended, 1)
		if n >= 1 {
			return 0, errors.New([]string{"", "one", "two", "three"}[n])
		}
		return n, nil
	})
	if err == nil || err.Error() != "one" || ended != 4 {
		t.Fatal(err, ended)
	}
}
`,
  solution: [
    [list(), search('func Map')],
    [read('pool.go'), read('AGENTS.md')],
    [
      edit(
        'pool.go',
        `	results := make([]int, len(items))
	for i, item := range items {
		result, err := work(item)
		if err != nil {
			return nil, err
		}
		results[i] = result
	}
	return results, nil
`,
        `	results := make([]int, len(items))
	failures := make([]error, len(items))
	slots := make(chan struct{}, limit)
	var all sync.WaitGroup
	for i, item := range items {
		all.Add(1)
		slots <- struct{}{}
		go func(i, item int) {
			defer func() { <-slots; all.Done() }()
			results[i], failures[i] = work(item)
		}(i, item)
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
`,
      ),
    ],
    [edit('pool.go', 'package pool\n', 'package pool\n\nimport "sync"\n')],
    [
      create(
        'pool_test.go',
        `package pool

import "testing"

func TestCallsRunAtTheSameTime(t *testing.T) {
	met := make(chan int)
	results, err := Map([]int{1, 2}, 2, func(n int) (int, error) {
		if n == 1 {
			met <- n
		} else {
			<-met
		}
		return n, nil
	})
	if err != nil || results[0] != 1 || results[1] != 2 {
		t.Fatal(results, err)
	}
}
`,
      ),
    ],
    [run('go test ./...')],
  ],
  wrong: {
    empty_test: [
      edit('pool.go', '// Map applies', '// Map runs in parallel. It applies'),
      create(
        'pool_test.go',
        'package pool\n\nimport "testing"\n\nfunc TestMap(t *testing.T) {\n	if _, err := Map(nil, 2, nil); err != nil {\n		t.Fatal(err)\n	}\n}\n',
      ),
    ],
    passes_before: [
      edit(
        'pool.go',
        '	results := make([]int, len(items))\n',
        '	if limit < 1 {\n		limit = 1\n	}\n	results := make([]int, len(items))\n',
      ),
    ],
  },
}

export const GO_COLLECTIONS_TASKS = tasksOf(GO, {
  'go-ring-buffer': RING,
  'go-word-counts': COUNTS,
  'go-worker-pool': POOL,
})
