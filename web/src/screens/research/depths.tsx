// The depths of research as cards: scope, usual cost and maximum cost.
import type { ResearchConfig } from '@cowrie/sdk'
import type { Signal } from '@preact/signals'
import type { Currency } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { DEPTHS, type Depth } from './run-texts.ts'

export type DepthTerms = ResearchConfig['depths'][number]

type Props = {
  depths: readonly DepthTerms[]
  chosen: Signal<Depth>
  currency: Currency
  onChange: () => void
}

export const Depths = ({ depths, chosen, currency, onChange }: Props) => (
  <fieldset class="depths">
    <legend>{t('Depth')}</legend>
    {depths.map(({ depth, maxMinor, estimateMinor, pages, subquestions, minutesMax }) => (
      <label key={depth} class="depth">
        <input
          type="radio"
          name="depth"
          value={depth}
          checked={chosen.value === depth}
          onChange={() => {
            chosen.value = depth
            onChange()
          }}
        />
        <span class="depth-line">
          <span>{t(DEPTHS[depth])}</span>{' '}
          <span>
            <Trans
              text="At most {amount}"
              amount={<Amount minor={maxMinor} currency={currency} testId={`ceiling-${depth}`} />}
            />
          </span>
        </span>
        <span class="help">
          <Trans
            text="Usually about {amount}"
            amount={<Amount minor={estimateMinor} currency={currency} />}
          />
        </span>
        <span class="help">
          {tn(pages, 'up to {n} page', 'up to {n} pages')} ·{' '}
          {tn(subquestions, '{n} subquestion', '{n} subquestions')} ·{' '}
          {tn(minutesMax, '{n} minute at most', '{n} minutes at most')}
        </span>
      </label>
    ))}
  </fieldset>
)
