// A fact of several numbers is repeated as it is, or the sentence is rejected.
import { describe, expect, test } from 'vitest'
import { hasFigures } from './figures.ts'
import { tokenize } from './tokens.ts'

const holds = (statement: string, text: string) => hasFigures(tokenize(statement), [tokenize(text)])

describe('a statement is rejected that', () => {
  test.for([
    ['loses the star of a dial code', 'Dial 170# for the balance.', 'Dial *170# for the balance.'],
    ['swaps two dial codes', 'Dial *170*2# first.', 'Dial *170*1# first, then 2 and wait.'],
    ['swaps the groups of a number', 'Call +233 24 4567 123 for help.', 'Call +233 24 123 4567 for help.'],
    ['loses a group of a number', 'Call 0800-123-789 now.', 'Call 0800-123-456 or 0800-789-456 now.'],
    ['swaps the parts of a date', 'It opened on 04/03/2026.', 'It opened on 03/04/2026.'],
    ['invents a date from other numbers', 'It opened on 2026-04-12.', 'On 2026-04-03 it had 12 rooms.'],
    ['moves a time', 'It closes at 05:30.', 'It opens at 09:30 and closes at 17:05 after 5 or 30 calls.'],
    ['changes the currency of an amount', 'It costs $5,000.', 'It costs ₦5,000.'],
    ['swaps the currencies of two amounts', 'It costs $5,000 or ₦3.', 'It costs ₦5,000 or $3.'],
    ['changes a currency by name', 'It costs 250 dollars.', 'It costs R 20 or 250 naira.'],
    ['changes Arabic digits of a number', 'اتصل +٢٣٣ ٢٤ ٤٥٦٧ ١٢٣', 'اتصل +٢٣٣ ٢٤ ١٢٣ ٤٥٦٧'],
  ] as const)('%s', ([, statement, text]) => expect(holds(statement, text)).toBe(false))
})

describe('a statement is accepted that', () => {
  test.for([
    [
      'repeats the facts',
      'Dial *170# or call +233 24 123 4567.',
      'Dial *170# or call +233 24 123 4567 8 to 5.',
    ],
    ['writes an amount with the sign', 'It costs $84.', 'The port charges 84 dollars per box.'],
    ['writes an amount with the code', 'It costs NGN 5,000.', 'It costs ₦5,000.'],
    ['names the currency of a bare amount', 'It costs ₦5,000.', 'The price in naira is 5,000.'],
    ['writes out a date', 'It opened on 3 April 2026.', 'It opened on 2026-04-03 at 09:30.'],
    ['writes a date in numbers', 'It opened on 2026-04-03.', 'It opened on 3 April 2026.'],
    ['uses the digits of the question', 'The fee is 250.', 'الرسم ٢٥٠'],
  ] as const)('%s', ([, statement, text]) => expect(holds(statement, text)).toBe(true))
})
