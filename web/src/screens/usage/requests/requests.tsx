// The model calls of the organisation: a chart by hour or day, and the list with its filters.
import { type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useResource } from '../../../data/resource.ts'
import { type Me, session } from '../../../data/session.ts'
import { t, tn } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { CsvButton } from '../../../ui/files/csv-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { downloadRequests } from './download-requests.ts'
import { RequestChart } from './request-chart.tsx'
import { FIRST, listQuery, RANGES, type RequestFilter } from './request-query.ts'
import { RequestHeads, RequestRow } from './request-row.tsx'

const SHOWN = 25
const KEYS_MAX = 200

type Keys = ReadonlyMap<string, string>

export default function Requests() {
  const { value } = session
  // Remount for another organisation, so that no state of the previous one stays.
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const filter = useSignal<RequestFilter>({ ...FIRST, keyId: appLocation.value.query.get('keyId') ?? '' })
  // Fixed, so that the chart and the list have the same range.
  const nowMs = useMemo(() => Date.now(), [])
  const keys = useKeys()
  const { bar: _, ...wanted } = filter.value
  return (
    <Page
      title={t('Requests')}
      note={t('Every model call with its cost. Prompts and answers are not logged.')}
      action={
        <a class="button" href="/app/usage">
          {t('Show usage')}
        </a>
      }
    >
      <Filters filter={filter} keys={keys} />
      <RequestChart key={JSON.stringify(wanted)} filter={filter} nowMs={nowMs} currency={me.currency} />
      <List key={JSON.stringify(filter.value)} me={me} filter={filter.value} nowMs={nowMs} keys={keys} />
    </Page>
  )
}

type ListProps = { me: Me; filter: RequestFilter; nowMs: number; keys: Keys }

function List({ me, filter, nowMs, keys }: ListProps) {
  const query = listQuery(filter, nowMs)
  const pages = usePages('requests', `usage requests ${JSON.stringify(query)}`, (cursor) =>
    api.usage.requests({ limit: SHOWN, ...query, ...cursor }),
  )
  return (
    <Section title={t('Details')}>
      <RequestHeads />
      <PagedList pages={pages} empty={t('No matching requests.')} more={t('Older requests')}>
        {(row) => (
          <RequestRow
            row={row}
            currency={me.currency}
            keyName={row.keyId === null ? undefined : keys.get(row.keyId)}
          />
        )}
      </PagedList>
      <CsvButton
        download={() => downloadRequests(query)}
        cut={t('The file has the newest {n} requests. Choose fewer days to get older ones.', {
          n: '100,000',
        })}
      />
    </Section>
  )
}

/** Names by id. Without them the ids are shown. */
function useKeys(): Keys {
  const read = useResource('keys', () => api.keys.list({ limit: KEYS_MAX }))
  const { value } = read.current
  return new Map(value.state === 'ready' ? value.value.keys.map(({ id, name }) => [id, name]) : [])
}

function Filters({ filter, keys }: { filter: Signal<RequestFilter>; keys: Keys }) {
  const { days, status, keyId, model } = filter.value
  const set = (change: Partial<RequestFilter>) => {
    filter.value = { ...filter.value, bar: null, ...change }
  }
  const known = keyId === '' || keys.has(keyId) ? [...keys] : [[keyId, keyId] as const, ...keys]
  return (
    <div class="usage-asked request-asked">
      <Select
        name="range"
        label={t('Period')}
        value={String(days)}
        options={RANGES.map((range) => [String(range), nameOfRange(range)])}
        onChoose={(value) => set({ days: Number(value) })}
      />
      <Select
        name="status"
        label={t('Status')}
        value={status}
        options={[
          ['', t('All')],
          ['success', t('Succeeded')],
          ['failed', t('Failed')],
        ]}
        onChoose={(value) => set({ status: value as RequestFilter['status'] })}
      />
      <Select
        name="key"
        label={t('API key')}
        value={keyId}
        options={[['', t('All')], ...known]}
        onChoose={(value) => set({ keyId: value })}
      />
      <div class="field">
        <label for="model">{t('Model')}</label>
        <input
          id="model"
          value={model}
          placeholder="open"
          dir="ltr"
          autocomplete="off"
          maxLength={200}
          onChange={(event) => set({ model: event.currentTarget.value.trim() })}
        />
      </div>
    </div>
  )
}

const nameOfRange = (days: number): string =>
  days === 1 ? t('Last 24 hours') : tn(days, 'Last {n} day', 'Last {n} days')
