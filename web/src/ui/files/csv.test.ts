import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('cells are quoted where they must be, and lines end as spreadsheets expect', () => {
  expect(
    csvOf([
      ['a', 'b'],
      ['1,5', 'say "hi"\nthere'],
      [null, 7n],
    ]),
  ).toBe('a,b\r\n"1,5","say ""hi""\nthere"\r\n,7\r\n')
})

test('a formula stays a text, and a negative amount a number', () => {
  expect(csvOf([['=1+1', '@x', '-12.50', '-x']])).toBe("'=1+1,'@x,-12.50,'-x\r\n")
})
