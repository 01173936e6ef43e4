// Files of environment variables, as the dotenv library reads them.
import { type Change, type Format, splice, withFinalLineEnd } from './format.ts'

type Variable = {
  readonly name: string
  readonly value: string
  /** The line or lines, without the line end. */
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
}

const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\n]*?)[ \t]*(?:#[^\n]*)?$/dgm

export const envFormat: Format = {
  merge(text, snippet, defaults) {
    let merged = text
    const changes: Change[] = []
    for (const { name, value } of variablesOf(snippet)) {
      const present = find(merged, name)
      const isDefault = defaults.includes(name)
      if (present && (isDefault || present.value === value)) continue
      merged = present
        ? splice(merged, present.valueStart, present.valueEnd, value)
        : `${withFinalLineEnd(merged)}${name}=${value}\n`
      const before = present?.value ?? null
      changes.push({ path: [name], before, after: value, existing: 0, ...(isDefault && { isDefault }) })
    }
    return { text: merged, changes }
  },

  revert(text, changes) {
    let reverted = text
    const kept: string[] = []
    for (const { path, before, after } of changes.toReversed()) {
      const present = find(reverted, String(path[0]))
      if (!present) continue
      if (present.value !== after) kept.push(present.name)
      else if (before !== null) reverted = splice(reverted, present.valueStart, present.valueEnd, before)
      else reverted = splice(reverted, present.start, present.end + 1, '')
    }
    return { text: reverted, kept, isEmpty: reverted.trim() === '' }
  },

  differing: (text, changes) =>
    changes
      .filter(({ path, after }) => find(text, String(path[0]))?.value !== after)
      .map(({ path }) => String(path[0])),
}

function variablesOf(text: string): Variable[] {
  return [...text.matchAll(LINE)].map((found) => {
    const [start, end] = found.indices?.[0] ?? [0, 0]
    const [valueStart, valueEnd] = found.indices?.[2] ?? [0, 0]
    return { name: found[1] ?? '', value: found[2] ?? '', start, end, valueStart, valueEnd }
  })
}

/** Of repeated variables, the last one counts. */
const find = (text: string, name: string): Variable | undefined =>
  variablesOf(text).findLast((variable) => variable.name === name)
