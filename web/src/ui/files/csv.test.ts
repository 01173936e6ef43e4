import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('cells are quoted if needed, and lines end with CRLF', () => {
  expect(
    csvOf([
      ['a', 'b'],
      ['1,5', 'say "hi"\nthere'],
      [null, 7n],
    ]),
  ).toBe('a,b\r\n"1,5","say ""hi""\nthere"\r\n,7\r\n')
})

test('a formula becomes text, and a negative amount stays a number', () => {
  expect(csvOf([['=1+1', '@x', '-12.50', '-x']])).toBe("'=1+1,'@x,-12.50,'-x\r\n")
})
