// Changes that leave the program as it is and only insert exceptions for certain values.
import { diffArrays, diffLines } from 'diff'
import { type Branch, type ProgramPlaces, readPlaces } from './branches.ts'
import { kindOf } from './literals.ts'

const CHARACTERS_MAX = 400_000
const EDITS_MAX = 300
const LINE_CHARACTERS = 300
const TOKEN = /\s*(?:'[^'\n]*'|"[^"\n]*"|\w+|[=!<>&|+*/%-]+|[^\w\s])/g
const IMPORT = /^\s*(?:import|from|use|using|require|package|const \w+ = require)\b/
const BRACES =
  /^[\s(){}[\];:,]*(?:else|end|pass|break;?|default:|(?:switch|match|select)\b[^;]*)?[\s(){}[\];:,]*$/
const FUNCTION = /\bdef \w|\bfunc\b|\bfunction\b|=>\s*\{/

/** The comparisons and tables of each inserted exception. Null if the change does anything else. */
export function readExceptions(path: string, before: string, after: string): ProgramPlaces[] | null {
  const found = readAll(path, before, after)
  return (
    found?.map((each) => ({
      ...each,
      branches: each.branches.filter((branch) => !isFurther(branch, before)),
    })) ?? null
  )
}

/** Whether the program already had a case of this form for another word. */
function isFurther({ line, compared }: Branch, before: string): boolean {
  const start = line.search(/['"`]/)
  if (start < 4 || !compared.every((key) => kindOf(key) === 'word')) return false
  const form = line.slice(0, start)
  return before
    .split('\n')
    .some((each) => /^['"`]/.test(each.trim().slice(form.length)) && each.trim().startsWith(form))
}

function readAll(path: string, before: string, after: string): ProgramPlaces[] | null {
  if (before === '' || before.length > CHARACTERS_MAX || after.length > CHARACTERS_MAX) return null
  const parts = diffLines(before, after, { maxEditLength: EDITS_MAX })
  if (parts === undefined) return null
  const exceptions: ProgramPlaces[] = []
  for (const [i, { value, added, removed }] of parts.entries()) {
    if (removed && !parts[i + 1]?.added) return null
    if (!added) continue
    const old = parts[i - 1]?.removed ? parts[i - 1]?.value : undefined
    const found = old === undefined ? readException(path, value) : readChangedLines(path, old, value)
    if (found === null) return null
    exceptions.push(...found)
  }
  return exceptions
}

/** Lines that begin, end and use a table. */
const LOOKUP_LINES = 4

/** Nothing for imports and braces; null if the text does more than to except values. */
function readException(path: string, text: string): ProgramPlaces[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim().slice(0, LINE_CHARACTERS))
    .filter((line) => !BRACES.test(line) && !IMPORT.test(line))
  if (lines.length === 0) return []
  const places = readPlaces(path, '', text)
  const { branches, entries } = places
  const most = 2 * branches.length + (entries.length === 0 ? 0 : entries.length + LOOKUP_LINES)
  return lines.length > most || FUNCTION.test(text) ? null : [places]
}

/** There are several ways to see what was inserted into a line. */
function readChangedLines(path: string, before: string, after: string): ProgramPlaces[] | null {
  for (const inserted of [readInsertions(before, after), readInsertions(before, after, true)]) {
    const found = inserted?.map((text) => readException(path, text))
    if (found !== undefined && !found.includes(null)) return found.flatMap((each) => each ?? [])
  }
  return null
}

/** The inserted texts; null if anything was removed. */
function readInsertions(before: string, after: string, isFromEnd = false): string[] | null {
  const inOrder = (tokens: readonly string[]) => (isFromEnd ? tokens.toReversed() : [...tokens])
  const parts = diffArrays(inOrder(before.match(TOKEN) ?? []), inOrder(after.match(TOKEN) ?? []), {
    comparator: (a, b) => a.trim() === b.trim(),
    maxEditLength: EDITS_MAX,
  })
  if (parts === undefined || parts.some(({ removed }) => removed)) return null
  return parts.filter(({ added }) => added).map(({ value }) => inOrder(value).join(''))
}
