// Applies an envelope to the files that the model saw. Good edits are kept and bad ones reported. A file gets all of
// its blocks or none.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type ChangeBounds, changeFile, type FileChange } from '@cowrie/workspace/edits/change-file.ts'
import { findClosestPath } from '@cowrie/workspace/edits/closest.ts'
import { type EditFailure, toEditFailure } from '@cowrie/workspace/edits/failures.ts'
import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { EDIT_LIMITS, type EditLimits } from '@cowrie/workspace/edits/file-block.ts'
import { createWorkTime } from '@cowrie/workspace/edits/work-time.ts'
import { printablePath } from '@cowrie/workspace/paths/clean-path.ts'
import { cleanPath, type PathRefusal } from '@cowrie/workspace/paths/protected-paths.ts'
import type { AnswerEnvelope } from '../envelope.ts'
import { createCollisionCheck } from './collisions.ts'
import { createSyntaxGate } from './syntax-gate.ts'

/**
 * `content` is the whole new text, '' for a delete. `baseSha256` is the hash of the original text; null for a create.
 */
export type FileEdit = {
  path: string
  action: 'create' | 'update' | 'delete'
  content: string
  description: string
  baseSha256: string | null
}

/** Invisible characters in `path` are escaped. */
export type DroppedPath = { path: string; reason: PathRefusal | 'collision' }

export type AppliedEdits = {
  edits: FileEdit[]
  /** Input for the repair turn. A file with a failure keeps its original text. */
  failures: EditFailure[]
  dropped: DroppedPath[]
  warnings: string[]
}

/** Stop after this many failures; further ones add no information. */
const FAILURES_MAX = 200

/**
 * `base` holds the files that the model saw, by clean path. Other paths can only be created. `paths` lists all
 * existing files, including unseen ones: a create must not collide with them.
 */
export async function applyEnvelope(
  base: ReadonlyMap<string, string>,
  envelope: AnswerEnvelope,
  limits: EditLimits = EDIT_LIMITS,
  paths: Iterable<string> = base.keys(),
): Promise<AppliedEdits> {
  const applied: AppliedEdits = { edits: [], failures: [], dropped: [], warnings: [...envelope.warnings] }
  const broken = toBrokenFailures(envelope)
  const bounds: ChangeBounds = { limits, time: createWorkTime(), checkSyntax: createSyntaxGate() }
  let bytesLeft = limits.totalBytesMax
  for (const [path, blocks] of groupByFile(paths, envelope, applied)) {
    if (applied.failures.length >= FAILURES_MAX) break
    if (applied.edits.length >= limits.filesMax) {
      applied.failures.push(toEditFailure(path, 'too_many_files'))
      continue
    }
    const text = base.get(path)
    const changed = broken.get(path) ?? (await changeFile(path, text, blocks, bounds))
    if (Array.isArray(changed)) applied.failures.push(...changed.map((failure) => suggestPath(failure, base)))
    else bytesLeft -= addResult(applied, path, text, changed, blocks, bytesLeft)
    // Yield to other requests between two files.
    await setImmediate()
  }
  return applied
}

/** A broken block makes its whole file fail: the other blocks of that file are incomplete. */
const toBrokenFailures = ({ broken }: AnswerEnvelope): Map<string, EditFailure[]> =>
  new Map(broken.map(({ path, reason }) => [path, [toEditFailure(path, reason)]]))

/** The path may be wrong and mean a shown file with the same name. */
function suggestPath(failure: EditFailure, base: ReadonlyMap<string, string>): EditFailure {
  const closest = failure.reason === 'unknown_path' ? findClosestPath(base.keys(), failure.path) : undefined
  return closest === undefined ? failure : { ...failure, closest }
}

/** Groups the blocks by file, in order of first appearance, and drops unsafe paths. */
function groupByFile(
  paths: Iterable<string>,
  { blocks, broken }: AnswerEnvelope,
  applied: AppliedEdits,
): Map<string, FileBlock[]> {
  const collisions = createCollisionCheck(paths)
  const files = new Map<string, FileBlock[]>()
  const refused = new Set<string>()
  for (const block of [...blocks, ...broken]) {
    const clean = cleanPath(block.path)
    const reason = 'reason' in clean ? clean.reason : collisions.isTaken(clean.path) ? 'collision' : undefined
    if (reason) {
      if (!refused.has(block.path)) applied.dropped.push({ path: printablePath(block.path), reason })
      refused.add(block.path)
      continue
    }
    collisions.take(block.path)
    const known = files.get(block.path) ?? []
    if ('change' in block) known.push(block)
    files.set(block.path, known)
  }
  return files
}

/** Adds the result of one file. Returns its size in bytes. */
function addResult(
  applied: AppliedEdits,
  path: string,
  base: string | undefined,
  changed: FileChange,
  blocks: readonly FileBlock[],
  bytesLeft: number,
): number {
  applied.warnings.push(...changed.warnings)
  if (changed.text === base || (changed.text === null && base === undefined)) {
    applied.warnings.push(`no_change: ${path}`)
    return 0
  }
  const bytes = Buffer.byteLength(changed.text ?? '')
  if (bytes > bytesLeft) {
    applied.failures.push(toEditFailure(path, 'total_too_large'))
    return 0
  }
  applied.edits.push(toFileEdit(path, base, changed.text, blocks))
  return bytes
}

function toFileEdit(
  path: string,
  base: string | undefined,
  text: string | null,
  blocks: readonly FileBlock[],
): FileEdit {
  const action = text === null ? 'delete' : base === undefined ? 'create' : 'update'
  const baseSha256 = base === undefined ? null : createHash('sha256').update(base).digest('hex')
  return {
    path,
    action,
    content: text ?? '',
    description: buildDescription(blocks, action, path),
    baseSha256,
  }
}

const DESCRIPTION_CHARS_MAX = 500

function buildDescription(blocks: readonly FileBlock[], action: string, path: string): string {
  const whys = [...new Set(blocks.map(({ why }) => why.replace(/\p{C}/gu, ' ').trim()))].filter(
    (why) => why !== '',
  )
  return whys.join(' ').slice(0, DESCRIPTION_CHARS_MAX) || `${action} ${path}`
}
