// Every movement of the balance, the newest first. Each opens to say why it is what it is.
import { useSignal } from '@preact/signals'
import { Paged } from '../app/paged.tsx'
import type { Pages } from '../app/pages.ts'
import { Refusal } from '../app/refusal.tsx'
import { Part } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { moment } from '../app/words.ts'
import { type Currency, formatMoney } from '../money.ts'
import { downloadLedger } from './csv.ts'
import { Explained } from './explanation.tsx'

export type Entry = {
  id: string
  type: 'credit' | 'debit'
  amountMinor: bigint
  source: string
  ref: string
  balanceAfterMinor: bigint
  createdAt: string
}

const SOURCES: Readonly<Record<string, string>> = {
  topup: 'Top-up',
  agent: 'Agent run',
  chat: 'Chat',
  index: 'Repository index',
  research: 'Research',
  review: 'Code review',
  gateway: 'Gateway',
  refund: 'Refund',
  adjustment: 'Adjustment',
  subscription: 'Subscription',
}

export function Ledger({ pages, currency }: { pages: Pages<Entry>; currency: Currency }) {
  const { value } = pages.current
  return (
    <Part title="Every credit and debit">
      <p>Nothing leaves your wallet without a line here. Open one to see how it was calculated.</p>
      <Paged pages={pages} empty="There are none yet." more="Older entries">
        {(entry) => <Row entry={entry} currency={currency} />}
      </Paged>
      {value.state === 'ready' && value.value.length > 0 && <Download />}
    </Part>
  )
}

/** Read only when opened: most never are. */
function Row({ entry, currency }: { entry: Entry; currency: Currency }) {
  const isOpen = useSignal(false)
  const { type, amountMinor, source, balanceAfterMinor, createdAt } = entry
  return (
    <details
      class="entry"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="entry-name">
          <span class="row-name">{SOURCES[source] ?? source}</span>
          <span class="help">{moment(createdAt)}</span>
        </span>
        <span class="entry-amount">
          <bdi dir="ltr" class={`row-name ${type}`}>
            {type === 'credit' ? '+' : '−'}
            {formatMoney(amountMinor, currency)}
          </bdi>
          <span class="help">
            <span class="unseen">Balance after it </span>
            <bdi dir="ltr">{formatMoney(balanceAfterMinor, currency)}</bdi>
          </span>
        </span>
      </summary>
      {isOpen.value && <Explained id={entry.id} currency={currency} />}
    </details>
  )
}

function Download() {
  const isCut = useSignal(false)
  const { run, busy, failure } = useAction(async () => {
    isCut.value = !(await downloadLedger())
  })
  return (
    <>
      {failure.value && <Refusal failure={failure.value} />}
      {isCut.value && (
        <p class="help">The file has the newest 200,000 lines. The API gives you the older ones.</p>
      )}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? 'Preparing the file …' : 'Download as CSV'}
        </button>
      </div>
    </>
  )
}
