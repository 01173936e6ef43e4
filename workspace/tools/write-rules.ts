// Where a tool may write. Some paths are refused; others run automatically on machines of the team, so a person must approve
// a change.
import { foldPath } from '../paths/clean-path.ts'
import { isProtectedPath } from '../paths/protected-paths.ts'
import { showPath } from '../text/plain-text.ts'
import { fail, requireApproval } from './tool-result.ts'
import type { FileToolContext, ToolResult } from './tool-types.ts'
import { describeSkipped, findSkipped, pathRefusal, withheldProblem } from './workspace-text.ts'

/** No approval opens these: they are not part of the project, or hold keys of a person. */
const NEVER: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.gcloud',
  'node_modules',
])

/** Undefined if the file may be written. */
export function checkWritePath(context: FileToolContext, path: string): ToolResult | undefined {
  const { workspace, mask, isApproved } = context
  const shown = showPath(path)
  const refusal = pathRefusal(path)
  if (refusal !== undefined) return fail(refusal)
  const folded = foldPath(path)
  const forbidden = folded.split('/').find((segment) => NEVER.has(segment))
  if (forbidden !== undefined)
    return fail(`${shown} cannot be changed: no task may write below ${forbidden}.`)
  if (mask.isWithheldFile(path)) return fail(withheldProblem(path))
  const skipped = findSkipped(workspace, path)
  if (skipped) return fail(`${shown} cannot be changed: ${describeSkipped(skipped)}.`)
  if (isProtectedPath(folded) && !isApproved)
    return requireApproval(
      `${shown} is protected: such files run automatically or configure the tools of the team before anyone reviews the change.`,
    )
  return undefined
}

/** The reason why a new file cannot have this path; undefined if it can. */
export function findCollision({ workspace }: FileToolContext, path: string): string | undefined {
  const folded = foldPath(path)
  const other = [...workspace.files.keys()].find((each) => {
    const known = foldPath(each)
    return known === folded || known.startsWith(`${folded}/`) || folded.startsWith(`${known}/`)
  })
  return other === undefined
    ? undefined
    : `${showPath(path)} collides with ${showPath(other)}: the names differ only in case, or one is a folder and a file.`
}
