// The code index for the agent and chat: add, search, remove.
import type { IndexState } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { formatBytes, formatDateTime } from '../../i18n/format.ts'
import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Section, Sheet } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'
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
    <Sheet title={t('Code index')} wide>
      <p>{t('The agent, chat and you can search indexed code. Secrets are removed first.')}</p>
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
      <Facts lines={factsOf(state)} />
      {isOff && (
        <p class="note" role="status">
          {t('Indexing is turned off at the moment. You can still attach files to a run.')}
        </p>
      )}
      <Section title={t('Search')}>
        <Search key={repo.value} repo={repo.value} isEmpty={state?.files === 0} />
      </Section>
      <Section title={t('Add code')}>
        <AddFiles me={me} repo={repo.value} isOff={isOff} onAdded={choose} />
      </Section>
      <Section title={t('Indexed files')}>
        {state ? (
          <Paths key={state.repo} state={state} onRemoved={index.load} />
        ) : (
          <span class="blank paths-place" aria-busy={current.state === 'loading'} />
        )}
      </Section>
    </Sheet>
  )
}

/** By name, including the open repository without files. */
const reposIn = (state: IndexState | null, open: string): string[] =>
  [...new Set([...(state?.repositories.map(({ repo }) => repo) ?? []), open])].sort()

const factsOf = (state: IndexState | null) =>
  [
    [t('Files'), state && count(state.files)],
    [t('Chunks'), state && count(state.chunks)],
    [t('Size'), state && formatBytes(state.bytes)],
    [t('Last change'), state && (state.updatedAt ? formatDateTime(state.updatedAt) : t('none yet'))],
  ] as const

const count = (n: number): string => new Intl.NumberFormat(locale()).format(n)
