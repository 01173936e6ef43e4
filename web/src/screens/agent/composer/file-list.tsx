// The files of a task: chosen, dropped or pasted, each with a remove button, and the reasons for skipped ones.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { FilePicker } from '../../../ui/files/file-picker.tsx'
import type { PickedFile } from '../../../ui/files/picked-files.ts'
import type { TaskFile } from './file-secrets.ts'
import { acceptFiles, CHARACTERS_MAX, charactersOf, FILES_MAX, type RejectedFile } from './files.ts'
import { WithheldFiles } from './withheld-files.tsx'

/** Longer lists start collapsed. */
const SHOWN_MAX = 12

export type Files = {
  readonly list: readonly TaskFile[]
  readonly rejected: readonly RejectedFile[]
  /** Files with secrets, not in the list. */
  readonly withheld: readonly TaskFile[]
  add(offered: readonly PickedFile[] | Promise<PickedFile[]>): Promise<void>
  remove(path: string): void
  /** Sends a file with its secrets. */
  allow(file: TaskFile): void
  clear(): void
}

export function useFiles(list: readonly TaskFile[], put: (files: readonly TaskFile[]) => void): Files {
  const rejected = useSignal<readonly RejectedFile[]>([])
  const withheld = useSignal<readonly TaskFile[]>([])
  const latest = useRef(list)
  latest.current = list
  return {
    list,
    rejected: rejected.value,
    withheld: withheld.value,
    async add(offered) {
      const taken = await acceptFiles(latest.current, await offered)
      rejected.value = taken.rejected
      withheld.value = taken.withheld
      put(taken.files)
      announce(tn(taken.files.length, '{n} file attached.', '{n} files attached.'))
    },
    remove: (path) => put(list.filter((file) => file.path !== path)),
    allow(file) {
      withheld.value = withheld.value.filter((each) => each !== file)
      put([...list.filter(({ path }) => path !== file.path), { ...file, allowSecrets: true }])
    },
    clear() {
      rejected.value = []
      withheld.value = []
      put([])
    },
  }
}

export function FileList({ files }: { files: Files }) {
  const { list, rejected, withheld } = files
  const isAll = useSignal(false)
  const view = isAll.value ? list : list.slice(0, SHOWN_MAX)
  return (
    <fieldset class="field agent-files">
      <legend>{t('Files')}</legend>
      {list.length > 0 && (
        <ul class="file-chips" aria-label={t('Attached files')}>
          {view.map(({ path, allowSecrets }) => (
            <li key={path} class="file-chip">
              <bdi dir="ltr">{path}</bdi>
              {allowSecrets && <span class="bad">{t('with secrets')}</span>}
              <button
                type="button"
                class="plain"
                aria-label={t('Remove {path}', { path })}
                onClick={() => files.remove(path)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
          {list.length > view.length && (
            <li>
              <button type="button" class="plain" onClick={() => (isAll.value = true)}>
                {tn(list.length - view.length, 'and {n} more', 'and {n} more')}
              </button>
            </li>
          )}
        </ul>
      )}
      <div class="choices">
        <FilePicker label={t('Add files')} onPick={files.add} />
        <FilePicker label={t('Add a folder')} isFolder onPick={files.add} />
        {list.length > 1 && (
          <button type="button" onClick={files.clear}>
            {t('Remove all')}
          </button>
        )}
      </div>
      <p class="help">
        {list.length === 0
          ? t('Drop or paste files here. Indexed code is searched too.')
          : t('{files} of {most} files, {percent} % of the size limit.', {
              files: list.length,
              most: FILES_MAX,
              percent: Math.ceil((100 * charactersOf(list)) / CHARACTERS_MAX),
            })}
      </p>
      <WithheldFiles files={[...list, ...withheld]} allow={files.allow} />
      {rejected.length > 0 && (
        <ul class="refused-files" role="alert">
          {rejected.slice(0, SHOWN_MAX).map(({ path, reason }) => (
            <li key={path}>
              <bdi dir="ltr">{path}</bdi> <span class="bad">{t(reason)}</span>
            </li>
          ))}
          {rejected.length > SHOWN_MAX && (
            <li>{tn(rejected.length - SHOWN_MAX, 'and {n} more', 'and {n} more')}</li>
          )}
        </ul>
      )}
    </fieldset>
  )
}
