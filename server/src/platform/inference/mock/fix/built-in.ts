// The functions of the two languages that small expressions call.
import type { Value } from '../known/known.ts'

type BuiltIn = (args: readonly Value[]) => Value | undefined

const ofNumbers =
  (run: (...numbers: number[]) => number): BuiltIn =>
  (args) => {
    const numbers = args.filter((each) => typeof each === 'number')
    return numbers.length === args.length && numbers.length > 0 ? run(...numbers) : undefined
  }

const lengthOf: BuiltIn = ([value]) =>
  typeof value === 'string' || Array.isArray(value) ? value.length : undefined
const smallest = ofNumbers(Math.min)
const largest = ofNumbers(Math.max)

/** By name; those of `math` stand under `Math`. Undefined as a result: not understood. */
export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map(
  Object.entries<BuiltIn>({
    'Math.min': smallest,
    'Math.max': largest,
    'Math.abs': ofNumbers(Math.abs),
    'Math.floor': ofNumbers(Math.floor),
    'Math.ceil': ofNumbers(Math.ceil),
    'Math.round': ofNumbers(Math.round),
    'Math.trunc': ofNumbers(Math.trunc),
    'Math.sqrt': ofNumbers(Math.sqrt),
    'Math.pow': ofNumbers(Math.pow),
    min: smallest,
    max: largest,
    abs: ofNumbers(Math.abs),
    pow: ofNumbers(Math.pow),
    int: ofNumbers(Math.trunc),
    float: ofNumbers((value) => value),
    Number: ofNumbers((value) => value),
    len: lengthOf,
    str: ([value]) => (typeof value === 'number' || typeof value === 'string' ? String(value) : undefined),
    String: ([value]) => (typeof value === 'number' || typeof value === 'string' ? String(value) : undefined),
  }),
)

/** A property, or a method where there are arguments. */
export function memberOf(value: Value, name: string, args: readonly Value[] | undefined): Value | undefined {
  if (args === undefined) return name === 'length' ? lengthOf([value]) : undefined
  if (typeof value !== 'string') return undefined
  const [first, second] = args
  if (name === 'toUpperCase' || name === 'upper') return value.toUpperCase()
  if (name === 'toLowerCase' || name === 'lower') return value.toLowerCase()
  if (name === 'trim' || name === 'strip') return value.trim()
  if (name === 'charAt' && typeof first === 'number') return value.charAt(first)
  if ((name === 'includes' || name === 'startsWith' || name === 'endsWith') && typeof first === 'string')
    return value[name](first)
  if (name === 'slice' && typeof first === 'number')
    return value.slice(first, typeof second === 'number' ? second : undefined)
  return undefined
}
