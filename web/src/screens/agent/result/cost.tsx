// The cost of a run against its quote. Empty when the user hides costs.
import { useEffect, useRef } from 'preact/hooks'
import { showsCosts } from '../../../data/preferences/switches.ts'
import type { Currency } from '../../../i18n/money.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Amount } from '../../../ui/base/amount.tsx'

type Props = { spentMinor: bigint; ceilingMinor: bigint | null; currency: Currency }

export function Cost({ spentMinor, ceilingMinor, currency }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const share = ceilingMinor ? Number((spentMinor * 1_000n) / ceilingMinor) / 1_000 : 0
  useEffect(() => bar.current?.style.setProperty('--share', String(share)), [share])
  if (!showsCosts.value) return null
  const spent = <Amount class="spent" minor={spentMinor} currency={currency} testId="run-cost" />
  return (
    <div class="cost">
      <p>
        {ceilingMinor === null ? (
          <Trans text="Cost {spent}" spent={spent} />
        ) : (
          <Trans
            text="Cost {spent} of at most {max}"
            spent={spent}
            max={<Amount minor={ceilingMinor} currency={currency} />}
          />
        )}
      </p>
      {ceilingMinor !== null && <div ref={bar} class="cost-bar" aria-hidden="true" />}
    </div>
  )
}
