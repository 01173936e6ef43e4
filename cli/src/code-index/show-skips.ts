// Names the files that were not sent or not indexed, and why.
import type { SkippedFile } from '../context/list-files.ts'
import { SKIP_REASONS } from '../context/sendable.ts'
import type { Output } from '../terminal/output.ts'
import type { PushResult } from './push.ts'

/** `reason` completes a sentence that begins with the path. */
type NamedSkip = { readonly path: string; readonly reason: string }

/** Why the service does not index a file. */
const SERVICE_REASONS: Readonly<Record<string, string>> = {
  invalid_path: 'has a name that the service rejects',
  ignored: 'is excluded by an ignore file',
  vendored: 'is in a folder of dependencies',
  generated: 'is generated',
  minified: 'is minified',
  lockfile: 'is a lock file',
  binary: 'is not text',
  too_large: 'is too large',
  empty: 'is empty',
  secret: 'is not indexed: it contains secrets',
}

const SHOWN_MAX = 10

export const localSkips = (files: readonly SkippedFile[]): NamedSkip[] =>
  files.map(({ path, why }) => ({ path, reason: SKIP_REASONS[why] }))

export const serviceSkips = (files: PushResult['skipped']): NamedSkip[] =>
  files.map(({ path, reason }) => ({
    path,
    reason: SERVICE_REASONS[reason] ?? `is not indexed: ${reason.replaceAll('_', ' ')}`,
  }))

/** The first files of each reason. */
export function showSkips(out: Pick<Output, 'note'>, skips: readonly NamedSkip[]): void {
  for (const reason of new Set(skips.map((skip) => skip.reason))) {
    const files = skips.filter((skip) => skip.reason === reason)
    for (const { path } of files.slice(0, SHOWN_MAX)) out.note(`${path} ${reason}.`)
    const more = files.length - SHOWN_MAX
    if (more > 0)
      out.note(`${more} more ${more === 1 ? 'file' : 'files'} for the same reason. --json lists all of them.`)
  }
}
