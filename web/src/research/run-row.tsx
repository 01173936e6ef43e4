// A run in a list: what was asked, where it stands, and what it has cost.
import type { ResearchSummary } from '@cowrie/sdk'
import { Amount } from '../app/amount.tsx'
import { showsCosts } from '../app/show-costs.ts'
import { moment } from '../app/words.ts'
import { Say } from '../i18n/say.tsx'
import { t } from '../i18n/t.ts'
import type { Currency } from '../money.ts'
import { DEPTHS, stateOf } from './run-words.ts'

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
          {t(DEPTHS[run.depth])} · {moment(run.createdAt)}
        </p>
      </div>
      <p class="run-cost">
        <span class={`chip ${kind}`}>{word}</span>{' '}
        {showsCosts.value && (
          <span>
            <Say
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
