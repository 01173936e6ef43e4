// The wallet: the balance, how long it lasts, and every entry by day. Top-ups and alerts have their own pages.
import type { WalletProofReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { type AppLocation, appLocation, navigate } from '../../router/location.ts'
import { Page } from '../../ui/base/sheet.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { Balance } from './balance.tsx'
import { ALL, type Filter, queryOf } from './ledger/filter.ts'
import { Ledger } from './ledger/ledger.tsx'
import { ProofLine } from './ledger/ledger-proof.tsx'

const PAGE = 20

export default function Wallet() {
  const { value } = session
  const moved = movedTo(appLocation.value)
  useEffect(() => {
    if (moved !== null) navigate(moved, { replace: true })
  }, [moved])
  if (moved !== null || value.state !== 'in') return null
  // Remount for another organisation, so that no state of the previous one stays.
  return <Open key={value.me.orgId} me={value.me} />
}

/** Links of mails, payment providers and earlier versions lead to the page that now has their content. */
function movedTo({ query, section }: AppLocation): string | null {
  const entry = query.get('entry')
  if (entry !== null) return `/app/wallet/activity/${encodeURIComponent(entry)}`
  if (query.has('reference') || query.has('amount')) return `/app/wallet/top-up?${query}#${section}`
  return section === 'top-up' ? '/app/wallet/top-up#top-up' : null
}

function Open({ me }: { me: Me }) {
  const balances = useResource('wallet', () => api.wallet.get())
  const usage = useResource('wallet.usage', () => api.me.usage())
  const proof = useResource('wallet.proof', () => api.wallet.proof())
  const filter = useSignal<Filter>(ALL)
  const { source, from, to } = filter.value
  const entries = usePages('entries', ['wallet.ledger', source, from, to].join(' '), (cursor) =>
    api.wallet.ledger({ limit: PAGE, ...queryOf({ source, from, to }), ...cursor }),
  )
  return (
    <Page
      title={t('Wallet')}
      action={
        <a class="button primary" href="/app/wallet/top-up#top-up">
          {t('Top up')}
        </a>
      }
      menu={
        <Menu label={t('More in the wallet')}>
          <a href="/app/wallet/alerts">{t('Low balance')}</a>
          <a href="/app/invoices">{t('Receipts and invoices')}</a>
          <a href="/app/usage">{t('Usage by day and model')}</a>
          <a href="/app/models">{t('Models and prices')}</a>
        </Menu>
      }
    >
      <Balance from={balances} usage={usage} holdsOpen={holdsOf(proof)} me={me} />
      <Ledger pages={entries} currency={me.currency} filter={filter} />
      <ProofLine from={proof} />
    </Page>
  )
}

function holdsOf({ current }: Resource<WalletProofReply>): number | null {
  const { value } = current
  return value.state === 'ready' ? value.value.holdsOpen : null
}
