// Rules about SQL, commands and file paths from input.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import { findTaintedInterpolation, flowHit, hasFixedHost } from '../../rule-helpers/interpolations.ts'
import { receiverText, requestHit } from '../../rule-helpers/request-flow.ts'
import { findSqlInjection, isSql, isValuePosition } from '../../rule-helpers/sql-interpolations.ts'

export const sqlInjection: Rule = {
  id: 'DA-SQL-01',
  title: 'An SQL statement is built from input',
  cwe: 89,
  severity: 'error',
  confidence: 'high',
  languages: ['dart'],
  message:
    'The database cannot tell the statement from the value in it. A quote in the input changes what is read, changed or deleted.',
  fix: 'Use placeholders: `db.rawQuery("select … where id = ?", [id])`, `db.query("users", where: "id = ?", whereArgs: [id])`.',
  on: { call: findSql },
}

const METHODS =
  /^(?:rawQuery|rawInsert|rawUpdate|rawDelete|execute|query|select|prepare|customSelect|customStatement|customUpdate|customInsert|mappedResultsQuery|executeBatch|getAll|getOptional)$/

function findSql(event: CallEvent): Hit | undefined {
  if (!event.receiver || !METHODS.test(event.method)) return undefined
  const given = event.arg(0)?.value
  const statement = given?.name === 'Sql.named()' ? undefined : given
  if (statement && isSql(statement)) {
    const found = findSqlInjection(statement)
    if (found) return flowHit(event.expr.at, found.taint, 'an SQL statement')
  }
  const isDatabase =
    /^(?:raw|custom)/.test(event.method) ||
    /(?:^|[._])(?:db|database|conn|connection)$/i.test(receiverText(event))
  if (statement && isDatabase) {
    const whole = requestHit(event, [statement], ['sql'], 'an SQL statement', (_, before) => before === '')
    if (whole) return whole
  }
  return inClause(event)
}

/** `db.query('users', where: "name = '$name'")` */
function inClause(event: CallEvent): Hit | undefined {
  for (const name of ['where', 'orderBy', 'having', 'groupBy']) {
    const clause = event.option(name)
    const found =
      clause &&
      (requestHit(event, [clause], ['sql'], 'an SQL clause') ??
        hitOf(
          event,
          findTaintedInterpolation(
            clause,
            ['sql'],
            (taint, { before, value }) =>
              taint.origin === 'parameter' &&
              taint.unknownCalls === 0 &&
              value.type !== 'number' &&
              isValuePosition(before),
          ),
        ))
    if (found) return found
  }
  return undefined
}

const hitOf = (event: CallEvent, found: ReturnType<typeof findTaintedInterpolation>): Hit | undefined =>
  found && flowHit(event.expr.at, found.taint, 'an SQL clause')

export const commandInjection: Rule = {
  id: 'DA-CMD-01',
  title: 'A shell command is built from input',
  cwe: 78,
  severity: 'error',
  confidence: 'high',
  languages: ['dart'],
  message:
    'A shell interprets a value from outside. A `;` or a `$(…)` in it is enough to run anything on this machine.',
  fix: 'Pass the program and its arguments as a list, without `runInShell`: `Process.run("convert", [path])`.',
  on: { call: findCommand },
}

function findCommand(event: CallEvent): Hit | undefined {
  if (!/^(?:Process|io\.Process)\.(?:run|runSync|start)$/.test(event.name)) return undefined
  const program = event.arg(0)?.value
  const list = event.arg(1)?.value
  const items = [...(list?.fields?.values() ?? [])]
  const direct = requestHit(
    event,
    [program],
    ['shell'],
    'the name of a program',
    (_, before) => !/\s/.test(before),
  )
  if (direct) return direct
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$|^cmd|^powershell/i.test(String(program?.known ?? ''))
  const script = isShell
    ? items.findIndex(({ known }) => /^(?:-\w*c|\/c|-Command)$/i.test(String(known ?? '')))
    : -1
  const values =
    event.option('runInShell')?.known === true
      ? [program, ...items, list?.others]
      : script === -1
        ? []
        : [items[script + 1]]
  return requestHit(event, values, ['shell'], 'a shell command') ?? ofCaller(event, values)
}

/** A value that a caller passes into a script. */
function ofCaller(event: CallEvent, values: readonly (AbstractValue | undefined)[]): Hit | undefined {
  for (const value of values) {
    const found =
      value &&
      findTaintedInterpolation(
        value,
        ['shell'],
        ({ origin, unknownCalls, label }, { before }) =>
          origin === 'parameter' &&
          unknownCalls === 0 &&
          /\S\s/.test(before) &&
          /url|name|query|host|input|text|title|email/i.test(label),
      )
    if (found && !/(?:^|\/)(?:bin|tool|tools|scripts?)\//.test(event.path))
      return { ...flowHit(event.expr.at, found.taint, 'a shell command'), severity: 'warn' }
  }
  return undefined
}

export const pathTraversal: Rule = {
  id: 'DA-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'high',
  languages: ['dart'],
  message:
    'Input names a file. With `../` it names any file that this process can open, write or delete: settings, keys, files of other users.',
  fix: 'Use `p.basename(name)`, or check `p.isWithin(root, p.normalize(path))`, or look the file up in a list.',
  on: { call: findPath },
}

const CHECKED = /isWithin\(|\.startsWith\(|allow\w*[.([]|valid\w*\(|\.contains\(\s*['"]\.\./i

function findPath(event: CallEvent): Hit | undefined {
  if (!event.isNew || !/^(?:File|Directory|Link|io\.File|io\.Directory|RandomAccessFile)$/.test(event.name))
    return undefined
  const found = requestHit(
    event,
    [event.arg(0)?.value],
    ['path'],
    'a file path',
    (_, before) => !hasFixedHost(before),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED) ? found : undefined
}
