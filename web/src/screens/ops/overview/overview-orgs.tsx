// The organisations behind the figures, with a CSV download.

import type { MetricsOrgsQuery } from '@cowrie/sdk'
import { useComputed, useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { saveCsv } from '../shared/csv.ts'
import { money } from './overview-types.ts'

type Sort = NonNullable<MetricsOrgsQuery['sort']>
const SORTS: Readonly<Record<Sort, string>> = {
  revenue: msg('Most usage first'),
  balance: msg('Largest balance first'),
  recent: msg('Latest usage first'),
}

export function Orgs() {
  const sort = useSignal<Sort>('revenue')
  const pages = usePages('orgs', `ops.metrics.orgs ${sort.value}`, (cursor) =>
    api.metrics.orgs({ sort: sort.value, limit: 10, ...cursor }),
  )
  const current = useComputed(() => {
    const { value } = pages.current
    if (value.state !== 'ready') return value
    return { ...value, value: value.value.map((org) => ({ ...org, id: org.orgId })) }
  })
  const save = useAction(async () => {
    await saveCsv('cowrie-organisations.csv', '/metrics/orgs', { sort: sort.value })
    announce(t('The file is saved.'))
  })
  return (
    <Section title={t('Organisations, 30 days')}>
      <div class="filters">
        <Select
          name="org-sort"
          label={t('Order')}
          value={sort.value}
          options={Object.entries(SORTS).map(([key, words]) => [key, t(words)])}
          onChoose={(key) => {
            sort.value = key as Sort
          }}
        />
        <button type="button" aria-disabled={save.busy.value} onClick={() => void save.run()}>
          {save.busy.value ? t('Preparing the file …') : t('Download as CSV')}
        </button>
      </div>
      {save.failure.value && <ErrorNotice failure={save.failure.value} retry={save.run} />}
      <PagedList pages={{ ...pages, current }} empty={t('None yet.')} more={t('More organisations')}>
        {(org) => (
          <div class="row">
            <div>
              <p class="row-name" dir="auto">
                <a href={`/app/ops/orgs/${encodeURIComponent(org.orgId)}`}>{org.name}</a>{' '}
                {org.suspended && <span class="chip bad">{t('suspended')}</span>}
              </p>
              <p class="help">
                {t('Used {used}, paid in {paid}, has {balance}', {
                  used: money(org.revenueMinor, org.currency),
                  paid: money(org.netCreditedMinor, org.currency),
                  balance: money(org.balanceMinor, org.currency),
                })}{' '}
                · {tn(org.tokens, '{n} token', '{n} tokens')}
                {org.lastActiveAt !== null && ` · ${formatDateTime(org.lastActiveAt)}`}
              </p>
            </div>
          </div>
        )}
      </PagedList>
    </Section>
  )
}
