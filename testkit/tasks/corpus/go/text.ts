// Go repositories that match and write text.
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

export const GO_TEXT_TASKS = tasksOf(GO, {
  'go-glob': GLOB,
  'go-duration': DURATION,
})
