// The wallet: the balance, how long it lasts, and the last entries. Top-up, activity and alerts have their own pages.
import type { LedgerEntry, WalletProofReply } from '@cowrie/sdk'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { type Me, session } from '../../data/session.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { type AppLocation, appLocation, navigate } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { Balance } from './balance.tsx'
import { EntryLink } from './ledger/entry-row.tsx'
import { ProofLine } from './ledger/ledger-proof.tsx'

const NEWEST = 5

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
  const { currency } = me
  const balances = useResource('wallet', () => api.wallet.get())
  const usage = useResource('home.usage', () => api.me.usage())
  const proof = useResource('wallet.proof', () => api.wallet.proof())
  const entries = useResource('wallet.newest', () => api.wallet.ledger({ limit: NEWEST }))
  return (
    <Page
      title={t('Wallet')}
      action={
        <a class="button primary" href="/app/wallet/top-up#top-up">
          {t('Top up')}
        </a>
      }
    >
      <div class="wallet-columns">
        <Balance from={balances} usage={usage} holdsOpen={holdsOf(proof)} me={me} />
        <Newest from={entries} currency={currency} />
      </div>
      <nav class="wallet-more" aria-label={t('More in the wallet')}>
        <a href="/app/wallet/alerts">{t('Low-balance alert')}</a>
        <a href="/app/invoices">{t('Receipts and invoices')}</a>
        <a href="/app/models">{t('Models and prices')}</a>
      </nav>
      <ProofLine from={proof} />
    </Page>
  )
}

function holdsOf({ current }: Resource<WalletProofReply>): number | null {
  const { value } = current
  return value.state === 'ready' ? value.value.holdsOpen : null
}

function Newest({ from, currency }: { from: Resource<{ entries: LedgerEntry[] }>; currency: Currency }) {
  const current = from.current.value
  return (
    <section class="newest" aria-label={t('Activity')} aria-busy={current.state === 'loading'}>
      <div class="group-head">
        <h2>{t('Activity')}</h2>
        <a href="/app/wallet/activity">{t('Show all')}</a>
      </div>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank newest-place" />}
      {current.state === 'ready' && current.value.entries.length === 0 && (
        <EmptyState
          picture="money"
          title={t('No activity yet')}
          text={t('Each top-up and each charge is listed here with its calculation.')}
        />
      )}
      {current.state === 'ready' && current.value.entries.length > 0 && (
        <ul class="entries">
          {current.value.entries.map((entry) => (
            <li key={entry.id}>
              <EntryLink entry={entry} currency={currency} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
