// All organisations, with a search by name, id or email of a member.
import type { AdminOrg, AdminOrgsListQuery } from '@cowrie/sdk'
import { useEffect, useRef } from 'preact/hooks'
import { usePages } from '../../../data/paged-resource.ts'
import { formatDate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { DeskTable } from '../shared/desk-table.tsx'
import { api } from '../shared/staff-api.ts'
import { KYC_TEXTS, ORG_TIERS } from './org-texts.ts'

const SETTLE_MS = 300
const FILTERS = ['q', 'state', 'tier', 'kyc'] as const
type Filter = Partial<Record<(typeof FILTERS)[number], string>>

export default function Orgs() {
  const filter = filterIn(appLocation.value.query)
  const name = JSON.stringify(filter)
  const pages = usePages('orgs', `admin.orgs ${name}`, async (cursor) => {
    const { orgs, nextCursor } = await api.admin.orgs.list({ limit: 25, ...queryFor(filter), ...cursor })
    return { orgs: orgs.map((org) => ({ ...org, id: org.orgId })), nextCursor }
  })
  return (
    <Page title={t('Organisations')}>
      <Search filter={filter} />
      <DeskTable
        key={name}
        label={t('Organisations')}
        pages={pages}
        columns={[
          { title: t('Name'), cell: nameOf },
          { title: t('Tier'), cell: ({ tier }) => t(ORG_TIERS[tier]) },
          { title: t('Identity check'), cell: identityOf },
          { title: t('Plan'), cell: planOf },
          { title: t('Created'), cell: ({ createdAt }) => formatDate(createdAt) },
          { title: t('Members'), isFigure: true, cell: ({ members }) => String(members) },
          {
            title: t('Balance'),
            isFigure: true,
            cell: ({ balanceMinor, currency }) => <bdi dir="ltr">{moneyIn(balanceMinor, currency)}</bdi>,
          },
        ]}
        empty={t('No matching organisations.')}
        more={t('Older organisations')}
      />
    </Page>
  )
}

/** In the address, so that Back from an organisation leads to the same list. */
function Search({ filter }: { filter: Filter }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function look(change: Filter) {
    clearTimeout(timer.current)
    const wanted = Object.entries({ ...filterIn(appLocation.peek().query), ...change }).filter(
      ([, value]) => value,
    )
    const query = new URLSearchParams(wanted as [string, string][]).toString()
    navigate(`/app/ops/orgs${query && `?${query}`}`, { replace: true })
  }
  return (
    <search class="filters">
      <div class="field">
        <label for="q">{t('Find')}</label>
        <input
          id="q"
          type="search"
          data-search
          dir="auto"
          autocomplete="off"
          maxLength={120}
          placeholder={t('Name, id or email')}
          defaultValue={filter.q ?? ''}
          onInput={(event) => {
            const { value } = event.currentTarget
            clearTimeout(timer.current)
            timer.current = setTimeout(() => look({ q: value.trim() }), SETTLE_MS)
          }}
        />
      </div>
      <Select
        name="state"
        label={t('Status')}
        value={filter.state ?? ''}
        onChoose={(state) => look({ state })}
        options={[
          ['', t('All open organisations')],
          ['active', t('Not suspended')],
          ['suspended', t('Suspended')],
          ['closed', t('Closed')],
        ]}
      />
      <Select
        name="kyc"
        label={t('Identity check')}
        value={filter.kyc ?? ''}
        onChoose={(kyc) => look({ kyc })}
        options={[
          ['', t('All')],
          ...Object.entries(KYC_TEXTS).map(([key, [words]]) => [key, t(words)] as const),
        ]}
      />
      <Select
        name="tier"
        label={t('Tier')}
        value={filter.tier ?? ''}
        onChoose={(tier) => look({ tier })}
        options={[
          ['', t('All')],
          ...Object.entries(ORG_TIERS).map(([key, words]) => [key, t(words)] as const),
        ]}
      />
    </search>
  )
}

const nameOf = ({ orgId, name, suspended, closed }: AdminOrg) => (
  <>
    <a class="org-link" href={`/app/ops/orgs/${orgId}`} dir="auto">
      {name}
    </a>
    {suspended && <span class="chip bad">{t('Suspended')}</span>}
    {closed && <span class="chip bad">{t('Closed')}</span>}
  </>
)

function identityOf({ kycStatus }: AdminOrg) {
  const [words, look] = KYC_TEXTS[kycStatus]
  return kycStatus === 'unsubmitted' ? t(words) : <span class={look}>{t(words)}</span>
}

const planOf = ({ plan, subscriptionStatus }: AdminOrg) => (
  <>
    {plan ?? t('no plan')}
    {subscriptionStatus === 'past_due' && <span class="chip warn">{t('Payment overdue')}</span>}
  </>
)

function filterIn(query: URLSearchParams): Filter {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

const queryFor = ({ q, state, tier, kyc }: Filter): AdminOrgsListQuery => ({
  ...(q && { q }),
  ...(tier && { tier: tier as AdminOrg['tier'] }),
  ...(kyc && { kyc: kyc as AdminOrg['kycStatus'] }),
  ...(state === 'closed' && { closed: true }),
  ...(state === 'suspended' && { suspended: true }),
  ...(state === 'active' && { suspended: false }),
})
