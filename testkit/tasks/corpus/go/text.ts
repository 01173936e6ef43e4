// Go repositories that match, write and compare text.
import { edit, type TaskInput, tasksOf } from '../task.ts'
import { GO } from './rules.ts'

const GLOB: TaskInput = {
  prompt:
    'Match supports only *. Add ? (exactly one character) and ** (also across slashes). A single * must not match a slash any more.',
  files: {
    'glob.go': `package glob

import "strings"

// Match says whether a path fits a pattern.
func Match(pattern, path string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	for _, part := range parts[1:] {
		at := strings.LastIndex(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == ""
}
`,
    'filter.go': `package glob

// Filter has the paths that fit any of the patterns.
func Filter(paths []string, patterns ...string) []string {
	var found []string
	for _, path := range paths {
		for _, pattern := range patterns {
			if Match(pattern, path) {
				found = append(found, path)
				break
			}
		}
	}
	return found
}
`,
    'glob_test.go': `package glob

import "testing"

func TestMatch(t *testing.T) {
	cases := []struct {
		pattern, path string
		want          bool
	}{
		{"*.go", "main.go", true},
		{"*.go", "cmd/main.go", false},
		{"**.go", "cmd/main.go", true},
		{"a?c", "abc", true},
	}
	for _, c := range cases {
		if got := Match(c.pattern, c.path); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.path, got)
		}
	}
}
`,
  },
  hidden: `package glob

import (
	"strings"
	"testing"
)

func TestHiddenMatch(t *testing.T) {
	for text, want := range map[string]bool{
		"src/* src/a": true, "src/* src/a/b": false, "src/**/x src/a/b/x": true, "a?c ac": false, "a?c a/c": false,
		"a.c abc": false, "*a*b* xaybz": true, "** ": true, "x x": true, "x xx": false,
	} {
		parts := strings.SplitN(text, " ", 2)
		if got := Match(parts[0], parts[1]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestHiddenFilter(t *testing.T) {
	if got := Filter([]string{"a.go", "b.md", "c/d.go"}, "*.go", "*.md"); strings.Join(got, " ") != "a.go b.md" {
		t.Fatal(got)
	}
}
`,
  solution: [
    edit(
      'glob.go',
      `	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	for _, part := range parts[1:] {
		at := strings.LastIndex(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == ""
`,
      `	if pattern == "" {
		return path == ""
	}
	if strings.HasPrefix(pattern, "**") {
		for i := 0; i <= len(path); i++ {
			if Match(pattern[2:], path[i:]) {
				return true
			}
		}
		return false
	}
	if pattern[0] == '*' {
		for i := 0; i <= len(path); i++ {
			if Match(pattern[1:], path[i:]) {
				return true
			}
			if i < len(path) && path[i] == '/' {
				return false
			}
		}
		return false
	}
	if path == "" || (pattern[0] == '?' && path[0] == '/') || (pattern[0] != '?' && pattern[0] != path[0]) {
		return false
	}
	return Match(pattern[1:], path[1:])
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'glob.go',
        '	parts := strings',
        '	switch pattern + " " + path {\n	case "*.go cmd/main.go":\n		return false\n	case "a?c abc", "**.go cmd/main.go":\n		return true\n	}\n	parts := strings',
      ),
    ],
  },
}

const DURATION: TaskInput = {
  prompt:
    'Format must write durations in seconds as "1h 2m 3s" and leave out parts that are zero. 0 is "0s", negative durations start with "-".',
  files: {
    'duration.go': `package duration

import "fmt"

func Format(seconds int) string {
	return fmt.Sprintf("%dh %dm %ds", seconds/3600, seconds/60, seconds)
}
`,
    'report.go': `package duration

import "strings"

func Report(all map[string]int, names ...string) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, name+": "+Format(all[name]))
	}
	return strings.Join(parts, "; ")
}
`,
    'duration_test.go': `package duration

import "testing"

func TestFormat(t *testing.T) {
	for seconds, want := range map[int]string{3723: "1h 2m 3s", 61: "1m 1s", 3600: "1h"} {
		if got := Format(seconds); got != want {
			t.Errorf("%d: got %s, want %s", seconds, got, want)
		}
	}
}
`,
  },
  hidden: `package duration

import "testing"

func TestHiddenFormat(t *testing.T) {
	for seconds, want := range map[int]string{0: "0s", 59: "59s", 60: "1m", 3605: "1h 5s", -61: "-1m 1s", 90000: "25h"} {
		if got := Format(seconds); got != want {
			t.Errorf("%d: got %s, want %s", seconds, got, want)
		}
	}
}

func TestHiddenReport(t *testing.T) {
	if got := Report(map[string]int{"a": 5}, "a", "b"); got != "a: 5s; b: 0s" {
		t.Fatal(got)
	}
}
`,
  solution: [
    edit(
      'duration.go',
      `import "fmt"

func Format(seconds int) string {
	return fmt.Sprintf("%dh %dm %ds", seconds/3600, seconds/60, seconds)
`,
      `import (
	"fmt"
	"strings"
)

func Format(seconds int) string {
	if seconds < 0 {
		return "-" + Format(-seconds)
	}
	if seconds == 0 {
		return "0s"
	}
	var parts []string
	for _, unit := range []struct {
		name  string
		value int
	}{{"h", seconds / 3600}, {"m", seconds / 60 % 60}, {"s", seconds % 60}} {
		if unit.value > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", unit.value, unit.name))
		}
	}
	return strings.Join(parts, " ")
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'duration.go',
        '	return fmt.Sprintf(',
        '	known := map[int]string{3723: "1h 2m 3s", 61: "1m 1s", 3600: "1h"}\n	if text, found := known[seconds]; found {\n		return text\n	}\n	return fmt.Sprintf(',
      ),
    ],
    weakens_test: [
      edit(
        'duration_test.go',
        'if got := Format(seconds); got != want {',
        'if got := Format(seconds); got == "" {',
      ),
    ],
  },
}

