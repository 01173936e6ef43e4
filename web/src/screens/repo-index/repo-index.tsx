// The code index for tasks and chat: add, search, remove.
import type { IndexState } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { isOnline } from '../../data/network.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { formatBytes, formatDateTime } from '../../i18n/format.ts'
import { t, tn } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { AddFiles } from './add-files.tsx'
import { chooseRepo, chosenRepo, DEFAULT_REPO } from './chosen-repo.ts'
import { Paths } from './paths/paths.tsx'
import { Search } from './search.tsx'

export default function RepoIndex() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const repo = useSignal(chosenRepo(me.orgId) ?? DEFAULT_REPO)
  const index = useResource('index', () => api.index.get({ repo: repo.peek() }))
  const choose = (next: string) => {
    chooseRepo(me.orgId, next)
    repo.value = next
    return index.load()
  }
  const current = index.current.value
  const state = current.state === 'ready' ? current.value : null
  const isOff = state?.enabled === false
  const repositories = reposIn(state, repo.value)
  // If the user has chosen none and the default is empty, open the first repository with files.
  const first = state?.repo === repo.value && state.files === 0 ? state.repositories[0]?.repo : undefined
  useEffect(() => {
    if (first !== undefined && chosenRepo(me.orgId) === null) void choose(first)
  }, [first])
  return (
    <Page
      title={t('Code index')}
      note={t('Tasks and chat search your indexed code. Secrets are removed first.')}
      menu={state && state.files > 0 && <IndexMenu state={state} onCleared={index.load} />}
    >
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={index.load} />}
      {repositories.length > 1 && (
        <Select
          name="repo"
          label={t('Repository')}
          options={repositories.map((name) => [name, name])}
          value={repo.value}
          onChoose={(name) => void choose(name)}
        />
      )}
      {isOff && (
        <p class="note" role="status">
          {t('Indexing is turned off at the moment. You can still add files to a task.')}
        </p>
      )}
      {current.state === 'loading' && <span class="blank paths-place" aria-busy="true" />}
      {state && state.files > 0 && (
        <Section title={t('Search')}>
          <Search key={repo.value} repo={repo.value} me={me} />
        </Section>
      )}
      {state?.files === 0 && (
        <EmptyState
          picture="search"
          title={t('Nothing indexed yet')}
          text={t('Add a folder. Then a question such as “where are refunds paid?” finds the lines.')}
        />
      )}
      {state && (
        <Section title={t('Add code')}>
          <AddFiles me={me} repo={repo.value} isOff={isOff} onAdded={choose} />
        </Section>
      )}
      {state && state.files > 0 && (
        <Section title={t('Indexed files')}>
          <p class="help">
            {tn(state.files, '{n} file', '{n} files')} · {tn(state.chunks, '{n} chunk', '{n} chunks')} ·{' '}
            {formatBytes(state.bytes)}
            {state.updatedAt && ` · ${t('changed {time}', { time: formatDateTime(state.updatedAt) })}`}
          </p>
          <Paths key={state.repo} state={state} onRemoved={index.load} />
        </Section>
      )}
    </Page>
  )
}

function IndexMenu({ state, onCleared }: { state: IndexState; onCleared: () => Promise<void> }) {
  const isAsked = useSignal(false)
  return (
    <>
      <Menu label={t('More actions')}>
        <button
          type="button"
          class="grave"
          disabled={!isOnline.value}
          onClick={() => {
            isAsked.value = true
          }}
        >
          {t('Clear the index')}
        </button>
      </Menu>
      {isAsked.value && (
        <Dialog
          label={t('Clear the index')}
          question={t('Remove {path} from the index?', { path: state.repo })}
          look="grave"
          onClose={() => {
            isAsked.value = false
          }}
          act={async () => {
            const { cleared } = await api.index.clear({ repo: state.repo })
            await onCleared()
            announce(tn(cleared, '{n} file was removed.', '{n} files were removed.'))
          }}
        >
          <p>
            {tn(
              state.files,
              '{n} file is removed. Adding it again costs again.',
              '{n} files are removed. Adding them again costs again.',
            )}
          </p>
        </Dialog>
      )}
    </>
  )
}

/** By name, including the open repository without files. */
const reposIn = (state: IndexState | null, open: string): string[] =>
  [...new Set([...(state?.repositories.map(({ repo }) => repo) ?? []), open])].sort()
