// A research run in a list: question, status and cost.
import type { ResearchSummary } from '@cowrie/sdk'
import { showsCosts } from '../../data/preferences/switches.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { DEPTHS, stateOf } from './run-texts.ts'

export function RunRow({ run, currency }: { run: ResearchSummary; currency: Currency }) {
  const [kind, word] = stateOf(run)
  const costMinor = run.spentMinor - run.refundedMinor
  return (
    <div class="row run-row">
      <div>
        <a class="row-name" href={`/app/research/${run.id}`} dir="auto">
          {run.question}
        </a>
        <p class="help">
          {t(DEPTHS[run.depth])} · {formatDateTime(run.createdAt)}
        </p>
      </div>
      <p class="run-cost">
        <span class={`chip ${kind}`}>{word}</span>{' '}
        {showsCosts.value && (
          <span>
            <Trans
              text="{cost} of {limit}"
              cost={<Amount minor={costMinor} currency={currency} />}
              limit={<Amount minor={run.budgetMinor} currency={currency} />}
            />
          </span>
        )}
      </p>
    </div>
  )
}
