// Rules about input that becomes part of a statement, a command, a path or a document.

import type { AbstractValue } from '../../abstract-value.ts'
import { codeInjection, unsafeReflection } from '../../java/rules/injection/code.ts'
import { commandInjection } from '../../java/rules/injection/commands.ts'
import { deserialization, externalEntities } from '../../java/rules/injection/parsing.ts'
import { archiveTraversal, pathTraversal } from '../../java/rules/injection/paths.ts'
import { ldapInjection, xpathInjection } from '../../java/rules/injection/queries.ts'
import { sqlInjection } from '../../java/rules/injection/sql.ts'
import { enclosingText, flowHit, isMethodOf } from '../../java/rules/taint-flow.ts'
import type { CallEvent, Rule } from '../../rule.ts'
import { inKotlin } from './shared.ts'

/** SQLite of Android, and Exposed. Their names are unambiguous. */
const ANDROID_SQL = /^(?:rawQuery|execSQL|rawQueryWithFactory|compileStatement)$/
const RAW_SQL = /^(?:SimpleSQLiteQuery|androidx\.sqlite\.db\.SimpleSQLiteQuery|RoomRawQuery)$/

function statementOf(event: CallEvent): AbstractValue | undefined {
  const { method, receiver, name, isNew } = event
  if (ANDROID_SQL.test(method) && !receiver?.classDefinition) return event.arg(0)?.value
  if (isNew && RAW_SQL.test(name)) return event.arg(0)?.value
  const isExposed = method === 'exec' && event.imports(/^org\.jetbrains\.exposed\b/) && !isRuntime(event)
  return isExposed ? event.arg(0)?.value : undefined
}

const isRuntime = (event: CallEvent): boolean => isMethodOf(event, ['java.lang.Runtime'], /^exec$/)

const resolved = (event: CallEvent): AbstractValue | undefined => {
  const { method, receiver } = event
  const isOfFile = method === 'resolve' && /(?:^|\.)File$/.test(receiver?.type ?? '')
  return isOfFile && !isChecked(event) ? event.arg(0)?.value : undefined
}

const isChecked = (event: CallEvent): boolean =>
  /canonical(?:Path|File)|normalize\(\)|toRealPath/.test(enclosingText(event)) &&
  /startsWith/.test(enclosingText(event))

export const injectionRules: readonly Rule[] = [
  inKotlin(sqlInjection, {
    fix: 'Write the statement with `?` and pass the values: `db.rawQuery("select … where id = ?", arrayOf(id))` or `setString(1, id)`. Take table and column names from a fixed list.',
    call: (event) => flowHit(event.expr.at, statementOf(event), { sinks: ['sql'], unknownCallsMax: 1 }),
  }),
  inKotlin(commandInjection, {
    fix: 'Use a constant program and pass its arguments one by one, without a shell: `ProcessBuilder("convert", "--", file)`. If possible, use a library instead of a program.',
  }),
  inKotlin(pathTraversal, {
    fix: 'Keep only the last segment (`File(name).name`), or compare the path with its folder: `file.canonicalFile.startsWith(root.canonicalFile)`.',
    call: (event) => flowHit(event.expr.at, resolved(event), { sinks: ['path'] }),
  }),
  inKotlin(archiveTraversal),
  inKotlin(ldapInjection),
  inKotlin(xpathInjection),
  inKotlin(externalEntities),
  inKotlin(deserialization),
  inKotlin(codeInjection),
  inKotlin(unsafeReflection),
]
