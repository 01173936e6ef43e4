// Finds secrets in the files of a task before they are sent. The service applies the same patterns again.
import { isSecretFile, secretLines } from '@cowrie/sdk/secrets'

export type TaskFile = {
  path: string
  content: string
  /** The user chose to send this file although it contains secrets. */
  allowSecrets?: true
}

/** `line` is null for files that only hold secrets, such as `.env`. */
export type FileSecret = { readonly line: number | null }

const known = new WeakMap<TaskFile, FileSecret | null>()

/** The first secret of a file, or null. */
export function secretIn(file: TaskFile): FileSecret | null {
  const before = known.get(file)
  if (before !== undefined) return before
  const [first] = isSecretFile(file.path) ? [{ line: null }] : secretLines(file.content)
  const found = first ? { line: first.line } : null
  known.set(file, found)
  return found
}

/**
 * The files to send. The service redacts secrets inside code. Once one file is allowed it redacts nothing, so
 * other files with secrets are left out.
 */
export function sendable(files: readonly TaskFile[]): { files: readonly TaskFile[]; allowSecrets: boolean } {
  const allowSecrets = files.some((file) => file.allowSecrets)
  const isSent = (file: TaskFile) =>
    file.allowSecrets || (allowSecrets ? secretIn(file) === null : !isSecretFile(file.path))
  return { files: files.filter(isSent), allowSecrets }
}
