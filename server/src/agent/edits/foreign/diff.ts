// Reads a unified diff over several files, as git writes it, with or without a fence.
import type { EditAction, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock, Finish } from '../envelope.ts'
import { isFence } from '../reader/fenced-text.ts'
import { readDiffHunks } from '../reader/hunk-notations.ts'

export type DiffAnswer = { blocks: FileBlock[]; broken: BrokenBlock[]; prose: string }

/** `isEnded`: something follows it. `isFenced`: only the closing fence ends it. */
type DiffFile = { from: string; to: string; lines: string[]; isFenced: boolean; isEnded: boolean }

export function readDiff(lines: readonly string[], finish: Finish): DiffAnswer {
  const { files, prose } = splitFiles(lines)
  const answer: DiffAnswer = { blocks: [], broken: [], prose: prose.join('\n') }
  for (const file of files) {
    const path = toPath(file)
    const block = toBlock(file, path)
    if (isCut(file, finish)) answer.broken.push({ path, reason: 'cut_off' })
    else if (block) answer.blocks.push(block)
    else answer.broken.push({ path, reason: 'damaged' })
  }
  return answer
}

/** The last file is cut off if its fence is open or if it has fewer lines than its last hunk header says. */
function isCut({ lines, isFenced, isEnded }: DiffFile, finish: Finish): boolean {
  if (isEnded) return false
  const own = stripProse(lines)
  return finish !== 'stop' || isFenced || (own.length === lines.length && isShort(own))
}

function isShort(lines: readonly string[]): boolean {
  const start = lines.findLastIndex((line) => line.startsWith('@@'))
  const [, old, next] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[start] ?? '') ?? []
  const body = lines.slice(start + 1, lines.findLastIndex((line) => line !== '') + 1)
  const count = (other: string) =>
    body.filter((line) => !line.startsWith(other) && !line.startsWith('\\')).length
  return (old !== undefined && count('+') < Number(old)) || (next !== undefined && count('-') < Number(next))
}

/** Each `---` line followed by `+++` begins a file. A fence or the next header ends it. */
function splitFiles(lines: readonly string[]): { files: DiffFile[]; prose: string[] } {
  const files: DiffFile[] = []
  const prose: string[] = []
  let current: DiffFile | undefined
  let isFenced = false
  const endCurrent = () => {
    if (current) current.isEnded = true
    current = undefined
  }
  for (let at = 0; at < lines.length; at++) {
    const [line = '', next = ''] = [lines[at], lines[at + 1]]
    // Inside a diff, a fence after a diff sign is a line of the file.
    const isFenceLine = isFence(line) && !(current && /^[ +-]/.test(line))
    if (isFenceLine) isFenced = !isFenced
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      endCurrent()
      current = { from: readName(line), to: readName(next), lines: [], isFenced, isEnded: false }
      files.push(current)
      at++
    } else if (isFenceLine || /^(diff --git|index [0-9a-f]+\.\.|(new|deleted) file mode) ?/.test(line))
      endCurrent()
    else if (current) current.lines.push(line)
    else prose.push(line)
  }
  return { files, prose }
}

/** Removes the timestamp after the tab. The caller removes git's a/ and b/ prefixes. */
const readName = (line: string): string => stripDecoration((line.slice(4).split('\t')[0] ?? '').trim())

const isNowhere = (name: string): boolean => name === '/dev/null'

function toPath({ from, to }: DiffFile): string {
  const hasPrefixes = (isNowhere(from) || from.startsWith('a/')) && (isNowhere(to) || to.startsWith('b/'))
  const name = isNowhere(to) ? from : to
  return hasPrefixes ? name.slice(2) : name
}

function toBlock(file: DiffFile, path: string): FileBlock | undefined {
  const action: EditAction = isNowhere(file.from) ? 'create' : isNowhere(file.to) ? 'delete' : 'update'
  if (action === 'delete') return { path, action, why: '', change: { kind: 'none' } }
  const hunks = readDiffHunks(stripProse(file.lines))
  if (!hunks) return undefined
  if (action === 'update') return { path, action, why: '', change: { kind: 'hunks', hunks } }
  const body = `${hunks.map((hunk) => hunk.with).join('\n')}\n`
  return { path, action, why: '', change: { kind: 'body', body, isGuess: false } }
}

/** Without a fence, the diff ends at a blank line followed by prose. */
function stripProse(lines: readonly string[]): readonly string[] {
  const prose = lines.findIndex((line, at) => line === '' && /^[^ +@\\-]/.test(lines[at + 1] ?? ''))
  return prose < 0 ? lines : lines.slice(0, prose)
}
