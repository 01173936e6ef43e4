// An envelope on the files that the model was shown. Good edits are kept, bad ones are named; a file is changed by all
// of its blocks or by none.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Bounds, type ChangedFile, changeFile } from './change-file.ts'
import { closestPath } from './closest.ts'
import { createCollisions } from './collisions.ts'
import type { Block, Envelope } from './envelope.ts'
import { type EditFailure, failureOf } from './failures.ts'
import { EDIT_LIMITS, type EditLimits } from './limits.ts'
import { cleanPath, type PathRefusal, printablePath } from './paths.ts'
import { createSyntaxGate } from './syntax-gate.ts'
import { createWorkTime } from './work-time.ts'

/** `content` is the whole new text, '' for a delete. `baseSha256` is of the text it was made from; null for a create. */
export type FileEdit = {
  path: string
  action: 'create' | 'update' | 'delete'
  content: string
  description: string
  baseSha256: string | null
}

/** `path` is written out where it holds characters that cannot be seen. */
export type DroppedPath = { path: string; reason: PathRefusal | 'collision' }

export type Applied = {
  edits: FileEdit[]
  /** For the repair turn. A file that has any is left as it was. */
  failures: EditFailure[]
  dropped: DroppedPath[]
  warnings: string[]
}

/** Beyond so many failures nobody reads on. */
const FAILURES_MAX = 200

/**
 * `base` is what the model could see, by clean path. A path that is not in it can be created and nothing else. `paths` are
 * all that exist, also those it could not see: nothing is created where one of them is in the way.
 */
export async function applyEnvelope(
  base: ReadonlyMap<string, string>,
  envelope: Envelope,
  limits: EditLimits = EDIT_LIMITS,
  paths: Iterable<string> = base.keys(),
): Promise<Applied> {
  const applied: Applied = { edits: [], failures: [], dropped: [], warnings: [...envelope.warnings] }
  const broken = breakages(envelope)
  const bounds: Bounds = { limits, time: createWorkTime(), checkSyntax: createSyntaxGate() }
  let bytesLeft = limits.totalBytesMax
  for (const [path, blocks] of filesOf(paths, envelope, applied)) {
    if (applied.failures.length >= FAILURES_MAX) break
    if (applied.edits.length >= limits.filesMax) {
      applied.failures.push(failureOf(path, 'too_many_files'))
      continue
    }
    const text = base.get(path)
    const changed = broken.get(path) ?? (await changeFile(path, text, blocks, bounds))
    if (Array.isArray(changed)) applied.failures.push(...changed.map((failure) => withPath(failure, base)))
    else bytesLeft -= take(applied, path, text, changed, blocks, bytesLeft)
    // Other requests get their turn between two files.
    await setImmediate()
  }
  return applied
}

/** Files that a broken block speaks of: what else is said about them is not enough. */
const breakages = ({ broken }: Envelope): Map<string, EditFailure[]> =>
  new Map(broken.map(({ path, reason }) => [path, [failureOf(path, reason)]]))

/** A file that was not shown may be one that was, in another folder. */
function withPath(failure: EditFailure, base: ReadonlyMap<string, string>): EditFailure {
  const closest = failure.reason === 'unknown_path' ? closestPath(base.keys(), failure.path) : undefined
  return closest === undefined ? failure : { ...failure, closest }
}

/** The blocks by file, in the order in which the files come up. Unsafe paths are dropped here. */
function filesOf(
  paths: Iterable<string>,
  { blocks, broken }: Envelope,
  applied: Applied,
): Map<string, Block[]> {
  const collisions = createCollisions(paths)
  const files = new Map<string, Block[]>()
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

/** Adds what came of a file, and returns how many bytes that took. */
function take(
  applied: Applied,
  path: string,
  base: string | undefined,
  changed: ChangedFile,
  blocks: readonly Block[],
  bytesLeft: number,
): number {
  applied.warnings.push(...changed.warnings)
  if (changed.text === base || (changed.text === null && base === undefined)) {
    applied.warnings.push(`no_change: ${path}`)
    return 0
  }
  const bytes = Buffer.byteLength(changed.text ?? '')
  if (bytes > bytesLeft) {
    applied.failures.push(failureOf(path, 'total_too_large'))
    return 0
  }
  applied.edits.push(editOf(path, base, changed.text, blocks))
  return bytes
}

function editOf(
  path: string,
  base: string | undefined,
  text: string | null,
  blocks: readonly Block[],
): FileEdit {
  const action = text === null ? 'delete' : base === undefined ? 'create' : 'update'
  const baseSha256 = base === undefined ? null : createHash('sha256').update(base).digest('hex')
  return { path, action, content: text ?? '', description: describe(blocks, action, path), baseSha256 }
}

const DESCRIPTION_CHARS_MAX = 500

function describe(blocks: readonly Block[], action: string, path: string): string {
  const whys = [...new Set(blocks.map(({ why }) => why.replace(/\p{C}/gu, ' ').trim()))].filter(
    (why) => why !== '',
  )
  return whys.join(' ').slice(0, DESCRIPTION_CHARS_MAX) || `${action} ${path}`
}
