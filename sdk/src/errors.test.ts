import { expect, test } from 'vitest'
import { CowrieError } from './errors.ts'

const error = new CowrieError({ status: 402, code: 'insufficient_funds', message: 'Not enough.' })

test.for([
  { it: 'its code', codes: ['insufficient_funds'], of: error, is: true },
  { it: 'one of several', codes: ['budget_too_low', 'insufficient_funds'], of: error, is: true },
  { it: 'any', codes: [], of: error, is: true },
  { it: 'another code', codes: ['timeout'], of: error, is: false },
  { it: 'another kind of error', codes: [], of: new Error('insufficient_funds'), is: false },
  { it: 'no error at all', codes: [], of: undefined, is: false },
])('CowrieError.is with $it: $is', ({ codes, of, is }) => {
  expect(CowrieError.is(of, ...codes)).toBe(is)
})
