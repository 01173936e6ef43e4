// Constant folding of arithmetic and comparisons.

import type { AbstractValue } from '../../abstract-value.ts'
import type { Language, Primitive } from '../../ir.ts'
import { constantValue } from './values.ts'

export const COMPARISONS: ReadonlySet<string> = new Set([
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'not in',
  'instanceof',
  'is',
  'is not',
  '<=>',
  '~=',
])

/** The result if both operands are constant and the operator is supported. */
export function foldBinary(
  language: Language,
  operator: string,
  left: AbstractValue,
  right: AbstractValue,
): AbstractValue | undefined {
  const [one, other] = [left.known, right.known]
  if (one === undefined || other === undefined) return undefined
  const equal = equality(operator, one, other)
  if (equal !== undefined) return constantValue(equal)
  if (one === null || other === null) return undefined
  if (typeof one === 'string' && typeof other === 'string') return ordering(operator, one, other)
  if (typeof one === 'string' || typeof other === 'string') return undefined
  const result = arithmetic(language, operator, Number(one), Number(other))
  if (result === undefined) return undefined
  return typeof result === 'number' && !Number.isFinite(result) ? undefined : constantValue(result)
}

export function foldUnary(operator: string, { known: value }: AbstractValue): AbstractValue | undefined {
  if (value === undefined) return undefined
  switch (operator) {
    case '!':
      return constantValue(!value)
    case '-':
      return typeof value === 'number' ? constantValue(-value) : undefined
    case '+':
      return value !== null && value !== '' && Number.isFinite(Number(value))
        ? constantValue(Number(value))
        : undefined
    case '~':
      return typeof value === 'number' ? constantValue(~value) : undefined
    case 'typeof':
      return value === null ? undefined : constantValue(typeof value)
    default:
      return undefined
  }
}

function equality(operator: string, one: Primitive, other: Primitive): boolean | undefined {
  switch (operator) {
    case '==':
    case '===':
    case 'is':
      return same(operator, one, other)
    case '!=':
    case '!==':
    case 'is not': {
      const equal = same(operator, one, other)
      return equal === undefined ? undefined : !equal
    }
    default:
      return undefined
  }
}

/** Loose equality of different types is left undecided. */
function same(operator: string, one: Primitive, other: Primitive): boolean | undefined {
  if (one === other) return true
  const isLoose = operator === '==' || operator === '!='
  return isLoose && typeof one !== typeof other && one !== null && other !== null ? undefined : false
}

function ordering(operator: string, one: string, other: string): AbstractValue | undefined {
  switch (operator) {
    case '<':
      return constantValue(one < other)
    case '>':
      return constantValue(one > other)
    case '<=':
      return constantValue(one <= other)
    case '>=':
      return constantValue(one >= other)
    default:
      return undefined
  }
}

function arithmetic(
  language: Language,
  operator: string,
  one: number,
  other: number,
): number | boolean | undefined {
  switch (operator) {
    case '+':
      return one + other
    case '-':
      return one - other
    case '*':
      return one * other
    case '/':
      return isWhole(language) && Number.isInteger(one) && Number.isInteger(other)
        ? Math.trunc(one / other)
        : one / other
    case '//':
      return Math.floor(one / other)
    case '%':
      return one % other
    case '**':
      return one ** other
    case '<<':
      return one << other
    case '>>':
      return one >> other
    case '&':
      return one & other
    case '|':
      return one | other
    case '^':
      return one ^ other
    case '<':
      return one < other
    case '>':
      return one > other
    case '<=':
      return one <= other
    case '>=':
      return one >= other
    default:
      return undefined
  }
}

const WHOLE_NUMBERS: ReadonlySet<Language> = new Set(['java', 'go', 'csharp', 'kotlin'])
const isWhole = (language: Language): boolean => WHOLE_NUMBERS.has(language)
