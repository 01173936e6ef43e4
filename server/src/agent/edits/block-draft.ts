// A block while it is being read, and what it comes to once its end is known.
import type { Action, Block, BrokenBlock, Hunk } from './envelope.ts'
import type { FileMark } from './file-mark.ts'
import { readLooseChange } from './loose-change.ts'
import { isFence, unwrapped } from './quoted-text.ts'

type Part = { kind: 'find' | 'with' | 'body' | 'loose'; lines: string[] }

export type BlockDraft = {
  readonly path: string
  readonly action: Action | undefined
  why: string
  parts: Part[]
  /** Whether lines still belong to the part that came last. */
  isOpen: boolean
}

export const newDraft = (file: FileMark): BlockDraft => ({ ...file, why: '', parts: [], isOpen: false })

export const isUntouched = (draft: BlockDraft): boolean => draft.parts.length === 0

/** Begins a part. A mark that is written twice in a row begins it once. */
export function beginPart(draft: BlockDraft, kind: Part['kind']): void {
  const last = draft.parts.at(-1)
  if (draft.isOpen && last?.kind === kind && last.lines.every((line) => line.trim() === '')) return
  draft.parts.push({ kind, lines: [] })
  draft.isOpen = true
}

export function addLine(draft: BlockDraft, line: string): void {
  if (draft.isOpen) {
    draft.parts.at(-1)?.lines.push(line)
    return
  }
  const [, why] = /^\s*[*_]*why[*_]*\s*:[*_]*\s*(.*)$/i.exec(line) ?? []
  const isDecoration = line.trim() === '' || isFence(line)
  if (why !== undefined && draft.why === '') draft.why = why.trim()
  // After a finished part, prose and fences between the blocks are no content.
  else if (!isDecoration && draft.parts.length === 0) {
    beginPart(draft, 'loose')
    draft.parts.at(-1)?.lines.push(line)
  }
}

/** The block, or why it is none. */
export function blockOf(draft: BlockDraft): Block | BrokenBlock {
  const { path, why } = draft
  const damaged: BrokenBlock = { path, reason: 'damaged' }
  const kinds = draft.parts.map(({ kind }) => kind)
  if (draft.action === 'delete')
    return kinds.some((kind) => kind !== 'loose')
      ? damaged
      : { path, action: 'delete', why, change: { kind: 'none' } }
  if (kinds.length === 0) return damaged
  const action = draft.action ?? (kinds[0] === 'find' ? 'update' : 'create')
  if (kinds.length > 1 || kinds[0] === 'with') {
    const hunks = hunksOf(draft)
    return hunks ? { path, action, why, change: { kind: 'hunks', hunks } } : damaged
  }
  return loneBlock(draft, action) ?? damaged
}

/** FIND and WITH take turns, or the block makes no sense. */
function hunksOf({ parts, path }: BlockDraft): Hunk[] | undefined {
  const hunks: Hunk[] = []
  for (let i = 0; i < parts.length; i += 2) {
    const [find, replacement] = [parts[i], parts[i + 1]]
    if (find?.kind !== 'find' || replacement?.kind !== 'with') return undefined
    hunks.push({ find: textOf(find, path), with: textOf(replacement, path) })
  }
  return hunks
}

const textOf = ({ lines }: Part, path: string): string => unwrapped(lines, path).join('\n')

/** One part alone: a body, or a change in somebody else's notation. */
function loneBlock({ parts, path, why }: BlockDraft, action: Action): Block | undefined {
  const [part] = parts
  if (!part) return undefined
  const lines = unwrapped(part.lines, path)
  const hunks = action === 'update' || part.kind === 'find' ? readLooseChange(lines) : undefined
  if (hunks) return { path, action: 'update', why, change: { kind: 'hunks', hunks } }
  if (part.kind === 'find') return undefined
  // The line break before END ends the last line; it is no empty line of its own.
  const body = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  const isGuess = action === 'update' && part.kind === 'loose'
  return { path, action, why, change: { kind: 'body', body, isGuess } }
}
