// Old and new values in an audit entry.

export type Change = { name: string; from: string | null; to: string | null }

/** `from` and `to` become one change, or one per field that differs. Other values are listed as they are. */
export function changesIn(metadata: Readonly<Record<string, unknown>>): Change[] {
  const { from, to, before = from, after = to, ...rest } = metadata
  const others = Object.entries(rest).map(([name, value]) => ({ name, from: null, to: textOf(value) }))
  if (before === undefined && after === undefined) return others
  if (!isRecord(before) || !isRecord(after))
    return [{ name: '', from: textOf(before ?? null), to: textOf(after ?? null) }, ...others]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names
    .map((name) => ({ name, from: textOf(before[name] ?? null), to: textOf(after[name] ?? null) }))
    .filter((each) => each.from !== each.to)
  return [...changed, ...others]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))
}
