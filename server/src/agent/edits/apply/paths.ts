// Where an edit may go: a clean relative path inside the workspace that nobody has to be protected from.
import { foldPath, type PathProblem, pathProblem } from '../../../kernel/clean-path.ts'
import { isProtectedPath } from './protected-paths.ts'

export {
  foldPath,
  isCleanContextPath,
  PATH_BYTES_MAX,
  PATH_SEGMENTS_MAX,
  printablePath,
} from '../../../kernel/clean-path.ts'

export type PathRefusal = PathProblem | 'protected'

export type CleanPath = { path: string } | { reason: PathRefusal }

/** The path of an edit, or why it is none. */
export function cleanPath(text: string): CleanPath {
  const reason = pathProblem(text)
  if (reason) return { reason }
  return isProtectedPath(foldPath(text)) ? { reason: 'protected' } : { path: text }
}
