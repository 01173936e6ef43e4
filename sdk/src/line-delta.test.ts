import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { lineDelta } from './line-delta.ts'

const file = Array.from({ length: 300 }, (_, i) => `const value${i} = compute(${i})`)
const numbered = (lines: readonly string[], from = 1) => {
  const width = String(from + lines.length - 1).length
  return lines.map((line, i) => `${String(from + i).padStart(width)}| ${line}`).join('\n')
}

test('an equal text has no parts, and an empty one is a text', () => {
  expect(lineDelta('a\nb\n', 'a\nb\n')).toEqual([])
  expect(lineDelta('', '')).toEqual([])
  expect(lineDelta('a\n', '')).toEqual([''])
})

test('an inserted line is the only text of the difference', () => {
  const changed = [...file.slice(0, 100), '// a new line', ...file.slice(100)]
  expect(lineDelta(file.join('\n'), changed.join('\n'))).toEqual([[0, 100], '// a new line\n', [100, 200]])
})

test('numbered lines are copied with their new numbers', () => {
  const changed = [...file.slice(0, 100), '// a new line', ...file.slice(100)]
  expect(lineDelta(numbered(file), numbered(changed))).toEqual([
    [0, 100],
    '101| // a new line\n',
    [100, 200, 102, 3],
  ])
  expect(lineDelta(numbered(file), numbered(file.slice(0, 50)))).toEqual([
    [0, 49, 1, 2],
    numbered(file.slice(0, 50)).split('\n').at(-1),
  ])
})

test('a moved block is copied, and a copy that is longer than its text is not', () => {
  const moved = [...file.slice(150), ...file.slice(0, 150)].map((line) => `${line}\n`).join('')
  expect(lineDelta(file.map((line) => `${line}\n`).join(''), moved)).toEqual([
    [150, 150],
    [0, 150],
  ])
  expect(lineDelta('a\nb\n', 'x\na\ny\n')).toEqual(['x\na\ny\n'])
})

test('a large text of equal lines takes linear time', () => {
  const lines = '}\n'.repeat(300_000)
  const compare = () => expect(lineDelta(lines, `x\n${lines}`)).toEqual(['x\n', [0, 300_000]])
  expect(measureCost(compare)).toBeLessThan(5_000)
})
