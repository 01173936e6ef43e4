// The proof that the balance is the sum of its postings.
import type { WalletProofReply } from '@cowrie/sdk'
import type { Resource } from '../../../data/resource.ts'
import { t, tn } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'

const HASH_SHOWN = 12

export function ProofLine({ from }: { from: Resource<WalletProofReply> }) {
  const current = from.current.value
  return (
    <section class="proof" aria-label={t('Proof')} aria-busy={current.state === 'loading'}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank line" />}
      {current.state === 'ready' && <ProofDetails proof={current.value} />}
    </section>
  )
}

function ProofDetails({ proof: { movements, matches, head, checked } }: { proof: WalletProofReply }) {
  if (!matches || !checked.intact)
    return (
      <p class="bad" data-testid="proof">
        {t('The balance does not match its entries. Please contact us.')}
      </p>
    )
  return (
    <p data-testid="proof">
      <span class="ok">
        {tn(movements, 'Checked: the balance matches {n} entry', 'Checked: the balance matches {n} entries')}
      </span>
      {head.hash && (
        <>
          {' · '}
          <Trans text="hash {hash}" hash={<code dir="ltr">{head.hash.slice(0, HASH_SHOWN)}…</code>} />
        </>
      )}
      {' · '}
      <a href="/docs/api/wallet#wallet.proof">{t('Check it yourself')}</a>
    </p>
  )
}
