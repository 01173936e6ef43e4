// The findings of all reviews, newest first, with filters. A finding judged here stays in place.
import type { ReviewFinding, ReviewFindingsListQuery } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import type { Currency } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { type Option, Select } from '../../../ui/input/select.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { useKeys } from '../../../ui/layout/use-keys.ts'
import { SEVERITIES, STATUSES } from '../review-texts.ts'
import { Finding } from './finding.tsx'

const PAGE = 10

export type Filter = { repo: string; status: string; severity: string }
export const ALL: Filter = { repo: '', status: '', severity: '' }

type Props = {
  filter: Signal<Filter>
  repos: readonly string[]
  currency: Currency
  onJudged: () => void
}

export function Findings({ filter, repos, currency, onJudged }: Props) {
  const { repo, status, severity } = filter.value
  const pages = usePages('findings', `review.findings ${repo} ${status} ${severity}`, (from) =>
    api.review.findings.list({ limit: PAGE, ...chosenIn(filter.value), ...from }),
  )
  /** Findings judged here, by id. */
  const judged = useSignal<ReadonlyMap<string, ReviewFinding>>(new Map())
  const list = useRef<HTMLDivElement>(null)
  const move = (by: number) => {
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('.finding') ?? [])]
    const at = cards.findIndex((card) => card.contains(document.activeElement))
    cards[Math.max(0, Math.min(cards.length - 1, at + by))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  const put = (by: Partial<Filter>) => {
    filter.value = { ...filter.value, ...by }
  }
  const current = pages.current.value
  const isFiltered = repo !== '' || status !== '' || severity !== ''
  if (current.state === 'ready' && current.value.length === 0 && !isFiltered) return <None />
  return (
    <>
      <div class="filters">
        <Select
          name="repo"
          label={t('Repository')}
          value={repo}
          options={[['', t('All')], ...known(repos, repo).map((each): Option => [each, each])]}
          onChoose={(chosen) => put({ repo: chosen })}
        />
        <Select
          name="status"
          label={t('Verdict')}
          value={status}
          options={[['', t('All')], ...optionsOf(STATUSES)]}
          onChoose={(chosen) => put({ status: chosen })}
        />
        <Select
          name="severity"
          label={t('Severity')}
          value={severity}
          options={[['', t('All')], ...optionsOf(SEVERITIES)]}
          onChoose={(chosen) => put({ severity: chosen })}
        />
      </div>
      <p class="help keys-help">{t('Keys: J and K move, C confirms, R refutes, U marks unproven.')}</p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={pages.load} />}
      {current.state === 'loading' && <span class="blank findings-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <div ref={list} class="findings">
          {current.value.length === 0 && <p class="help">{t('No matching findings.')}</p>}
          {current.value.map((finding) => (
            <Finding
              key={finding.id}
              finding={judged.value.get(finding.id) ?? finding}
              currency={currency}
              onJudged={(now) => {
                judged.value = new Map(judged.value).set(now.id, now)
                onJudged()
              }}
            />
          ))}
          {pages.more.failure.value && <ErrorNotice failure={pages.more.failure.value} />}
          {pages.hasMore.value && (
            <div class="choices">
              <button
                type="button"
                aria-disabled={pages.more.busy.value}
                onClick={() => void pages.more.run()}
              >
                {pages.more.busy.value ? t('Loading …') : t('More findings')}
              </button>
            </div>
          )}
        </div>
      )}
    </>
  )
}

const None = () => (
  <EmptyState
    picture="review"
    title={t('No findings yet')}
    text={t(
      'Connect GitHub, and every pull request is reviewed. Findings appear here with the line and a fix.',
    )}
    action={
      <a class="button" href="/app/review/settings">
        {t('Connect GitHub')}
      </a>
    }
  />
)

const optionsOf = (words: Readonly<Record<string, string>>): Option[] =>
  Object.entries(words).map(([value, name]) => [value, t(name)])

/** Includes the chosen repository even if the newest reviews do not name it. */
const known = (repos: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || repos.includes(chosen) ? repos : [chosen, ...repos]

const chosenIn = (filter: Filter): ReviewFindingsListQuery =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as ReviewFindingsListQuery
