// The top-ups of the organisation, newest first.
import { useComputed } from '@preact/signals'
import type { Pages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { STATUS_TEXTS } from '../payment/payment-texts.ts'
import { type Channel, channelLabel, type Topup } from './top-up-types.ts'

type Props = { pages: Pages<Topup>; channels: readonly Channel[]; currency: Currency }

export function TopUpList({ pages, channels, currency }: Props) {
  const current = useComputed(() => {
    const { value } = pages.current
    if (value.state !== 'ready') return value
    return { ...value, value: value.value.map((topup) => ({ ...topup, id: topup.reference })) }
  })
  return (
    <Section title={t('Top-ups')}>
      <PagedList
        pages={{ ...pages, current }}
        empty={t('You have not topped up yet.')}
        more={t('Older top-ups')}
      >
        {(topup) => <Row topup={topup} channels={channels} currency={currency} />}
      </PagedList>
    </Section>
  )
}

function Row({ topup, channels, currency }: Omit<Props, 'pages'> & { topup: Topup }) {
  const { reference, status, channel, mode, amountMinor, reason, createdAt } = topup
  const label = t('Open the top-up of {amount}, {time}', {
    amount: formatMoney(amountMinor, currency),
    time: formatDateTime(createdAt),
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <Amount minor={amountMinor} currency={currency} />{' '}
          <span class={`state ${status}`}>{t(STATUS_TEXTS[status])}</span>
        </p>
        <p class="help">
          <bdi>{channelLabel(channels, channel)}</bdi> · {formatDateTime(createdAt)}
          {mode === 'mock' && ` · ${t('test mode')}`}
        </p>
        {reason && <p class="help">{reason}</p>}
      </div>
      <a
        class="button"
        href={`/app/wallet/top-up?reference=${encodeURIComponent(reference)}`}
        aria-label={label}
      >
        {t('Open')}
      </a>
    </div>
  )
}
