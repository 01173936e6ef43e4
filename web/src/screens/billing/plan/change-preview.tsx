// The cost of a change, line by line, before anything is charged. The button charges exactly that amount.
import type { Plan, Subscription, SubscriptionPreview } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { asFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import type { ResourceState } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDate } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { isRetryable } from '../../../ui/form/form.tsx'
import { DeclinedHelp } from '../declined-help.tsx'
import { billText, priceText } from './plan-texts.ts'

export type PlanChange = {
  title: string
  /** The plan after the change. */
  plan: Plan
  ask: () => Promise<SubscriptionPreview>
  /** Makes the change and returns the outcome as text. */
  send: (preview: SubscriptionPreview) => Promise<string>
  /** Replaces the amount on the button. */
  submit?: string
}
export type PlanSnapshot = { plan: Plan | null; subscription: Subscription | null; seats: { total: number } }

type Props = {
  change: PlanChange
  now: PlanSnapshot
  currency: Currency
  onDone: (words: string) => Promise<void>
  /** Called after an outcome that may have changed other data. */
  onNews: () => Promise<void>
  onClose: () => void
}

export function ChangePreview({ change, now, currency, onDone, onNews, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const preview = useSignal<ResourceState<SubscriptionPreview>>({ state: 'loading' })
  const note = useSignal<string | null>(null)

  async function load(): Promise<void> {
    try {
      preview.value = { state: 'ready', value: await change.ask() }
    } catch (error) {
      preview.value = { state: 'failed', failure: asFailure(error) }
    }
  }
  const again = () => {
    confirm.reset()
    preview.value = { state: 'loading' }
    return load()
  }

  const confirm = useAction(async () => {
    const known = preview.peek()
    if (known.state !== 'ready') return
    note.value = null
    try {
      const words = await change.send(known.value)
      dialog.current?.close()
      await onDone(words)
    } catch (error) {
      const { code } = asFailure(error)
      if (code === 'change_in_progress') void onNews()
      if (code !== 'price_changed') throw error
      note.value = t('The price has changed and nothing was charged. This is the new price.')
      await load()
    }
  })

  useEffect(() => {
    dialog.current?.showModal()
    void load()
  }, [])
  const isChanging = now.subscription?.changeInProgress === true
  const wasChanging = useRef(isChanging)
  useEffect(() => {
    // The pending change is decided, so the price may differ.
    if (wasChanging.current && !isChanging) void again()
    wasChanging.current = isChanging
  }, [isChanging])

  const current = preview.value
  const failure = confirm.failure.value
  return (
    <dialog ref={dialog} class="preview" aria-label={change.title} onClose={onClose}>
      <h2>{change.title}</h2>
      {note.value && (
        <p class="note" role="status">
          {note.value}
        </p>
      )}
      {isChanging && (
        <p role="status">{t('Another change is waiting for its payment. This page updates by itself.')}</p>
      )}
      {current.state === 'loading' && <span class="blank preview-place" aria-busy="true" />}
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={again} />}
      {current.state === 'ready' && (
        <Quote preview={current.value} plan={change.plan} now={now} currency={currency} />
      )}
      {failure && (
        <ErrorNotice failure={failure} retry={isRetryable(failure) ? confirm.run : undefined}>
          <DeclinedHelp failure={failure} onLeave={() => dialog.current?.close()} />
        </ErrorNotice>
      )}
      {!isOnline.value && <p class="help">{t('You are offline. You cannot pay now.')}</p>}
      <div class="choices">
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Go back')}
        </button>
        {current.state === 'ready' && (
          <button
            type="button"
            class="primary"
            disabled={!isOnline.value || isChanging}
            aria-disabled={confirm.busy.value}
            onClick={() => void confirm.run()}
          >
            {confirm.busy.value ? t('Please wait …') : submitText(current.value, change, currency)}
          </button>
        )}
      </div>
    </dialog>
  )
}

function submitText(
  { kind, chargeNowMinor, effectiveAt }: SubscriptionPreview,
  { submit }: PlanChange,
  currency: Currency,
): string {
  const amount = formatMoney(chargeNowMinor, currency)
  if (kind === 'start' && chargeNowMinor > 0n) return t('Pay {amount}', { amount })
  if (chargeNowMinor > 0n) return submit ?? t('Pay {amount} now', { amount })
  if (kind === 'downgrade') return t('Change on {date}', { date: formatDate(effectiveAt) })
  return t('Change now')
}

type QuoteProps = { preview: SubscriptionPreview; plan: Plan; now: PlanSnapshot; currency: Currency }

function Quote({ preview, plan, now, currency }: QuoteProps) {
  const { kind, lines, chargeNowMinor, walletCreditMinor, effectiveAt, nextAmountMinor, nextAt, seats } =
    preview
  return (
    <>
      {kind === 'downgrade' && (
        <p>{t('Changes on {date}. Nothing changes until then.', { date: formatDate(effectiveAt) })}</p>
      )}
      <table class="bill">
        <caption>{t('Today')}</caption>
        <tbody>
          {lines.map(({ description, quantity, amountMinor }) => (
            <tr key={description}>
              <th scope="row">
                {description}
                {quantity > 1 && ` × ${quantity}`}
              </th>
              <td>
                <Amount minor={amountMinor} currency={currency} />
              </td>
            </tr>
          ))}
          {walletCreditMinor > 0n && (
            <tr>
              <th scope="row">{t('Credited to your wallet')}</th>
              <td>
                <Amount minor={walletCreditMinor} currency={currency} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('You pay today')}</th>
            <td>
              <Amount minor={chargeNowMinor} currency={currency} testId="charge-now" />
            </td>
          </tr>
        </tfoot>
      </table>
      <dl class="before-after">
        <ChangeRow name={t('Plan')} from={now.plan?.name ?? t('Pay as you go')} to={plan.name} />
        <ChangeRow
          name={t('Price')}
          from={now.plan ? priceText(now.plan, currency) : t('Free')}
          to={priceText(plan, currency)}
        />
        <ChangeRow
          name={t('Monthly usage')}
          from={formatMoney(now.plan?.includedUsageMinor ?? 0n, currency)}
          to={formatMoney(plan.includedUsageMinor, currency)}
        />
        <ChangeRow name={t('Seats')} from={String(now.seats.total)} to={String(seats)} />
        <ChangeRow name={t('Next bill')} to={billText(nextAmountMinor, nextAt, currency)} />
      </dl>
    </>
  )
}

type ChangeRowProps = { name: string; from?: string; to: ComponentChildren }

/** An unchanged value is shown once. */
const ChangeRow = ({ name, from, to }: ChangeRowProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {from !== undefined && from !== to && (
        <>
          <bdi>{from}</bdi>{' '}
          <span class="turn" aria-hidden="true">
            →
          </span>{' '}
          <span class="unseen">{t('becomes')}</span>
        </>
      )}
      <strong>
        <bdi>{to}</bdi>
      </strong>
    </dd>
  </div>
)
