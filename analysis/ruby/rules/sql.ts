// Rules about SQL built from input.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import {
  findTaintedInterpolation,
  flowHit,
  isDirectRequest,
  outlineOf,
} from '../../rule-helpers/interpolations.ts'
import { receiverText, requestHit } from '../../rule-helpers/request-flow.ts'
import { findSqlInjection, isSql, isValuePosition } from '../../rule-helpers/sql-interpolations.ts'
import { words } from '../model/values.ts'

export const sqlInjection: Rule = {
  id: 'RB-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'The database cannot tell the statement from the value in it. A quote in the input changes what is read, changed or deleted.',
  fix: 'Pass values separately: `where(name: name)` or `where("name = ?", name)`. Take columns and directions from a fixed list.',
  on: { call: findSql },
}

/** Active Record methods whose first argument is a fragment of SQL. */
const FRAGMENTS = new Set(
  words(
    'where rewhere having joins select group from delete_all update_all find_by find_by! exists? not order reorder pluck lock calculate or_where',
  ),
)
/** Sorting and selecting reject most expressions since Rails 6, but not through `Arel.sql`. */
const CHECKED_BY_RAILS = new Set(words('order reorder pluck'))
const STATEMENTS = new Set(
  words(
    `find_by_sql count_by_sql execute exec_query exec_update exec_delete exec_insert select_all select_one select_rows select_value
     select_values query exec async_exec exec_params fetch run prepare get_first_value get_first_row execute_batch sql_query query_single`,
  ),
)

function findSql(event: CallEvent): Hit | undefined {
  const { method, receiver } = event
  const isFragment =
    event.name === 'Arel.sql' || event.name === 'Sequel.lit' || event.name === 'Sequel.literal'
  if (!isFragment && !FRAGMENTS.has(method) && !(receiver && STATEMENTS.has(method))) return undefined
  const value = event.arg(0)?.value
  if (!value) return undefined
  if (isFragment) return requestHit(event, [value], ['sql'], 'an SQL fragment') ?? inCondition(event, value)
  if (receiver && STATEMENTS.has(method)) return inStatement(event, value)
  if (!FRAGMENTS.has(method) || !(receiver || isModel(event))) return undefined
  return inFragment(event, value)
}

const isModel = ({ classes }: CallEvent): boolean =>
  classes[0]?.bases.some((base) => /ApplicationRecord$|ActiveRecord\.Base$|Sequel\.Model/.test(base)) ?? false

function inStatement(event: CallEvent, value: AbstractValue): Hit | undefined {
  const first = value.fields?.get('0') ?? value
  if (isSql(first)) {
    const found = findSqlInjection(first)
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  const isDatabase = /find_by_sql|count_by_sql|exec_query|select_(?:all|one|rows|values?)/.test(event.method)
  return isDatabase ||
    /(?:^|[.@])(?:conn(?:ection)?|db|database|client|mysql|pg|sqlite|DB)\w*$/i.test(receiverText(event))
    ? requestHit(event, [first], ['sql'], 'an SQL statement', (_, before) => before === '' || isSql(first))
    : undefined
}

function inFragment(event: CallEvent, value: AbstractValue): Hit | undefined {
  // A hash and the values of placeholders are escaped. The text of `["name = ?", name]` is its first item.
  const text = value.fields?.has('0') ? value.fields.get('0') : value.fields ? undefined : value
  if (!text || isOtherReceiver(event)) return undefined
  const isWhole = outlineOf(text) === '\0'
  if (isWhole) {
    if (CHECKED_BY_RAILS.has(event.method) && !isSymbol(text)) return sorted(event, text)
    // `where(params[:filter])` can be a hash.
    const isText = /^(?:having|joins|select|group|from|delete_all|update_all|where|lock)$/.test(event.method)
    return isText
      ? requestHit(event, [text], ['sql'], 'an SQL fragment', (taint) => !/permit|require/.test(taint.label))
      : undefined
  }
  return requestHit(event, [text], ['sql'], 'an SQL fragment') ?? inCondition(event, text)
}

/** Plain names pass the check of Rails, so this is a warning. */
function sorted(event: CallEvent, text: AbstractValue): Hit | undefined {
  const found = requestHit(event, [text], ['sql'], 'an SQL fragment')
  return found && { ...found, severity: 'warn', confidence: 'medium' }
}

const isSymbol = ({ type }: AbstractValue): boolean => type === 'symbol'

/** Collections have `select`, `group` and others too. */
const isOtherReceiver = (event: CallEvent): boolean =>
  (event.receiver?.type === 'Parameters' && event.method !== 'where') ||
  /^(?:page|browser|find|driver|session|within|@?page)\b/.test(receiverText(event))

/** A caller of a public method may pass a value, but not a whole condition. */
function inCondition(event: CallEvent, text: AbstractValue): Hit | undefined {
  const found = findTaintedInterpolation(
    text,
    ['sql'],
    (taint, { before, value }) =>
      !isDirectRequest(taint) &&
      taint.origin === 'parameter' &&
      taint.unknownCalls === 0 &&
      value.type !== 'number' &&
      isValuePosition(before) &&
      /\w\s*(?:=|<|>|\blike)\s*['"(%]*$/i.test(before) &&
      !/table|column|schema|prefix|field|index|type|^argument (?:id|sql|quoted\w*)$|_sql$/i.test(taint.label),
  )
  return found && flowHit(event.expr.at, found.taint, 'an SQL condition')
}
