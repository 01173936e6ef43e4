import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { expect, test } from 'vitest'
import { highlighted } from '../src/ui/code/highlight.ts'

const shades = (code: string, language: string) =>
  highlighted(code, language)
    ?.filter(({ shade }) => shade)
    .map(({ shade, text }) => `${shade} ${text}`)

test('comments, strings, numbers and keywords are highlighted', () => {
  expect(shades('const a = "x // y" // 1\nreturn `t{1}` + 0xff', 'ts')).toEqual([
    'word const',
    'string "x // y"',
    'comment // 1',
    'word return',
    'string `t{1}`',
    'number 0xff',
  ])
  expect(shades('def f():\n  """doc "quoted" """\n  return None # end', 'python')).toEqual([
    'word def',
    'string """doc "quoted" """',
    'word return',
    'word None',
    'comment # end',
  ])
  expect(shades('SELECT 1 -- one', 'sql')).toEqual(['word SELECT', 'number 1', 'comment -- one'])
})

test('no text is lost, and unknown or very long code stays plain', () => {
  const code = 'let x = 1 /* never closed\n"half'
  expect(
    highlighted(code, 'js')
      ?.map(({ text }) => text)
      .join(''),
  ).toBe(code)
  expect(highlighted('a', 'klingon')).toBeNull()
  expect(highlighted('a '.repeat(40_000), 'js')).toBeNull()
})

test.each(['"', "'", '`', '/*', '*', '"""', '\\', '0', '0_', 'a', '<!--', '-', '#', '1e', "'\\"])(
  'highlighting %j is fast',
  (pattern) => {
    const highlightAll = () => {
      for (const language of ['ts', 'py', 'sql', 'html', 'css'])
        highlighted(pattern.repeat(40_000 / pattern.length), language)
    }
    expect(measureCost(highlightAll)).toBeLessThan(4_000)
  },
)
