// A block while it is read, and its conversion to a finished block.
import type { EditAction, EditHunk, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { LINES_MAX } from '@cowrie/workspace/edits/file-block.ts'
import { parsePath } from '@cowrie/workspace/edits/path-comment.ts'
import type { BrokenBlock } from '../envelope.ts'
import { isClosedFence, isFence, unwrapText } from './fenced-text.ts'
import type { FileMark } from './file-mark.ts'
import { readForeignHunks } from './hunk-notations.ts'
import { parseReasoningTag } from './reasoning-tags.ts'

type DraftPart = {
  kind: 'find' | 'with' | 'body' | 'loose'
  lines: string[]
  /** Open reasoning tags in the part, and whether it has a closing tag without an opening one. */
  tagsOpen: number
  hasStrayTag: boolean
}

export type BlockDraft = {
  path: string
  readonly action: EditAction | undefined
  why: string
  parts: DraftPart[]
  /** Whether further lines belong to the last part. */
  isOpen: boolean
  /** The marks are inconsistent. */
  isDamaged: boolean
  /** An END mark ended the delete; later lines do not belong to it. */
  isEnded: boolean
  /** A fence opened before the first part. */
  isFenced: boolean
  readonly rules: DraftRules
}

/**
 * `needsWhy`: the mark may be a mere mention, so a reason is required. `isStrict`: text beside the parts makes the
 * block invalid.
 */
export type DraftRules = { readonly needsWhy: boolean; readonly isStrict: boolean }

export const newDraft = (file: FileMark, rules: DraftRules): BlockDraft => ({
  ...file,
  why: '',
  parts: [],
  isOpen: false,
  isDamaged: false,
  isEnded: false,
  isFenced: false,
  rules,
})

/** Whether the next line is file text, in which anything is allowed. */
export const isInContent = (draft: BlockDraft | undefined): boolean =>
  draft?.isOpen === true && draft.parts.at(-1)?.kind !== 'loose'

/** Whether an unfinished part contains reasoning: it may be a thought and not an edit. */
export function findReasoning(draft: BlockDraft): 'began' | 'ended' | undefined {
  const last = draft.isOpen ? draft.parts.at(-1) : undefined
  if (last?.hasStrayTag) return 'ended'
  return last && last.kind !== 'loose' && last.tagsOpen > 0 ? 'began' : undefined
}

export const hasNoParts = (draft: BlockDraft): boolean => draft.parts.length === 0

/** Begins a part. A repeated mark begins it only once. */
export function beginPart(draft: BlockDraft, kind: DraftPart['kind']): void {
  const last = draft.parts.at(-1)
  if (draft.isOpen && last?.kind === kind && last.lines.every((line) => line.trim() === '')) return
  draft.parts.push({ kind, lines: [], tagsOpen: 0, hasStrayTag: false })
  draft.isOpen = true
}

export function endPart(draft: BlockDraft): void {
  draft.isOpen = false
  draft.isEnded ||= draft.action === 'delete'
}

export function addLine(draft: BlockDraft, line: string): void {
  const last = draft.parts.at(-1)
  if (draft.isOpen && last) {
    if (last.lines.length > LINES_MAX) draft.isDamaged = true
    else last.lines.push(line)
    countTag(last, line)
    return
  }
  const [, why] = /^\s*[*_]*why[*_]*\s*:[*_]*\s*(.*)$/i.exec(line.slice(0, WHY_CHARS_MAX)) ?? []
  const isDecoration = line.trim() === '' || isFence(line)
  if (hasNoParts(draft)) draft.isFenced ||= isFence(line)
  if (draft.path === '' && hasNoParts(draft) && parsePath(line.trim()) !== undefined)
    draft.path = parsePath(line.trim()) ?? ''
  else if (why !== undefined && draft.why === '') draft.why = why.trim()
  // After a finished part, prose and fences between blocks are ignored.
  else if (!isDecoration && draft.parts.length === 0 && !draft.isEnded) {
    beginPart(draft, 'loose')
    draft.parts.at(-1)?.lines.push(line)
  } else if (!isDecoration && draft.rules.isStrict) draft.isDamaged = true
}

const WHY_CHARS_MAX = 1_000

function countTag(part: DraftPart, line: string): void {
  const tag = parseReasoningTag(line)
  if (tag === 'opening') part.tagsOpen++
  else if (tag === 'closing' && part.tagsOpen > 0) part.tagsOpen--
  else if (tag === 'closing') part.hasStrayTag = true
}

/** The block, or why it is invalid. A whole text without its END may have lost lines, unless a fence closes it. */
export function toBlock(draft: BlockDraft): FileBlock | BrokenBlock {
  const block = readBlock(draft)
  const isText = 'change' in block && block.change.kind === 'body'
  const lines = draft.parts.at(-1)?.lines ?? []
  const isEndless = draft.isOpen && isText && !isClosedFence(lines, draft.isFenced)
  return isEndless ? { path: draft.path, reason: 'cut_off' } : block
}

function readBlock(draft: BlockDraft): FileBlock | BrokenBlock {
  const { path, why } = draft
  const damaged: BrokenBlock = { path, reason: 'damaged' }
  const kinds = draft.parts.map(({ kind }) => kind)
  if (draft.isDamaged) return damaged
  // Extra text may say that the delete is not meant.
  if (draft.action === 'delete') {
    const isDoubtful = kinds.length > 0 || (draft.rules.needsWhy && why === '')
    return isDoubtful ? damaged : { path, action: 'delete', why, change: { kind: 'none' } }
  }
  if (kinds.length === 0) return damaged
  const action = draft.action ?? (kinds[0] === 'find' ? 'update' : 'create')
  if (kinds.length > 1 || kinds[0] === 'with') {
    const hunks = toHunks(draft)
    return hunks ? { path, action, why, change: { kind: 'hunks', hunks } } : damaged
  }
  return toSinglePartBlock(draft, action) ?? damaged
}

/** FIND and WITH must alternate. */
function toHunks({ parts, path }: BlockDraft): EditHunk[] | undefined {
  const hunks: EditHunk[] = []
  for (let i = 0; i < parts.length; i += 2) {
    const [find, replacement] = [parts[i], parts[i + 1]]
    if (find?.kind !== 'find' || replacement?.kind !== 'with') return undefined
    hunks.push({ find: partText(find, path), with: partText(replacement, path) })
  }
  return hunks
}

const partText = ({ lines }: DraftPart, path: string): string => unwrapText(lines, path).join('\n')

/** A single part: a body, or a change in another notation. */
function toSinglePartBlock({ parts, path, why }: BlockDraft, action: EditAction): FileBlock | undefined {
  const [part] = parts
  if (!part) return undefined
  const lines = unwrapText(part.lines, path)
  const hunks = action === 'update' || part.kind === 'find' ? readForeignHunks(lines) : undefined
  if (hunks === 'damaged') return undefined
  if (hunks) return { path, action: 'update', why, change: { kind: 'hunks', hunks } }
  if (part.kind === 'find') return undefined
  // The line break before END ends the last line and adds no empty one.
  const body = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  const isGuess = action === 'update' && part.kind === 'loose'
  return { path, action, why, change: { kind: 'body', body, isGuess } }
}
