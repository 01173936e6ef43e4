// One request of the list. It opens to all of its figures.
import type { RequestRow as Row } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { formatDateTime } from '../../../i18n/format.ts'
import { locale } from '../../../i18n/language.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'

/** Each line opens to the same words. */
export const RequestHeads = () => (
  <div class="request-line cell-heads" aria-hidden="true">
    <span>{t('Model')}</span>
    <span>{t('Request')}</span>
    <span>{t('Status')}</span>
    <span>{t('Time')}</span>
    <span>{t('Duration')}</span>
    <span>{t('Cost')}</span>
  </div>
)

type Props = { row: Row; currency: Currency; keyName: string | undefined }

export function RequestRow({ row, currency, keyName }: Props) {
  const isOpen = useSignal(false)
  const { at, model, route, status, code, durationMs } = row
  return (
    <details
      class="request"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="request-line">
          <bdi class="row-name">{model}</bdi>
          <bdi>{route}</bdi>
          <span>
            <bdi class={code === null ? 'chip' : 'chip bad'}>{code ?? status}</bdi>
          </span>
          <span>{formatDateTime(at)}</span>
          <span>{formatMs(durationMs)}</span>
          <bdi class="row-name">{costOf(row, currency)}</bdi>
        </span>
      </summary>
      {isOpen.value && <Detail row={row} currency={currency} keyName={keyName} />}
    </details>
  )
}

function Detail({ row, currency, keyName }: Props) {
  const { requestId, ledgerId } = row
  return (
    <div class="request-detail">
      <Facts lines={factsOf(row, currency, keyName)} />
      {requestId !== null && <Copyable text={requestId} label={t('Request ID')} />}
      {ledgerId !== null && (
        <p>
          <a href={`/app/wallet/activity/${ledgerId}`}>{t('How the cost was calculated')}</a>
        </p>
      )}
    </div>
  )
}

function factsOf(row: Row, currency: Currency, keyName: string | undefined): Fact[] {
  const { tokens, provider, keyId, code, status, ttftMs, durationMs } = row
  const facts: Fact[] = [
    [t('Status'), code === null ? status : `${status} ${code}`],
    [t('Cost'), costOf(row, currency)],
    [t('Input tokens'), formatCount(tokens.input)],
    [t('Cached input tokens'), formatCount(tokens.cachedInput)],
    [t('Cache write tokens'), formatCount(tokens.cacheWrite)],
    [t('Output tokens'), formatCount(tokens.output)],
    [t('Duration'), formatMs(durationMs)],
  ]
  if (ttftMs !== null) facts.push([t('Time to first token'), formatMs(ttftMs)])
  if (provider !== null) facts.push([t('Provider'), provider])
  if (keyId !== null) facts.push([t('API key'), keyName ?? keyId])
  return facts
}

/** Earlier calls may have paid for a call that costs less than the smallest amount. */
const costOf = ({ costMinor, exactCost }: Row, currency: Currency): string =>
  costMinor === 0n && exactCost !== null
    ? t('Less than {amount}', { amount: formatMoney(1n, currency) })
    : formatMoney(costMinor, currency)

const formatCount = (value: number): string => new Intl.NumberFormat(locale()).format(value)

/** "850ms", "12.4s". */
const formatMs = (ms: number): string =>
  new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: ms < 1_000 ? 'millisecond' : 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  }).format(ms < 1_000 ? ms : ms / 1_000)
