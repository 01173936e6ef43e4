// The top-ups of the organisation, newest first.
import { useComputed } from '@preact/signals'
import type { Pages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import type { Currency } from '../../../i18n/money.ts'
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
  return (
    <a class="row-link" href={`/app/wallet/top-up?reference=${encodeURIComponent(reference)}`}>
      <span>
        <span class="row-name">
          <bdi>{channelLabel(channels, channel)}</bdi>
          <span class={`state ${status}`}>{t(STATUS_TEXTS[status])}</span>
        </span>
        <span class="help">
          {formatDateTime(createdAt)}
          {mode === 'mock' && ` · ${t('test mode')}`}
        </span>
        {reason && <span class="help">{reason}</span>}
      </span>
      <Amount minor={amountMinor} currency={currency} class="row-name" />
    </a>
  )
}
