// Repairs a function whose result is a slip away from what its tests expect.
import { type FunctionSpan, findFunction } from '../coding/functions.ts'
import type { Language, Value } from '../known/known.ts'
import type { Assertion } from './assertions.ts'
import { isSame } from './expression.ts'
import { follow, type Place, type Step, stepsOf } from './steps.ts'
import { variantsOf } from './variants.ts'

export type Judged = 'right' | 'wrong' | 'unknown'

/** Whether the function does what the tests expect, as far as it can be worked out. */
export function judge(
  text: string,
  span: FunctionSpan,
  language: Language,
  assertions: readonly Assertion[],
): Judged {
  const steps = stepsOf(text, span, language)
  if (steps === undefined || assertions.length === 0) return 'unknown'
  const read = ({ start, end }: Place) => text.slice(start, end)
  const results = assertions.map((assertion) => outcome(read, steps, span, assertion, language))
  if (results.some((result) => result === 'wrong')) return 'wrong'
  return results.every((result) => result === 'right') ? 'right' : 'unknown'
}

/** The file with one expression changed so that every assertion holds. Undefined when no small change does it. */
export function withRightExpression(
  text: string,
  name: string,
  language: Language,
  assertions: readonly Assertion[],
): { readonly text: string; readonly from: string; readonly to: string } | undefined {
  const span = findFunction(text, name, language)
  const steps = span === undefined ? undefined : stepsOf(text, span, language)
  if (span === undefined || steps === undefined) return undefined
  for (const place of placesOf(steps)) {
    const from = text.slice(place.start, place.end)
    for (const to of variantsOf(from, span.params, language === 'py')) {
      const read = (other: Place) => (other === place ? to : text.slice(other.start, other.end))
      if (!assertions.every((assertion) => outcome(read, steps, span, assertion, language) === 'right'))
        continue
      return { text: text.slice(0, place.start) + to + text.slice(place.end), from, to }
    }
  }
  return undefined
}

/** Results before conditions: most slips are there. */
const placesOf = (steps: readonly Step[]): readonly Place[] => [
  ...steps.filter(({ kind }) => kind !== 'throw').map(({ value }) => value),
  ...steps.flatMap(({ condition }) => condition ?? []),
]

function outcome(
  read: (place: Place) => string,
  steps: readonly Step[],
  span: FunctionSpan,
  { args, expected }: Assertion,
  language: Language,
): Judged {
  const known = new Map<string, Value>(span.params.map((param, i) => [param, args[i] ?? null]))
  const result = follow(read, steps, known, language === 'py')
  if (result === undefined) return 'unknown'
  return isSame(result.value, expected) ? 'right' : 'wrong'
}
