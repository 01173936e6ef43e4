import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colourOf } from './code-colour.ts'

/** `style:text` for each coloured part. */
const coloured = (language: string, ...lines: string[]) => {
  const colour = colourOf(language)
  return lines.map((line) =>
    colour(line)
      .filter(({ style }) => style)
      .map(({ text, style }) => `${style}:${text}`),
  )
}

test('keywords, strings, numbers and comments of common languages', () => {
  expect(coloured('ts', `const a = 'it\\'s' + 12 // note`)).toEqual([
    ['magenta:const', `green:'it\\'s'`, 'yellow:12', 'dim:// note'],
  ])
  expect(coloured('python', 'def f(x): # note')).toEqual([['magenta:def', 'dim:# note']])
  expect(coloured('sql', `SELECT 1 -- one`)).toEqual([['magenta:SELECT', 'yellow:1', 'dim:-- one']])
  expect(coloured('diff', '+added', '-removed', ' same')).toEqual([['green:+added'], ['red:-removed'], []])
  expect(coloured('unknown', 'const a = 1')).toEqual([[]])
})

test('comments and strings may go over several lines', () => {
  expect(coloured('js', 'a /* one', 'two */ const', '`three', 'four` return')).toEqual([
    ['dim:/*', 'dim: one'],
    ['dim:two */', 'magenta:const'],
    ['green:`', 'green:three'],
    ['green:four`', 'magenta:return'],
  ])
})

test('the text never changes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('ts', 'py', 'sh', 'go', 'rust', 'sql', 'json', 'yaml', 'css', 'php', 'diff', ''),
      fc.array(fc.string({ unit: fc.constantFrom(...`ab1"'\`/*#-\\ $({`) })),
      (language, lines) => {
        const colour = colourOf(language)
        for (const line of lines)
          expect(
            colour(line)
              .map(({ text }) => text)
              .join(''),
          ).toBe(line)
      },
    ),
  )
})
