// Reads a patch between `*** Begin Patch` and `*** End Patch`, with one header line per file.
import type { EditAction, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock } from '../envelope.ts'
import { readDiffHunks } from '../reader/hunk-notations.ts'

export type PatchAnswer = { blocks: FileBlock[]; broken: BrokenBlock[]; prose: string }

type FilePatch = { path: string; action: EditAction; lines: string[] }

export function readPatch(lines: readonly string[]): PatchAnswer {
  const answer: PatchAnswer = { blocks: [], broken: [], prose: '' }
  const start = lines.findIndex((line) => line.trimEnd() === '*** Begin Patch')
  if (start < 0) return answer
  const end = lines.findIndex((line, at) => at > start && line.trimEnd() === '*** End Patch')
  const files = splitFiles(lines.slice(start + 1, end < 0 ? lines.length : end))
  answer.prose = [...lines.slice(0, start), ...(end < 0 ? [] : lines.slice(end + 1))].join('\n')
  for (const [at, file] of files.entries()) {
    const isCut = end < 0 && at === files.length - 1
    const block = isCut ? undefined : toBlock(file)
    if (block) answer.blocks.push(block)
    else answer.broken.push({ path: file.path, reason: isCut ? 'cut_off' : 'damaged' })
  }
  return answer
}

const ACTIONS: Readonly<Record<string, EditAction>> = { Update: 'update', Add: 'create', Delete: 'delete' }

function splitFiles(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = []
  for (const line of lines) {
    const [, word = '', path = ''] = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line.trimEnd()) ?? []
    const action = ACTIONS[word]
    if (action) files.push({ path: stripDecoration(path), action, lines: [] })
    else if (line.trimEnd() !== '*** End of File') files.at(-1)?.lines.push(line)
  }
  return files
}

/** Other headers, such as renames, are not supported. */
function toBlock({ path, action, lines }: FilePatch): FileBlock | undefined {
  const isEmpty = lines.every((line) => line.trim() === '')
  if (action === 'delete') return isEmpty ? { path, action, why: '', change: { kind: 'none' } } : undefined
  if (action === 'create') {
    const isNew = !isEmpty && lines.every((line) => line.startsWith('+') || line === '')
    const body = `${lines.map((line) => line.slice(1)).join('\n')}\n`
    return isNew ? { path, action, why: '', change: { kind: 'body', body, isGuess: false } } : undefined
  }
  const hunks = readDiffHunks(lines[0]?.startsWith('@@') ? lines : ['@@', ...lines])
  return hunks && { path, action, why: '', change: { kind: 'hunks', hunks } }
}
