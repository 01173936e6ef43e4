// SQL built by concatenation: which interpolated values can change the statement.

import type { AbstractValue, Taint } from '../abstract-value.ts'
import { findTaintedInterpolation, type Interpolation, isDirectRequest, outlineOf } from './interpolations.ts'

const STATEMENT =
  /^[\s(]*(?:--[^\n]*\n\s*)*(select|insert\s+(ignore\s+)?into|update|delete\s+from|replace\s+into|with|create|drop|alter|truncate|call|merge\s+into|exec|show|describe|explain|set|grant|union)\b/i

/** A leading keyword also starts English sentences, so a second SQL keyword is required. */
const SECOND_KEYWORD =
  /\b(from|into|set|values|where|table|database|as|view|index|user|like|columns|tables|schema|\*)\b/i

export const isSql = (value: AbstractValue): boolean => {
  const outline = outlineOf(value)
  return STATEMENT.test(outline) && SECOND_KEYWORD.test(outline)
}

/** A parameter counts only in the position of a value. Callers may choose table and column names. */
export function findSqlInjection(
  value: AbstractValue,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  return findUnescapedInterpolation(value) ?? findEscapedOutsideQuotes(value)
}

/** Escaping quotes does not help outside quotes: in a numeric position `1 or 1=1` needs no quote. */
function findEscapedOutsideQuotes(
  value: AbstractValue,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  return findTaintedInterpolation(value, [], (taint, { value: escaped, before }) => {
    const isOut = /(=|<|>)\s*$/.test(before) && !isInQuotes(before.replaceAll('"', "'"))
    return escaped.type === ESCAPED_STRING_TYPE && isDirectRequest(taint) && isOut
  })
}

/** The type of a string with escaped quotes. */
export const ESCAPED_STRING_TYPE = 'escaped text'

function findUnescapedInterpolation(
  value: AbstractValue,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  return findTaintedInterpolation(value, ['sql'], (taint, hole) => {
    if (hole.value.type !== undefined && NUMBERS.has(hole.value.type)) return false
    if (isDirectRequest(taint)) return true
    return (
      taint.origin === 'parameter' &&
      taint.unknownCalls === 0 &&
      isValuePosition(hole.before) &&
      !IDENTIFIER.test(taint.label)
    )
  })
}

/** Database identifiers, which programs normally take from their own code. */
const IDENTIFIER = /table|column|database|schema|prefix|field|index|\bdb/i

const NUMBERS = new Set(['number', 'boolean', 'int', 'int64', 'float'])

/** Inside an open quote, or after a comparison. */
export function isValuePosition(before: string): boolean {
  return isInQuotes(before) || /(=|<|>|\blike)\s*$/i.test(before)
}

/** Whether an odd number of quotes precedes the value. */
export function isInQuotes(before: string): boolean {
  const quotes = before.replace(/\\'|''/g, '').match(/'/g)?.length ?? 0
  return quotes % 2 === 1
}
