// Tables of the fields of a request. They decide for each field whether it is read, ignored and named, or refused, so that no
// field is dropped silently.
import { type Tool, type ToolChoice, WireError } from './conversation.ts'
import { isRecord } from './values.ts'
import type { Fields } from './wire.ts'

/**
 * `true`: the reader reads it. `false`: it concerns only the provider's account, and is ignored and named, as are fields that
 * the table lacks. A list: it is refused with this reason, except for the harmless values after it. A table: an object, or a
 * list of objects.
 */
export type FieldRule =
  | boolean
  | readonly [why: string, ...harmless: readonly unknown[]]
  | FieldTable
  | ((value: unknown) => boolean | readonly [why: string])
export type FieldTable = { readonly [name: string]: FieldRule }

export const IGNORED_MAX = 20
const NAME_MAX = 64

/** A read field only with these values; any other value is ignored and named. */
export const only =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)

/**
 * The paths of all fields that are not read, without indexes, each once. Throws for a refused field. `nameOf` gives the name of
 * a key in the table.
 */
export function ignoredFields(
  body: Fields,
  table: FieldTable,
  hosted: readonly string[] = [],
  nameOf: (key: string) => string = (key) => key,
): readonly string[] {
  const found = new Set(hosted.map(printable))
  walk(body, table, '', found, nameOf)
  return [...found].slice(0, IGNORED_MAX)
}

function walk(
  fields: Fields,
  table: FieldTable,
  path: string,
  found: Set<string>,
  nameOf: (key: string) => string,
): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === undefined || value === null) continue
    const name = nameOf(key)
    const rule = Object.hasOwn(table, name) ? resolve(table[name], value) : false
    if (rule === true) continue
    const at = path === '' ? name : `${path}.${name}`
    if (rule === false) {
      if (found.size < IGNORED_MAX) found.add(printable(at))
    } else if (isRefusal(rule)) {
      const [why, ...harmless] = rule
      const text = JSON.stringify(value)
      if (!harmless.some((each) => JSON.stringify(each) === text)) throw new WireError(at, why)
    } else if (isRecord(value)) walk(value, rule, at, found, nameOf)
    else if (Array.isArray(value))
      for (const each of value) if (isRecord(each)) walk(each, rule, `${at}[]`, found, nameOf)
  }
}

const resolve = (
  rule: FieldRule | undefined,
  value: unknown,
): Exclude<FieldRule, (value: unknown) => unknown> =>
  typeof rule === 'function' ? rule(value) : (rule ?? false)

const isRefusal = (rule: unknown): rule is readonly [string, ...unknown[]] => Array.isArray(rule)

/** Names of unknown fields are the caller's text and become part of a header. */
const printable = (path: string): string => path.replace(/[^\w.$@[\]-]/g, '?').slice(0, NAME_MAX * 2)

/** Throws when the choice requires a tool that the request does not offer. Hosted tools are left out of the request. */
export function requireOffered(
  choice: ToolChoice | null,
  tools: readonly Tool[],
  hosted: readonly string[],
  field: string,
): ToolChoice | null {
  if (!choice) return null
  const offered = new Set(tools.map(({ name }) => name))
  const names = choice.kind === 'tool' ? [choice.name] : choice.kind === 'allowed' ? choice.names : []
  for (const name of names) {
    if (offered.has(name)) continue
    const isHosted = hosted.some((each) => each.includes(`[${name}`))
    throw new WireError(
      field,
      isHosted
        ? `requires ${JSON.stringify(name)}, which runs at a provider and is not supported`
        : `names ${JSON.stringify(name)}, which is not in tools`,
    )
  }
  if (choice.kind === 'required' && tools.length === 0 && hosted.length > 0)
    throw new WireError(field, 'requires a tool that runs at a provider, which is not supported')
  return choice
}
