// Declared types.
import type { AbstractValue } from '../../abstract-value.ts'
import type { Language } from '../../ir.ts'
import type { Machine, SourceFile } from '../machine.ts'
import { bareType } from '../name-patterns.ts'
import { findClass } from './members.ts'
import { sanitizeForAll } from './values.ts'
import { findVariable, readVariable } from './variables.ts'

const NUMBERS: ReadonlySet<string> = new Set(
  (
    'int long short byte double float boolean bool char integer number bigint Int Integer Long Short Byte Double Float Boolean Number ' +
    'java.lang.Integer java.lang.Long java.lang.Short java.lang.Byte java.lang.Double java.lang.Float java.lang.Boolean ' +
    'int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 uintptr rune decimal Decimal BigDecimal BigInteger ' +
    'UUID java.util.UUID LocalDate LocalDateTime Instant'
  ).split(' '),
)

/** Numbers and booleans carry no taint. */
export const isNumeric = (type: string | null): boolean =>
  type !== null && NUMBERS.has(type.replace(/^\?/, ''))

/** Applies a declared type. More precise knowledge about the value is kept. */
export function withDeclaredType(m: Machine, value: AbstractValue, type: string | null): AbstractValue {
  if (type === null || type === '') return value
  if (isNumeric(type)) return value.taints.length > 0 ? { ...sanitizeForAll(value), type } : value
  if (value.type !== undefined && value.type !== 'list') return value
  if (value.known !== undefined && value.known !== null) return value
  const full = qualifyType(m, m.frame.file, type)
  const of = value.classDefinition ?? findClass(m, full, m.frame.file.path)?.definition
  return { ...value, type: full, ...(of && { classDefinition: of }) }
}

const HAS_TYPE_ARGUMENTS: ReadonlySet<Language> = new Set(['java', 'csharp', 'kotlin'])

/**
 * The type with its package: `Statement` becomes `java.sql.Statement`, `*http.Request` becomes
 * `*net/http.Request`.
 */
export function qualifyType(m: Machine, _file: SourceFile, type: string): string {
  const written = HAS_TYPE_ARGUMENTS.has(m.language) ? bareType(type) : type
  const first = /[A-Za-z_$][\w$]*/.exec(written)
  if (!first) return written
  const variable = findVariable(m.frame.scope, first[0])
  const name = (variable && readVariable(m, variable).name) ?? m.model.model.builtins?.get(first[0])
  if (name === undefined || name === first[0]) return written
  return written.slice(0, first.index) + name + written.slice(first.index + first[0].length)
}
