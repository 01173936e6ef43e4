// Files of a new task: dropped or chosen, alone or as a whole folder, and everything that is left out.
import { type Signal, useSignal } from '@preact/signals'
import { type AcceptedFiles, NO_FILES } from '../../../data/task-files.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { DropZone, FilePicker } from '../../../ui/files/file-picker.tsx'
import type { PickedFile } from '../../../ui/files/picked-files.ts'
import { SkippedFiles } from '../../../ui/files/skipped-files.tsx'
import { acceptFiles, BYTES_MAX, FILES_MAX, includeFile, removeFile, sizeOf } from './accept-files.ts'

/** Longer lists start collapsed. */
const SHOWN_MAX = 8

type Props = { accepted: Signal<AcceptedFiles> }

export function FileSource({ accepted }: Props) {
  const isReading = useSignal(false)
  async function add(offered: readonly PickedFile[]): Promise<void> {
    isReading.value = true
    try {
      accepted.value = await acceptFiles(accepted.peek(), offered)
    } finally {
      isReading.value = false
    }
    announce(tn(accepted.peek().files.length, '{n} file added.', '{n} files added.'))
  }
  const all = accepted.value
  return (
    <div class="file-source">
      <DropZone onDropped={add}>
        <p>{isReading.value ? t('Reading files …') : t('Drop a folder or files here.')}</p>
        <div class="choices">
          <FilePicker label={t('Choose a folder')} isFolder onPick={add} />
          <FilePicker label={t('Choose files')} onPick={add} />
          {all.files.length > 0 && (
            <button type="button" class="quiet" onClick={() => (accepted.value = NO_FILES)}>
              {t('Remove all')}
            </button>
          )}
        </div>
        <p class="help">
          {t('Up to {files} files, 24 MiB. Follows .gitignore. Never sends .git or node_modules.', {
            files: FILES_MAX.toLocaleString('en'),
          })}
        </p>
      </DropZone>
      {all.files.length > 0 && (
        <Accepted all={all} remove={(path) => (accepted.value = removeFile(all, path))} />
      )}
      <Secrets all={all} include={(path) => (accepted.value = includeFile(all, path))} />
      <SkippedFiles
        files={all.leftOut}
        title={tn(all.leftOut.length, '{n} file is left out', '{n} files are left out')}
        reasonOf={t}
      />
    </div>
  )
}

function Accepted({ all, remove }: { all: AcceptedFiles; remove: (path: string) => void }) {
  const { files, ignored } = all
  return (
    <details class="fold" open={files.length <= SHOWN_MAX}>
      <summary data-testid="accepted">
        {tn(files.length, '{n} file', '{n} files')}, {formatBytes(sizeOf(files))}
        {ignored > 0 && <>, {tn(ignored, '{n} ignored', '{n} ignored')}</>}
      </summary>
      {sizeOf(files) > BYTES_MAX && <p class="bad">{t('Together the files are larger than 24 MiB.')}</p>}
      <ul class="chips" aria-label={t('Files')}>
        {files.slice(0, FILES_MAX).map(({ path }) => (
          <li key={path} class="chip removable">
            <bdi dir="ltr">{path}</bdi>
            <button type="button" aria-label={t('Remove {path}', { path })} onClick={() => remove(path)}>
              <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Secrets({ all, include }: { all: AcceptedFiles; include: (path: string) => void }) {
  const { withheld, secrets } = all
  if (withheld.length + secrets.length === 0) return null
  return (
    <ul class="secret-files" aria-label={t('Files with secrets')}>
      {withheld.map(({ path }) => (
        <li key={path}>
          <bdi dir="ltr">{path}</bdi>{' '}
          <span class="help">{t('is not sent: files with this name hold secrets.')}</span>{' '}
          <button type="button" class="quiet" onClick={() => include(path)}>
            {t('Include for tests')} <span class="unseen">{path}</span>
          </button>
        </li>
      ))}
      {secrets.map(({ path, line }) => (
        <li key={path}>
          <bdi dir="ltr">{path}</bdi>{' '}
          <span class="help">
            {t('line {line} looks like a secret. The model sees a placeholder.', { line })}
          </span>
        </li>
      ))}
    </ul>
  )
}
