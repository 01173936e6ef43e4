// Businesses waiting for verification: the queue, and one claim.
import type { AdminKycListQuery, KycRecord } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { usePages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { useKeys } from '../../../ui/layout/use-keys.ts'
import { KYC_TEXTS } from '../orgs/org-texts.ts'
import { api } from '../shared/staff-api.ts'
import { KycClaim } from './kyc-claim.tsx'

type Status = NonNullable<AdminKycListQuery['status']>

export default function Kyc() {
  const status = useSignal<Status>('pending')
  return (
    <Page title={t('Identity checks')}>
      <search class="filters">
        <Select
          name="status"
          label={t('Show')}
          value={status.value}
          onChoose={(value) => {
            status.value = value as Status
          }}
          options={[
            ['pending', t('Waiting for review')],
            ['verified', t('Verified')],
            ['rejected', t('Rejected')],
            ['all', t('All')],
          ]}
        />
      </search>
      <Queue key={status.value} status={status.value} />
    </Page>
  )
}

function Queue({ status }: { status: Status }) {
  const pages = usePages('records', `admin.kyc ${status}`, async (cursor) => {
    const page = await api.admin.kyc.list({ status, limit: 25, ...cursor })
    return { ...page, records: page.records.map((record) => ({ ...record, id: record.orgId })) }
  })
  const current = pages.current.value
  const records: readonly KycRecord[] = current.state === 'ready' ? current.value : []
  const chosen = useSignal<string | null>(null)
  const record = records.find(({ orgId }) => orgId === chosen.value)

  function move(by: number) {
    const at = records.findIndex(({ orgId }) => orgId === chosen.value)
    const next = at === -1 ? records[0] : records[at + by]
    if (!next) return
    chosen.value = next.orgId
    announce(next.businessName)
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  const first = records[0]?.orgId ?? null
  useEffect(() => {
    // Side by side, one claim is always open; on a phone the queue comes first.
    if (chosen.peek() === null && first !== null && matchMedia('(min-width: 900px)').matches)
      chosen.value = first
  }, [first])

  async function decided() {
    const at = records.findIndex(({ orgId }) => orgId === chosen.value)
    const next = status === 'pending' ? (records[at + 1] ?? records[at - 1]) : records[at]
    await pages.load()
    chosen.value = next?.orgId ?? null
    document.getElementById('screen-title')?.focus()
  }

  return (
    <div class={record ? 'two-panes chosen' : 'two-panes'}>
      <div class="pane-list">
        <PagedList
          pages={pages}
          empty={status === 'pending' ? t('The queue is empty.') : t('None.')}
          more={t('More')}
        >
          {(each) => (
            <button
              type="button"
              class="pane-row"
              aria-pressed={each.orgId === chosen.value}
              onClick={() => {
                chosen.value = each.orgId
              }}
            >
              <span class="row-name" dir="auto">
                {each.businessName}
              </span>
              <span class="help">
                {formatDateTime(each.submittedAt)} · {t(KYC_TEXTS[each.status][0])}
              </span>
            </button>
          )}
        </PagedList>
      </div>
      {record && (
        <KycClaim
          key={`${record.orgId} ${record.submittedAt} ${record.status}`}
          record={record}
          onBack={() => {
            chosen.value = null
          }}
          onDecided={decided}
        />
      )}
    </div>
  )
}
