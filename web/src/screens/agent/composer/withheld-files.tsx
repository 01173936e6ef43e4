// Files with secrets: what happens to each, and a button to send it anyway.
import { t, tn } from '../../../i18n/t.ts'
import type { TaskFile } from './file-secrets.ts'
import { secretIn } from './file-secrets.ts'

const SHOWN_MAX = 12

type Props = {
  /** Sent files and withheld files. */
  files: readonly TaskFile[]
  allow: (file: TaskFile) => void
}

export function WithheldFiles({ files, allow }: Props) {
  const isAnyAllowed = files.some(({ allowSecrets }) => allowSecrets)
  const withheld = files.filter((file) => !file.allowSecrets && secretIn(file) !== null)
  if (withheld.length === 0) return null
  return (
    <ul class="refused-files" aria-label={t('Files with secrets')}>
      {withheld.slice(0, SHOWN_MAX).map((file) => (
        <li key={file.path}>
          <bdi dir="ltr">{file.path}</bdi>{' '}
          <span class="help">{outcomeOf(secretIn(file)?.line ?? null, isAnyAllowed)}</span>{' '}
          <button
            type="button"
            class="plain"
            aria-label={t('Send anyway: {path}', { path: file.path })}
            onClick={() => allow(file)}
          >
            {t('Send anyway')}
          </button>
        </li>
      ))}
      {withheld.length > SHOWN_MAX && (
        <li>{tn(withheld.length - SHOWN_MAX, 'and {n} more', 'and {n} more')}</li>
      )}
    </ul>
  )
}

function outcomeOf(line: number | null, isAnyAllowed: boolean): string {
  if (line === null) return t('is not sent: files with this name hold secrets.')
  return isAnyAllowed
    ? t('is not sent: line {line} looks like a secret.', { line })
    : t('line {line} looks like a secret. The model sees a placeholder.', { line })
}