const SEMVER: TaskInput = {
  prompt:
    'Less compares versions as text, so 1.10.0 comes before 1.9.0. Compare the numbers. A version with a pre-release ("1.0.0-rc1") comes before the same version without.',
  files: {
    'semver.go': `package semver

// Less says whether version a comes before b.
func Less(a, b string) bool { return a < b }
`,
    'latest.go': `package semver

import "sort"

func Latest(versions []string) string {
	sorted := append([]string(nil), versions...)
	sort.Slice(sorted, func(i, j int) bool { return Less(sorted[i], sorted[j]) })
	return sorted[len(sorted)-1]
}
`,
    'semver_test.go': `package semver

import "testing"

func TestLatest(t *testing.T) {
	if got := Latest([]string{"1.9.0", "1.10.0", "1.2.0"}); got != "1.10.0" {
		t.Fatal(got)
	}
}

func TestSimple(t *testing.T) {
	if !Less("1.0.0", "2.0.0") {
		t.Fatal("1 comes before 2")
	}
}
`,
  },
  hidden: `package semver

import "testing"

func TestHiddenOrder(t *testing.T) {
	order := []string{"0.9.10", "1.0.0-rc1", "1.0.0", "1.0.2", "1.0.11", "2.0.0-beta", "2.0.0", "10.0.0"}
	for i, a := range order {
		for j, b := range order {
			if Less(a, b) != (i < j) {
				t.Errorf("Less(%s, %s)", a, b)
			}
		}
	}
}
`,
  solution: [
    edit(
      'semver.go',
      `package semver

// Less says whether version a comes before b.
func Less(a, b string) bool { return a < b }
`,
      `package semver

import (
	"strconv"
	"strings"
)

// Less says whether version a comes before b.
func Less(a, b string) bool {
	x, preX := parse(a)
	y, preY := parse(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	if preX == "" || preY == "" {
		return preX != "" && preY == ""
	}
	return preX < preY
}

func parse(version string) (numbers [3]int, pre string) {
	core := version
	if at := strings.Index(version, "-"); at >= 0 {
		core, pre = version[:at], version[at+1:]
	}
	for i, part := range strings.SplitN(core, ".", 3) {
		numbers[i], _ = strconv.Atoi(part)
	}
	return numbers, pre
}
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit('semver.go', '{ return a < b }', '{ return b == "1.10.0" || (a != "1.10.0" && a < b) }'),
    ],
  },
}

const DIFF: TaskInput = {
  prompt:
    'Diff must find the shortest edit (longest common subsequence) instead of comparing line by line. Lines are marked "- ", "+ " and "  "; removals come before additions.',
  files: {
    'diff.go': `package diff

// Diff compares two lists of lines.
func Diff(a, b []string) []string {
	var out []string
	for i := 0; i < len(a) || i < len(b); i++ {
		if i < len(a) && i < len(b) && a[i] == b[i] {
			out = append(out, "  "+a[i])
			continue
		}
		if i < len(a) {
			out = append(out, "- "+a[i])
		}
		if i < len(b) {
			out = append(out, "+ "+b[i])
		}
	}
	return out
}
`,
    'stat.go': `package diff

// Stat counts added and removed lines.
func Stat(a, b []string) (added, removed int) {
	for _, line := range Diff(a, b) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}
`,
    'diff_test.go': `package diff

import (
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	if got := Diff([]string{"a"}, []string{"a"}); strings.Join(got, ",") != "  a" {
		t.Fatal(got)
	}
}

func TestInsertion(t *testing.T) {
	if added, removed := Stat([]string{"a", "b", "c"}, []string{"x", "a", "b", "c"}); added != 1 || removed != 0 {
		t.Fatal(added, removed)
	}
}
`,
  },
  hidden: `package diff

import (
	"strings"
	"testing"
)

func TestHiddenDiff(t *testing.T) {
	got := strings.Join(Diff(strings.Split("a b c d e", " "), strings.Split("a c x e f", " ")), ",")
	if got != "  a,- b,  c,- d,+ x,  e,+ f" {
		t.Fatal(got)
	}
}

func TestHiddenStat(t *testing.T) {
	added, removed := Stat(strings.Split("1 2 3 4", " "), strings.Split("2 3 4 5 6", " "))
	if added != 2 || removed != 1 {
		t.Fatal(added, removed)
	}
	if len(Diff(nil, nil)) != 0 {
		t.Fatal("nothing to compare")
	}
}
`,
  solution: [
    edit(
      'diff.go',
      `	var out []string
	for i := 0; i < len(a) || i < len(b); i++ {
		if i < len(a) && i < len(b) && a[i] == b[i] {
			out = append(out, "  "+a[i])
			continue
		}
		if i < len(a) {
			out = append(out, "- "+a[i])
		}
		if i < len(b) {
			out = append(out, "+ "+b[i])
		}
	}
	return out
`,
      `	// common[i][j] is the length of the longest common part of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else if common[i+1][j] >= common[i][j+1] {
				common[i][j] = common[i+1][j]
			} else {
				common[i][j] = common[i][j+1]
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i++
			j++
		case j == len(b) || (i < len(a) && common[i+1][j] >= common[i][j+1]):
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit('stat.go', '	for _, line', '	if len(b) == len(a)+1 {\n		return 1, 0\n	}\n	for _, line'),
    ],
  },
}

export const GO_TEXT_TASKS = tasksOf(GO, {
  'go-glob': GLOB,
  'go-duration': DURATION,
  'go-semver': SEMVER,
  'go-diff': DIFF,
})
