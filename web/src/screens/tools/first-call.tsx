// Shows when the first call of a tool arrives, with its model and cost.
import type { RequestRow } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { locale } from '../../i18n/language.ts'
import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { type CallFilter, type FirstCallState, useFirstCall } from './use-first-call.ts'

type Props = { keyId: string | null; currency: Currency }

/** Starts at once for a new key; otherwise the user starts it. */
export function FirstCall({ keyId, currency }: Props) {
  const filter = useSignal<CallFilter | null>(keyId === null ? null : { keyId })
  const wait = () => {
    filter.value = keyId === null ? { from: new Date().toISOString() } : { keyId }
  }
  const state = useFirstCall(filter.value).value
  const failed = state.state === 'waiting' || state.state === 'paused' ? state.failed : null
  return (
    <div class={`first-call ${state.state}`}>
      <p role="status">{textOf(state, currency)}</p>
      {state.state === 'received' && <Received row={state.row} />}
      {failed !== null && (
        <p class="bad">
          {t('A call arrived and failed: {code}.', { code: failed.code ?? String(failed.status) })}{' '}
          <a href={logOf(failed)}>{t('Show it in the request log')}</a>
        </p>
      )}
      {(state.state === 'idle' || state.state === 'paused') && (
        <button type="button" onClick={wait}>
          {state.state === 'idle' ? t('Wait for the first call') : t('Keep waiting')}
        </button>
      )}
    </div>
  )
}

function textOf(state: FirstCallState, currency: Currency): string {
  if (state.state === 'idle') return t('Start the tool, then check here that its calls arrive.')
  if (state.state === 'paused') return t('No call arrived in 10 minutes.')
  if (state.state === 'received')
    return t('First call received: {model}, {cost}.', {
      model: state.row.model,
      cost: formatMoney(state.row.costMinor, currency),
    })
  return state.isUnreachable
    ? t('The service does not respond. Checking again …')
    : t('Waiting for the first call …')
}

/** Outside the live region: the time changes every second. */
const Received = ({ row }: { row: RequestRow }) => (
  <p class="help">
    <Ago at={row.at} /> · <a href={logOf(row)}>{t('Show it in the request log')}</a>
  </p>
)

const logOf = ({ keyId }: RequestRow): string =>
  keyId === null ? '/app/usage/requests' : `/app/usage/requests?keyId=${keyId}`

function Ago({ at }: { at: string }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  // The clocks of the service and of this device may differ.
  const seconds = Math.max(0, Math.round((now.value - Date.parse(at)) / 1_000))
  const [value, unit] =
    seconds < 60 ? [seconds, 'second' as const] : [Math.floor(seconds / 60), 'minute' as const]
  return (
    <span data-testid="first-call-age">{new Intl.RelativeTimeFormat(locale()).format(-value, unit)}</span>
  )
}
