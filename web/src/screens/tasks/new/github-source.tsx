// A repository of a GitHub App installation and one of its branches.
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Select } from '../../../ui/input/select.tsx'

export type GithubChoice = {
  readonly installationId: string
  readonly repository: string
  readonly ref: string
}
export const NO_CHOICE: GithubChoice = { installationId: '', repository: '', ref: '' }

type Props = { choice: Signal<GithubChoice> }

export function GithubSource({ choice }: Props) {
  const { current, load } = useResource('installations', () => api.vcs.installations.list())
  const state = current.value
  const active =
    state.state === 'ready'
      ? state.value.installations.filter(({ status, forge }) => status === 'active' && forge === 'github')
      : []
  const first = active[0]?.id
  useEffect(() => {
    if (first !== undefined && choice.peek().installationId === '')
      choice.value = { ...NO_CHOICE, installationId: first }
  }, [first])
  if (state.state === 'failed') return <ErrorNotice failure={state.failure} retry={load} />
  if (state.state === 'loading') return <span class="blank line" aria-busy="true" />
  if (active.length === 0)
    return (
      <p class="help">
        {t('GitHub is not connected to your organisation yet.')}{' '}
        <a href="/app/review/settings">{t('Connect GitHub')}</a>
      </p>
    )
  const { installationId } = choice.value
  return (
    <div class="github-source">
      {active.length > 1 && (
        <Select
          name="installation"
          label={t('Account')}
          value={installationId}
          options={active.map(({ id, account }) => [id, account] as const)}
          onChoose={(id) => (choice.value = { ...NO_CHOICE, installationId: id })}
        />
      )}
      {installationId !== '' && <Repository key={installationId} choice={choice} />}
    </div>
  )
}

function Repository({ choice }: Props) {
  const { installationId, repository } = choice.value
  const { current, load } = useResource(`repositories.${installationId}`, () =>
    api.vcs.installations.repositories(installationId),
  )
  const state = current.value
  if (state.state === 'failed') return <ErrorNotice failure={state.failure} retry={load} />
  if (state.state === 'loading') return <span class="blank line" aria-busy="true" />
  const { repositories } = state.value
  if (repositories.length === 0)
    return (
      <p class="help">
        {t('No repository is ready yet. Add .github/cowrie.json to one.')}{' '}
        <a href="/app/review/settings">{t('Review settings')}</a>
      </p>
    )
  return (
    <>
      <Select
        name="repository"
        label={t('Repository')}
        value={repository}
        options={[
          ['', t('Choose a repository')],
          ...repositories.map((each) => [each.repository, each.repository] as const),
        ]}
        onChoose={(chosen) => {
          const found = repositories.find((each) => each.repository === chosen)
          choice.value = { installationId, repository: chosen, ref: found?.defaultBranch ?? '' }
        }}
      />
      {repository !== '' && <Branch key={repository} choice={choice} />}
    </>
  )
}

function Branch({ choice }: Props) {
  const { installationId, repository, ref } = choice.value
  const { current, load } = useResource(`branches.${installationId}.${repository}`, () =>
    api.vcs.installations.branches(installationId, { repository }),
  )
  const state = current.value
  if (state.state === 'failed') return <ErrorNotice failure={state.failure} retry={load} />
  // The default branch is chosen already.
  const names = state.state === 'ready' ? state.value.branches : [ref]
  return (
    <Select
      name="branch"
      label={t('Branch')}
      value={ref}
      options={names.map((name) => [name, name] as const)}
      onChoose={(name) => (choice.value = { ...choice.peek(), ref: name })}
    />
  )
}
