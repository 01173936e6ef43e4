// SQL that was put together from texts and values: which of the values can change what the statement does.

import type { AbstractValue, Taint } from '../abstract-value.ts'
import { findTaintedInterpolation, type Interpolation, isDirectRequest, outlineOf } from './interpolations.ts'

const STATEMENT =
  /^[\s(]*(?:--[^\n]*\n\s*)*(select|insert\s+(ignore\s+)?into|update|delete\s+from|replace\s+into|with|create|drop|alter|truncate|call|merge\s+into|exec|show|describe|explain|set|grant|union)\b/i

/** A word that begins a sentence is not enough: a statement has another of its own words further on. */
const SECOND_KEYWORD =
  /\b(from|into|set|values|where|table|database|as|view|index|user|like|columns|tables|schema|\*)\b/i

export const isSql = (value: AbstractValue): boolean => {
  const outline = outlineOf(value)
  return STATEMENT.test(outline) && SECOND_KEYWORD.test(outline)
}

/** What comes from a caller counts only where a value stands: names of tables and columns are the caller's to choose. */
export function findSqlInjection(
  value: AbstractValue,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  return findUnescapedInterpolation(value) ?? findEscapedOutsideQuotes(value)
}

/** Escaping quotes helps where there are quotes: as a number, `1 or 1=1` needs none. */
function findEscapedOutsideQuotes(
  value: AbstractValue,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  return findTaintedInterpolation(value, [], (taint, { value: escaped, before }) => {
    const isOut = /(=|<|>)\s*$/.test(before) && !isInQuotes(before.replaceAll('"', "'"))
    return escaped.type === ESCAPED_STRING_TYPE && isDirectRequest(taint) && isOut
  })
}

/** The type of a text whose quotes have been escaped. */
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

/** Names of things in the database, which a program takes from itself. */
const IDENTIFIER = /table|column|database|schema|prefix|field|index|\bdb/i

const NUMBERS = new Set(['number', 'boolean', 'int', 'int64', 'float'])

/** Behind an open quote, or behind a comparison. */
export function isValuePosition(before: string): boolean {
  return isInQuotes(before) || /(=|<|>|\blike)\s*$/i.test(before)
}

/** An odd number of quotes before it: the value ends the text it stands in. */
export function isInQuotes(before: string): boolean {
  const quotes = before.replace(/\\'|''/g, '').match(/'/g)?.length ?? 0
  return quotes % 2 === 1
}
