import { describe, expect, test } from 'vitest'
import { parseYaml, YamlError } from './yaml.ts'

describe('a text in YAML', () => {
  test.for([
    ['a: 1\nb: x y\nc: true\nd:\ne: ~\n', { a: 1, b: 'x y', c: true, d: null, e: null }],
    ['---\n# first\na: b # more\n', { a: 'b' }],
    ['a:\n  b:\n    c: 1\n  d: 2\n', { a: { b: { c: 1 }, d: 2 } }],
    ['a:\n- x\n- y\nb: 1', { a: ['x', 'y'], b: 1 }],
    [
      'a:\n  - x: 1\n    y: 2\n  - z: [1, "a, b", {k: v}]\n',
      { a: [{ x: 1, y: 2 }, { z: [1, 'a, b', { k: 'v' }] }] },
    ],
    ['- - 1\n  - 2\n- 3', [[1, 2], 3]],
    ["a: 'it''s'\nb: \"x\\ny\"\nc: don't", { a: "it's", b: 'x\ny', c: "don't" }],
    ['a: |\n  one\n    two\n\n  three\nb: 1', { a: 'one\n  two\n\nthree', b: 1 }],
    ['a: >-\n  one\n  two\n\n  three\nb: 1', { a: 'one two\nthree', b: 1 }],
    ['a: https://x.example/a#b\n', { a: 'https://x.example/a#b' }],
    ['"a b": []\n', { 'a b': [] }],
    ['a:\r\n  - b\r\n', { a: ['b'] }],
    ['a: 007\nb: 1e5\nc: -1.5', { a: '007', b: '1e5', c: -1.5 }],
  ] as const)('is read: %j', ([text, value]) => {
    expect(parseYaml(text)).toEqual(value)
  })

  test.for([
    ['', 'line 1'],
    ['a: 1\na: 2', 'line 2: "a" occurs twice'],
    ['a: &x 1', 'line 1: put values that begin with & in quotes'],
    ['a: *.query', 'line 1: put values that begin with * in quotes'],
    ['a: !!js/function x', 'line 1: put values that begin with ! in quotes'],
    ['a:\n\t- b', 'line 2: indent with spaces'],
    ['a: 1\n---\nb: 2', 'line 2: only one document'],
    ['a: [1, 2', 'line 1: a list in brackets is not closed'],
    ['a: "x', 'line 1: a quoted text is not closed'],
    ['a: "\\u0000"', 'line 1: a text in double quotes has an unknown escape'],
    ['a: "\\ud800"', 'line 1: a text in double quotes has an unknown escape'],
    ['a: {b}', 'line 1: a map in braces needs'],
    ['a: b: c', 'line 1: put texts that contain ": " in quotes'],
    ['a: 1\n   b: 2', 'line 2: the indentation'],
    ['a: "x" y', 'line 1: "y" is not expected here'],
    [`a: ${'['.repeat(50)}`, 'line 1: more than 10 levels'],
    [Array.from({ length: 30 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), 'more than 10 levels'],
  ] as const)('is refused with its line: %j', ([text, message]) => {
    expect(() => parseYaml(text)).toThrow(YamlError)
    expect(() => parseYaml(text)).toThrow(message)
  })

  test('with a key of the prototype is plain data', () => {
    expect(Object.keys(parseYaml('__proto__: 1\na: 2') as object)).toEqual(['__proto__', 'a'])
  })
})
