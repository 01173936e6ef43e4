// Plans the change of each file before anything is written: the edit in the format of the file, merged with local changes
// since it was sent.
import { createHash } from 'node:crypto'
import type { FileEdit } from '@cowrie/sdk'
import type { Git } from '../git/git.ts'
import type { SentFile } from '../results/result.ts'
import type { FileState, FindFile } from './files/find-file.ts'
import { mergeTexts } from './files/merge.ts'
import { collisionsAmong, whyRejected } from './files/path-rules.ts'
import { whySensitive } from './files/sensitive.ts'
import { formatOf, withFormat, withoutFormat } from './files/text-format.ts'

/** One file before and after; at least one is present. */
export type Change = {
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
  readonly isMerged: boolean
}

export type Problem = { readonly path: string; readonly why: string }

export type Plan = {
  readonly changes: readonly Change[]
  /** Paths that edits may not have. */
  readonly refused: readonly Problem[]
  readonly sensitive: readonly Problem[]
  /** Files that changed so that the edit conflicts. */
  readonly conflicts: readonly Problem[]
}

/** An edit; one from a patch may set the executable bit. */
export type Edit = Pick<FileEdit, 'path' | 'action' | 'content' | 'baseSha256'> & {
  readonly isExecutable?: boolean | undefined
}

export type PlanOptions = {
  /** The state of the file in the target: on disk or in a commit. */
  readonly find: FindFile
  /** Null without git. */
  readonly git: Git | null
  readonly sent: readonly SentFile[]
  readonly allowSensitive: boolean
}

const NEW_FILE_MODE = 0o666
const EXECUTE = 0o111
const READ = 0o444

export async function planEdits(edits: readonly Edit[], options: PlanOptions): Promise<Plan> {
  const plan = {
    changes: [] as Change[],
    refused: [] as Problem[],
    sensitive: [] as Problem[],
    conflicts: [] as Problem[],
  }
  const colliding = new Set(collisionsAmong(edits.map(({ path }) => path)))
  for (const edit of edits) {
    const { path } = edit
    const wrong = whyRejected(path) ?? (colliding.has(path) ? 'collides with another edit' : null)
    const delicate = options.allowSensitive ? null : whySensitive(path)
    if (wrong) plan.refused.push({ path, why: wrong })
    else if (delicate) plan.sensitive.push({ path, why: delicate })
    else {
      const found = await options.find(path)
      if ('refused' in found) plan.refused.push({ path, why: found.refused })
      else {
        const change = await changeOf(edit, found.file, options)
        if ('why' in change) plan.conflicts.push(change)
        else if (isDifferent(change)) plan.changes.push(change)
      }
    }
  }
  return plan
}

const isDifferent = ({ before, after }: Change): boolean =>
  before?.text !== after?.text || before?.mode !== after?.mode

async function changeOf(
  edit: Edit,
  before: FileState | null,
  { git, sent }: PlanOptions,
): Promise<Change | Problem> {
  const { path, action, content } = edit
  const base = sent.find((file) => file.path === path)?.content ?? null
  if (!before) {
    if (action === 'delete') return { path, before, after: null, isMerged: false }
    // The file existed when it was sent and was deleted since.
    if (action === 'update' || base !== null) return { path, why: 'was deleted since' }
    return { path, before, after: newFile(edit), isMerged: false }
  }
  const mode = modeAfter(edit, before.mode)
  const form = formatOf(before.text)
  const wanted = form ? withFormat(content, form) : content
  if (action !== 'delete' && before.text === wanted)
    return { path, before, after: { text: wanted, mode }, isMerged: false }
  if (matchesSent(edit, base, before.text, form !== null)) {
    const after = action === 'delete' ? null : { text: wanted, mode }
    return { path, before, after, isMerged: false }
  }
  if (action === 'create' && base === null) return { path, why: 'already exists' }
  if (action === 'delete') return { path, why: 'was changed since, and would be deleted' }
  if (base === null) return { path, why: 'was changed since' }
  if (!git) return { path, why: 'was changed since, and without git it cannot be merged' }
  if (!form) return { path, why: 'was changed since, and has mixed line endings' }
  const merged = await mergeTexts(git, {
    ours: withoutFormat(before.text),
    base: withoutFormat(base),
    theirs: withoutFormat(content),
  })
  if (merged === null) return { path, why: 'was changed since in the same place' }
  return { path, before, after: { text: withFormat(merged, form), mode }, isMerged: true }
}

/** Whether the file has the content that the edit is based on; line endings are ignored. */
function matchesSent({ baseSha256 }: Edit, base: string | null, text: string, hasForm: boolean): boolean {
  if (base !== null) return base === text || (hasForm && withoutFormat(base) === withoutFormat(text))
  return baseSha256 !== null && [text, withoutFormat(text)].some((read) => sha256(read) === baseSha256)
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const newFile = ({ content, isExecutable = false }: Edit): FileState => ({
  text: content,
  mode: (NEW_FILE_MODE | (isExecutable ? EXECUTE : 0)) & ~process.umask(),
})

const modeAfter = ({ isExecutable }: Edit, mode: number): number => {
  if (isExecutable === undefined) return mode
  // Everyone who may read the file may execute it.
  return isExecutable ? mode | ((mode & READ) >> 2) : mode & ~EXECUTE
}
