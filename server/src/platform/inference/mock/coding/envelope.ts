// Writes the answer of a coding model: a plan, the edits between the marks of this run, and a summary.
import { hunksOf } from './hunks.ts'
import type { Change } from './workspace.ts'

export type Answer = {
  readonly plan: readonly string[]
  readonly changes: readonly Change[]
  readonly summary: string
}

export function writeEnvelope(nonce: string, { plan, changes, summary }: Answer): string {
  const mark = (words: string) => `[[${nonce} ${words}]]`
  return [
    mark('PLAN'),
    ...plan.map((step, i) => `${i + 1}. ${oneLine(step)}`),
    ...changes.flatMap((change) => fileLines(change, mark)),
    mark('SUMMARY'),
    summary,
    '',
  ].join('\n')
}

function fileLines({ path, reason, before, after }: Change, mark: (words: string) => string): string[] {
  const why = `why: ${oneLine(reason)}`
  if (after === undefined) return [mark(`FILE delete ${path}`), why]
  const hunks = before === undefined ? null : hunksOf(before, after)
  if (hunks === null)
    return [mark(`FILE create ${path}`), why, mark('BODY'), after.replace(/\n$/, ''), mark('END')]
  return [
    mark(`FILE update ${path}`),
    why,
    ...hunks.flatMap((hunk) => [mark('FIND'), hunk.find, mark('WITH'), hunk.with, mark('END')]),
  ]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
