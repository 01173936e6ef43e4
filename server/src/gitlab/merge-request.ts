// The diffs of a merge request, and the positions of comments in them.
import { z } from 'zod'
import { type ChangedFile, countChanges, type InlineComment, unchangedLines } from '../forge/forge.ts'

const sha = z.string().regex(/^[0-9a-f]{7,64}$/)
export const MergeRequest = z.object({
  state: z.string().max(40),
  sha: sha.nullish(),
  diff_refs: z.object({ base_sha: sha, start_sha: sha, head_sha: sha }).nullish(),
  /** A number, with a plus sign when files are left out of the diffs. */
  changes_count: z.string().nullish(),
})
export const Diffs = z.array(
  z.object({
    old_path: z.string().max(4_096),
    new_path: z.string().min(1).max(4_096),
    new_file: z.boolean().default(false),
    renamed_file: z.boolean().default(false),
    deleted_file: z.boolean().default(false),
    diff: z.string().default(''),
  }),
)
export type Diff = z.output<typeof Diffs>[number] & { readonly isUnchanged?: boolean }

/** Deleted files need no text. */
export const isShown = ({ diff, deleted_file: isDeleted }: Diff): boolean =>
  isDeleted || diff.startsWith('@@')

/** Without the whole diff, a file that was only renamed looks like a large one. */
export const withWhole = (diff: Diff, whole: ChangedFile | undefined): Diff => ({
  ...diff,
  diff: whole?.patch ?? '',
  isUnchanged: whole?.status === 'renamed' && whole.changes === 0,
})

export function toChangedFile({ new_path: filename, diff, isUnchanged, ...file }: Diff): ChangedFile {
  const status = file.deleted_file
    ? 'removed'
    : file.new_file
      ? 'added'
      : file.renamed_file
        ? 'renamed'
        : 'modified'
  if (!diff.startsWith('@@')) return { filename, status, changes: isUnchanged ? 0 : 1 }
  const patch = diff.replace(/\n$/, '')
  return { filename, status, changes: countChanges(patch), patch }
}

type DiffRefs = NonNullable<z.output<typeof MergeRequest>['diff_refs']>

/** An unchanged line needs its old number too. Null when the file is not part of the change. */
export function positionOf(
  { path, line }: InlineComment,
  refs: DiffRefs,
  files: readonly Diff[],
): object | null {
  const file = files.find((each) => each.new_path === path)
  if (!file) return null
  const oldLine = unchangedLines(file.diff).get(line)
  return {
    position_type: 'text',
    ...refs,
    old_path: file.old_path,
    new_path: file.new_path,
    new_line: line,
    ...(oldLine !== undefined && { old_line: oldLine }),
  }
}
