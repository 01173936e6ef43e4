// The details of an audit entry as lines: changes with old and new value, other values as they are.
import { toJson } from '@cowrie/sdk'

/** `before` is null where there is no old value. */
export type AuditDetail = { name: string; before: string | null; after: string }
type Metadata = Readonly<Record<string, unknown>>

export function auditDetails(metadata: Metadata): AuditDetail[] {
  const lines: AuditDetail[] = []
  const rest = { ...metadata }
  const pair = (from: string, to: string, name: string) => {
    if (!(from in rest) || !(to in rest)) return
    const [before, after] = [rest[from], rest[to]]
    delete rest[from]
    delete rest[to]
    if (isObject(before) && isObject(after)) lines.push(...changes(before, after))
    else lines.push({ name, before: plain(before), after: plain(after) })
  }
  pair('before', 'after', '')
  pair('from', 'to', '')
  pair('fromMinor', 'toMinor', 'minor')
  for (const [name, value] of Object.entries(rest)) lines.push({ name, before: null, after: plain(value) })
  return lines
}

const changes = (before: Metadata, after: Metadata): AuditDetail[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    before: plain(before[name]),
    after: plain(after[name]),
  }))

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(plain).join(', ')
  return isObject(value) ? toJson(value) : String(value)
}
