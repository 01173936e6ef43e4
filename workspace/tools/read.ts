// The tool `read`: lines of a file with their numbers.
import { MARK } from '../secrets/placeholders.ts'
import { cutLine, showCount, showPath, toPlainText } from '../text/plain-text.ts'
import { fail, succeed } from './tool-result.ts'
import type { FileToolContext, ReadInput, ToolResult } from './tool-types.ts'
import { readWorkspaceText } from './workspace-text.ts'

export type ReadLimits = { readonly lines: number; readonly bytes: number }

const LIMITS: ReadLimits = { lines: 2_000, bytes: 60_000 }
const LINE_CHARACTERS_MAX = 2_000

export async function read(
  context: FileToolContext,
  { path, from = 1, to }: ReadInput,
  limits: ReadLimits = LIMITS,
): Promise<ToolResult> {
  const found = await readWorkspaceText(context, path)
  if ('problem' in found) return fail(found.problem)
  // Secrets are found in the whole text, because a part may not show that a value is one.
  const masked = await context.mask.hide(path, found.text)
  if (masked.isWithheld) return fail(`${showPath(path)} is withheld: ${masked.withheld[0]?.reason ?? ''}.`)
  const lines = toLines(toPlainText(masked.text))
  if (lines.length === 0) return succeed(`${showPath(path)} is empty.`)
  if (from > lines.length)
    return fail(`${showPath(path)} has only ${showCount(lines.length, 'line')}; line ${from} does not exist.`)
  const last = Math.min(to ?? lines.length, lines.length)
  if (last < from) return fail(`The last line, ${last}, is before the first line, ${from}.`)
  return showLines(path, lines, { from, last, limits, hasSecrets: masked.withheld.length > 0 })
}

/** The line break at the end of a file does not begin another line. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function showLines(
  path: string,
  lines: readonly string[],
  { from, last, limits, hasSecrets }: { from: number; last: number; limits: ReadLimits; hasSecrets: boolean },
): ToolResult {
  const width = String(last).length
  const shown: string[] = []
  let bytes = 0
  for (const [i, line] of lines.slice(from - 1, Math.min(last, from - 1 + limits.lines)).entries()) {
    const row = `${String(from + i).padStart(width)}| ${cutLine(line, LINE_CHARACTERS_MAX)}`
    bytes += Buffer.byteLength(row) + 1
    if (bytes > limits.bytes && shown.length > 0) break
    shown.push(row)
  }
  const end = from + shown.length - 1
  const isTruncated = end < last
  const header = `${showPath(path)}: lines ${from}-${end} of ${lines.length}.`
  const next = isTruncated ? ` Read from ${end + 1} to continue.` : ''
  const secrets = hasSecrets
    ? ` Names that begin with ${MARK} stand for secret values; copy them unchanged.`
    : ''
  return succeed([`${header}${next}${secrets}`, ...shown].join('\n'), { isTruncated })
}
