// Converts a unified diff to edits, so that the same checks apply.
import { applyPatch, parsePatch, type StructuredPatch } from 'diff'
import { Failure } from '../errors.ts'
import { type FindFile, isExecutable as mayRun } from './files/find-file.ts'
import { whyRejected } from './files/path-rules.ts'
import { type Edit, type Problem, sha256 } from './plan.ts'
import type { EditSet } from './prepare.ts'
import { conflictError } from './rejections.ts'

const NOTHING = '/dev/null'

export function editSetOfPatch(text: string): EditSet {
  const patches = parse(text)
  const id = `p-${sha256(text).slice(0, 8)}`
  return { id, message: `Apply ${id}\n`, sent: [], edits: (find) => editsOf(patches, find) }
}

function parse(text: string): StructuredPatch[] {
  const patches = (() => {
    try {
      return parsePatch(text)
    } catch (error) {
      throw unreadable(error instanceof Error ? error.message : String(error))
    }
  })()
  if (patches.length === 0) throw unreadable('it is empty')
  for (const { oldFileName, newFileName, isBinary, newMode = '100644' } of patches) {
    if (!oldFileName || !newFileName) throw unreadable('it does not name its files')
    if (isBinary) throw unreadable(`${newFileName} is not text`)
    if (!/^100\d{3}$/.test(newMode)) throw unreadable(`${newFileName} is not a regular file (${newMode})`)
  }
  return patches
}

const unreadable = (why: string): Failure =>
  new Failure('patch_unusable', `The patch cannot be used: ${why}.`, {
    next: 'Use a unified diff, such as the output of "git diff".',
  })

async function editsOf(patches: readonly StructuredPatch[], find: FindFile): Promise<Edit[]> {
  const edits: Edit[] = []
  const problems: Problem[] = []
  for (const patch of patches) {
    const made = await editsOfOne(patch, find)
    if ('why' in made) problems.push(made)
    else edits.push(...made)
  }
  if (problems.length > 0) throw conflictError(problems)
  return edits
}

async function editsOfOne(patch: StructuredPatch, find: FindFile): Promise<readonly Edit[] | Problem> {
  const [from, to] = namesIn(patch)
  const source = from ?? to ?? ''
  // Forbidden paths are not read; the plan reports them.
  const found = whyRejected(source) ? null : await find(source)
  const isReadable = found !== null && 'file' in found
  const old = isReadable ? found.file : null
  if (isReadable && from !== null && old === null) return { path: source, why: 'does not exist' }
  const patched = applyPatch(from === null ? '' : (old?.text ?? ''), patch)
  if (patched === false && isReadable) return { path: source, why: 'does not match the patch' }
  const content = patched === false ? '' : patched
  const baseSha256 = old && sha256(old.text)
  if (to === null) {
    if (content !== '') return { path: source, why: 'has more content than the patch deletes' }
    return [{ path: source, action: 'delete', content: '', baseSha256 }]
  }
  const isExecutable = patch.newMode === undefined ? undefined : patch.newMode === '100755'
  if (from === to) return [{ path: to, action: 'update', content, baseSha256, isExecutable }]
  // A renamed file keeps its executable bit.
  const moved = isExecutable ?? (from !== null && old !== null && mayRun(old))
  const created: Edit = { path: to, action: 'create', content, baseSha256: null, isExecutable: moved }
  return from === null || patch.isCopy
    ? [created]
    : [created, { path: from, action: 'delete', content: '', baseSha256 }]
}

/** The paths before and after; null when the file is absent. */
function namesIn({
  oldFileName = '',
  newFileName = '',
  isCreate,
  isDelete,
}: StructuredPatch): [string | null, string | null] {
  const isPrefixed = [oldFileName, newFileName].every((name) => name === NOTHING || /^[ab]\//.test(name))
  const clean = (name: string) => (isPrefixed ? name.slice(2) : name)
  const from = isCreate || oldFileName === NOTHING ? null : clean(oldFileName)
  const to = isDelete || newFileName === NOTHING ? null : clean(newFileName)
  return [from, to]
}
