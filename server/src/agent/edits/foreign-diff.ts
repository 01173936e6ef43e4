// A unified diff over several files, as git writes it, with or without a fence around it.
import type { Action, Block, BrokenBlock, Finish } from './envelope.ts'
import { undecorated } from './file-mark.ts'
import { readDiffHunks } from './loose-change.ts'
import { isFence } from './quoted-text.ts'

export type DiffAnswer = { blocks: Block[]; broken: BrokenBlock[]; prose: string }

/** `isEnded`: something followed it. `isFenced`: only the closing fence ends it. */
type FileDiff = { from: string; to: string; lines: string[]; isFenced: boolean; isEnded: boolean }

export function readDiff(lines: readonly string[], finish: Finish): DiffAnswer {
  const { files, prose } = splitFiles(lines)
  const answer: DiffAnswer = { blocks: [], broken: [], prose: prose.join('\n') }
  for (const file of files) {
    const path = pathOf(file)
    const block = blockOf(file, path)
    if (isCut(file, finish)) answer.broken.push({ path, reason: 'cut_off' })
    else if (block) answer.blocks.push(block)
    else answer.broken.push({ path, reason: 'damaged' })
  }
  return answer
}

/** The last file of an answer is cut when its fence is open, or when it has fewer lines than its last header announces. */
function isCut({ lines, isFenced, isEnded }: FileDiff, finish: Finish): boolean {
  if (isEnded) return false
  const own = withoutProse(lines)
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

/** Every `---` with a `+++` below it begins a file, which a fence or the next header ends. */
function splitFiles(lines: readonly string[]): { files: FileDiff[]; prose: string[] } {
  const files: FileDiff[] = []
  const prose: string[] = []
  let current: FileDiff | undefined
  let isFenced = false
  const endCurrent = () => {
    if (current) current.isEnded = true
    current = undefined
  }
  for (let at = 0; at < lines.length; at++) {
    const [line = '', next = ''] = [lines[at], lines[at + 1]]
    // Within a diff a fence with a blank before it is a line of the file.
    const isFenceLine = isFence(line) && !(current && /^[ +-]/.test(line))
    if (isFenceLine) isFenced = !isFenced
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      endCurrent()
      current = { from: nameIn(line), to: nameIn(next), lines: [], isFenced, isEnded: false }
      files.push(current)
      at++
    } else if (isFenceLine || /^(diff --git|index [0-9a-f]+\.\.|(new|deleted) file mode) ?/.test(line))
      endCurrent()
    else if (current) current.lines.push(line)
    else prose.push(line)
  }
  return { files, prose }
}

/** Without the time that `diff` writes behind a tab, and without the a/ and b/ of git. */
const nameIn = (line: string): string => undecorated((line.slice(4).split('\t')[0] ?? '').trim())

const isNowhere = (name: string): boolean => name === '/dev/null'

function pathOf({ from, to }: FileDiff): string {
  const hasPrefixes = (isNowhere(from) || from.startsWith('a/')) && (isNowhere(to) || to.startsWith('b/'))
  const name = isNowhere(to) ? from : to
  return hasPrefixes ? name.slice(2) : name
}

function blockOf(file: FileDiff, path: string): Block | undefined {
  const action: Action = isNowhere(file.from) ? 'create' : isNowhere(file.to) ? 'delete' : 'update'
  if (action === 'delete') return { path, action, why: '', change: { kind: 'none' } }
  const hunks = readDiffHunks(withoutProse(file.lines))
  if (!hunks) return undefined
  if (action === 'update') return { path, action, why: '', change: { kind: 'hunks', hunks } }
  const body = `${hunks.map((hunk) => hunk.with).join('\n')}\n`
  return { path, action, why: '', change: { kind: 'body', body, isGuess: false } }
}

/** Without a fence nothing says where the diff ends but an empty line with prose below it. */
function withoutProse(lines: readonly string[]): readonly string[] {
  const prose = lines.findIndex((line, at) => line === '' && /^[^ +@\\-]/.test(lines[at + 1] ?? ''))
  return prose < 0 ? lines : lines.slice(0, prose)
}
