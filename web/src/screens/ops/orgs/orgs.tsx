// All organisations, with a search by name, id or email of a member.
import type { AdminOrg, AdminOrgsListQuery } from '@cowrie/sdk'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { formatDate } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { appLocation, navigate } from '../../../router/location.ts'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Sheet } from '../../../ui/base/sheet.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { OrgChips } from './org-chips.tsx'
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
    <Sheet title={t('Organisations')} wide>
      <Search filter={filter} />
      <PagedList
        key={name}
        pages={pages}
        empty={t('No matching organisations.')}
        more={t('Older organisations')}
      >
        {(org) => <Row org={org} />}
      </PagedList>
    </Sheet>
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

function Row({ org }: { org: AdminOrg }) {
  const { orgId, name, members, balanceMinor, currency, plan, createdAt } = org
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <a class="org-link" href={`/app/ops/orgs/${orgId}`} dir="auto">
            {name}
          </a>
        </p>
        <p class="help">
          {tn(members, '{n} member', '{n} members')} · {plan ?? t('no plan')} · {formatDate(createdAt)}
        </p>
        <OrgChips org={org} />
      </div>
      <bdi dir="ltr" class="row-name">
        {moneyIn(balanceMinor, currency)}
      </bdi>
    </div>
  )
}

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
