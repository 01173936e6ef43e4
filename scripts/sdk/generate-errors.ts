// Prints the error catalogue for the SDK. The app loads it with every page, so the table omits codes that the status determines.
import type { ErrorEntry } from '../../server/src/kernel/errors.ts'

/** `streamed`: codes that can end a stream. Frames have no status, so the table contains it. */
export function generateErrors(
  catalogue: Readonly<Record<string, ErrorEntry>>,
  streamed: ReadonlySet<string>,
): string {
  const groups = new Map<string, string[]>()
  for (const [code, { status, outcome }] of Object.entries(catalogue)) {
    if (outcome === 'decided' && status < 500 && !streamed.has(code)) continue
    const group = `${status}, '${outcome}'`
    groups.set(group, [...(groups.get(group) ?? []), code])
  }
  const codes = Object.keys(catalogue).sort()
  const rows = [...groups].sort().map(([group, members]) => `  [${group}, '${members.sort().join(' ')}'],\n`)
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
