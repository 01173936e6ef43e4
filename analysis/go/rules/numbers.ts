import type { CallEvent, FunctionEvent, Hit, Rule } from '../../rule.ts'
import { WIDE_FROM_REQUEST, WIDE_NUMBER } from '../model/strings.ts'

/** Rules about integer truncation. */
export const narrowedNumber: Rule = {
  id: 'GO-INT-01',
  title: 'A number is truncated to a smaller type',
  cwe: 190,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A number is parsed with 64 bits and converted to fewer without a range check. 4 294 967 297 becomes 1, so amounts, limits and identifiers change.',
  fix: 'Pass the intended size to `strconv.ParseInt` (`ParseInt(s, 10, 32)`), or compare with `math.MaxInt32` first.',
  on: { function: findNarrowing },
}

const NARROW = new Set(['int32', 'int16', 'int8', 'uint32', 'uint16', 'uint8', 'byte'])

function findNarrowing({ calls, compares, source }: FunctionEvent): readonly Hit[] {
  const isCompared = (call: CallEvent): boolean => {
    const [first] = call.args
    const name = first ? source(first.expr.at) : ''
    return compares.some(
      ({ expr, operator }) =>
        /^[<>]=?$/.test(operator) && [expr.left, expr.right].some((side) => source(side.at) === name),
    )
  }
  return calls
    .filter((call) => NARROW.has(call.name) && call.args.length === 1)
    .filter((call) => isWide(call, source) && !isCompared(call))
    .map((call) => ({ at: call.expr.at }))
}

/** From a request, or named as an amount. A wrong line number does no harm. */
function isWide({ args }: CallEvent, source: FunctionEvent['source']): boolean {
  const [first] = args
  if (first?.value.name === WIDE_FROM_REQUEST) return true
  return first?.value.name === WIDE_NUMBER && AMOUNT.test(source(first.expr.at))
}

const AMOUNT = /amount|price|balance|total|fee|quantity|cents|kobo|minor|limit|cost/i
