// The indexed files: a map by weight where there is room, and a list with remove buttons.
import type { IndexState } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { isOnline } from '../../../data/network.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { type Entry, entriesBelow, isFolder, parentOf } from './folders.ts'
import { WeightMap } from './weight-map.tsx'

const SHOWN = 50

type Props = { state: IndexState; onRemoved: () => Promise<void> }

export function Paths({ state, onRemoved }: Props) {
  const folder = useSignal('')
  const shown = useSignal(SHOWN)
  const entries = entriesBelow(state, folder.value)
  const open = (path: string) => {
    folder.value = path
    shown.value = SHOWN
  }
  const disabledReason = isOnline.value ? null : t('You are offline.')
  return (
    <>
      <WeightMap entries={entries} folder={folder.value} onOpen={open} />
      <nav class="where" aria-label={t('Folder')}>
        {folder.value !== '' && (
          <button type="button" onClick={() => open(parentOf(folder.value))}>
            {t('Up')}
          </button>
        )}
        <bdi dir="ltr">{folder.value === '' ? '/' : `/${folder.value}`}</bdi>
      </nav>
      {/* The last file of the folder was removed. */}
      {entries.length === 0 && <p class="help">{t('This folder is empty.')}</p>}
      <ul class="rows" aria-label={t('Paths')}>
        {entries.slice(0, shown.value).map((entry) => (
          <li key={entry.path} class="row">
            <Row
              repo={state.repo}
              entry={entry}
              folder={folder.value}
              disabledReason={disabledReason}
              onOpen={open}
              onRemoved={onRemoved}
            />
          </li>
        ))}
      </ul>
      {entries.length > shown.value && (
        <div class="choices">
          <button
            type="button"
            onClick={() => {
              shown.value += SHOWN
            }}
          >
            {t('More paths')}
          </button>
        </div>
      )}
      {state.paths.length < state.files && (
        <p class="help">
          {tn(state.paths.length, 'The first {n} path is shown.', 'The first {n} paths are shown.')}
        </p>
      )}
    </>
  )
}

type RowProps = {
  repo: string
  entry: Entry
  folder: string
  disabledReason: string | null
  onOpen: (path: string) => void
  onRemoved: () => Promise<void>
}

function Row({ repo, entry: { path, weight, files }, folder, disabledReason, onOpen, onRemoved }: RowProps) {
  const name = path.slice(folder.length)
  return (
    <>
      <div>
        {isFolder(path) ? (
          <button type="button" class="plain path-name" onClick={() => onOpen(path)}>
            <bdi dir="ltr">{name}</bdi>
          </button>
        ) : (
          <p class="path-name">
            <bdi dir="ltr">{name}</bdi>
          </p>
        )}
        <p class="help">
          {isFolder(path) && `${tn(files, '{n} file', '{n} files')} · `}
          {tn(weight, '{n} chunk', '{n} chunks')}
        </p>
      </div>
      {!isFolder(path) && (
        <DialogButton
          label={t('Remove')}
          name={path}
          question={t('Remove {path} from the index?', { path })}
          submit={t('Remove')}
          look="grave"
          disabledReason={disabledReason}
          act={async () => {
            await api.index.clear({ repo, path })
            await onRemoved()
            announce(t('{path} was removed.', { path }))
          }}
        >
          <p>{t('Tasks and chat no longer find it. Adding it again costs again.')}</p>
        </DialogButton>
      )}
    </>
  )
}
