// Repositories of Go: a module whose only dependency is a module in third_party, named by a replace line.
import type { Files, LanguageRules } from '../task.ts'

const ORDERED: Files = {
  'third_party/ordered/go.mod': 'module example.com/ordered\n\ngo 1.19\n',
  'third_party/ordered/ordered.go': `// Package ordered has maps that remember the order of their keys.
package ordered

type Map struct {
	keys   []string
	values map[string]int
}

func New() *Map { return &Map{values: map[string]int{}} }

func (m *Map) Add(key string, value int) {
	if _, known := m.values[key]; !known {
		m.keys = append(m.keys, key)
	}
	m.values[key] += value
}

func (m *Map) Get(key string) int { return m.values[key] }

func (m *Map) Keys() []string { return append([]string(nil), m.keys...) }
`,
}

export const GO: LanguageRules = {
  language: 'go',
  command: 'go test ./...',
  judge: 'go test -vet=off -v -run Hidden .',
  manifest: (id, { files }) => {
    const usesOrdered = Object.values(files).some((text) => text.includes('"example.com/ordered"'))
    const needs =
      '\nrequire example.com/ordered v1.2.0\n\nreplace example.com/ordered => ./third_party/ordered\n'
    return {
      'go.mod': `module example.com/${id}\n\ngo 1.19\n${usesOrdered ? needs : ''}`,
      'README.md': `# ${id}\n\nRun the tests with \`go test ./...\`.\n`,
      ...(usesOrdered && ORDERED),
    }
  },
  hidden: (_, { hidden }) => ({ 'hidden_test.go': hidden }),
}
