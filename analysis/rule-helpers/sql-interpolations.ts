// SQL that was put together from texts and values: which of the values can change what the statement does.

import type { Taint, Value } from '../abstract-value.ts'
import { type Hole, isRequest, openHole, outlineOf } from './interpolations.ts'

const STATEMENT =
  /^[\s(]*(?:--[^\n]*\n\s*)*(select|insert\s+(ignore\s+)?into|update|delete\s+from|replace\s+into|with|create|drop|alter|truncate|call|merge\s+into|exec|show|describe|explain|set|grant|union)\b/i

/** A word that begins a sentence is not enough: a statement has another of its own words further on. */
const SECOND =
  /\b(from|into|set|values|where|table|database|as|view|index|user|like|columns|tables|schema|\*)\b/i

export const isSql = (value: Value): boolean => {
  const outline = outlineOf(value)
  return STATEMENT.test(outline) && SECOND.test(outline)
}

/** What comes from a caller counts only where a value stands: names of tables and columns are the caller's to choose. */
export function sqlHole(value: Value): { readonly taint: Taint; readonly hole: Hole } | undefined {
  return openSqlHole(value) ?? escapedHole(value)
}

/** Escaping quotes helps where there are quotes: as a number, `1 or 1=1` needs none. */
function escapedHole(value: Value): { readonly taint: Taint; readonly hole: Hole } | undefined {
  return openHole(value, [], (taint, { value: escaped, before }) => {
    const isOut = /(=|<|>)\s*$/.test(before) && !isInQuotes(before.replaceAll('"', "'"))
    return escaped.type === ESCAPED && isRequest(taint) && isOut
  })
}

/** The type of a text whose quotes have been escaped. */
export const ESCAPED = 'escaped text'

function openSqlHole(value: Value): { readonly taint: Taint; readonly hole: Hole } | undefined {
  return openHole(value, ['sql'], (taint, hole) => {
    if (hole.value.type !== undefined && NUMBERS.has(hole.value.type)) return false
    if (isRequest(taint)) return true
    return (
      taint.origin === 'parameter' &&
      taint.doubts === 0 &&
      isValuePlace(hole.before) &&
      !IDENTIFIER.test(taint.label)
    )
  })
}

/** Names of things in the database, which a program takes from itself. */
const IDENTIFIER = /table|column|database|schema|prefix|field|index|\bdb/i

const NUMBERS = new Set(['number', 'boolean', 'int', 'int64', 'float'])

/** Behind an open quote, or behind a comparison. */
export function isValuePlace(before: string): boolean {
  return isInQuotes(before) || /(=|<|>|\blike)\s*$/i.test(before)
}

/** An odd number of quotes before it: the value ends the text it stands in. */
export function isInQuotes(before: string): boolean {
  const quotes = before.replace(/\\'|''/g, '').match(/'/g)?.length ?? 0
  return quotes % 2 === 1
}
