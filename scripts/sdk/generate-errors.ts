// Prints the error catalogue for the SDK. The app loads it with every page, so the table omits codes that the status determines.
import type { ErrorEntry } from '../../server/src/kernel/errors.ts'

type Catalogue = Readonly<Record<string, ErrorEntry>>

/** `streamed`: codes that can end a stream. Frames have no status, so the table contains it. */
export function errorRows(
  catalogue: Catalogue,
  streamed: ReadonlySet<string>,
): [status: number, outcome: string, codes: string[]][] {
  const groups = new Map<string, string[]>()
  for (const [code, { status, outcome }] of Object.entries(catalogue)) {
    if (outcome === 'decided' && status < 500 && !streamed.has(code)) continue
    const group = `${status} ${outcome}`
    groups.set(group, [...(groups.get(group) ?? []), code])
  }
  return [...groups].sort().map(([group, members]) => {
    const [status = '', outcome = ''] = group.split(' ')
    return [Number(status), outcome, members.sort()]
  })
}

export function generateErrors(catalogue: Catalogue, streamed: ReadonlySet<string>): string {
  const codes = Object.keys(catalogue).sort()
  const rows = errorRows(catalogue, streamed).map(
    ([status, outcome, members]) => `  [${status}, '${outcome}', '${members.join(' ')}'],\n`,
  )
  return `// Printed from the error catalogue by \`npm run print\`; do not edit.

/**
 * The outcome of a failed request. \`decided\`: the service refused or finished it. \`retry\`: it changed nothing, and
 * the same request may succeed later. \`unknown\`: it may have taken effect; send it again with the same Idempotency-Key to find out.
 */
export type Outcome = 'decided' | 'retry' | 'unknown'

export type ErrorCode =
${codes.map((code) => `  | '${code}'\n`).join('')}
/** The codes of each status and outcome, separated by spaces. Codes below 500 that are not here are decided. */
export const errorTable: readonly (readonly [status: number, outcome: Outcome, codes: string])[] = [
${rows.join('')}]
`
}
