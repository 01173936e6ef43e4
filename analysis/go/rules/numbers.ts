import type { CallEvent, FunctionEvent, Hit, Rule } from '../../rule.ts'
import { WIDE, WIDE_FROM_REQUEST } from '../model/strings.ts'

/** Numbers that lose their upper half. */
export const narrowedNumber: Rule = {
  id: 'GO-INT-01',
  title: 'Number cut to a smaller type',
  cwe: 190,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A number is read with 64 bits and then put into fewer without looking whether it fits. 4 294 967 297 becomes 1: amounts, limits and identifiers turn into others.',
  fix: 'Give `strconv.ParseInt` the size that is meant (`ParseInt(s, 10, 32)`), or compare with `math.MaxInt32` before.',
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

/** Sent by somebody, or an amount by its name: a line number that is wrong hurts nobody. */
function isWide({ args }: CallEvent, source: FunctionEvent['source']): boolean {
  const [first] = args
  if (first?.value.name === WIDE_FROM_REQUEST) return true
  return first?.value.name === WIDE && AMOUNT.test(source(first.expr.at))
}

const AMOUNT = /amount|price|balance|total|fee|quantity|cents|kobo|minor|limit|cost/i
