// The skipped files with their reasons. A long list starts collapsed.
import type { SkippedFile } from './read-files.ts'

type Props = { files: readonly SkippedFile[]; title: string; reasonOf: (reason: string) => string }

export function SkippedFiles({ files, title, reasonOf }: Props) {
  if (files.length === 0) return null
  return (
    <details class="left-out" open={files.length <= 3}>
      <summary>{title}</summary>
      <ul>
        {files.map(({ path, reason }) => (
          <li key={path}>
            <bdi dir="ltr">{path}</bdi> <span class="help">{reasonOf(reason)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
