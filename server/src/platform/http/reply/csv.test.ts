import { expect, test } from 'vitest'
import { toCsvLine, wantsCsv } from './csv.ts'

test('cells are quoted where necessary, and empty for null', () => {
  expect(toCsvLine(['a', null, 7n, true, new Date(0), 'b,c', 'd"e', 'f\ng'])).toBe(
    'a,,7,true,1970-01-01T00:00:00.000Z,"b,c","d""e","f\ng"\r\n',
  )
})

test.for(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('the text %j is not a formula', (text) => {
  expect(toCsvLine([text]).replace(/^"/, '')).toMatch(/^'/)
})

test.for([
  ['text/csv', true],
  ['text/csv; q=0.9, application/json;q=0.1', true],
  ['TEXT/CSV', true],
  ['application/json, text/csv', false],
  ['*/*', false],
  [undefined, false],
] as const)('Accept %s asks for CSV: %s', ([accept, wanted]) => {
  expect(wantsCsv(accept)).toBe(wanted)
})
