// The cost of a change, line by line, before anything is charged. The button charges exactly that amount.
import type { Plan, Subscription, SubscriptionPreview } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { asFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import type { Loaded } from '../../../data/resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { day } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Refusal } from '../../../ui/base/error-notice.tsx'
import { isPassing } from '../../../ui/form/form.tsx'
import { WayOut } from '../declined-help.tsx'
import { billWords, priceWords } from './plan-texts.ts'

export type Wish = {
  title: string
  /** The plan after the change. */
  plan: Plan
  ask: () => Promise<SubscriptionPreview>
  /** Makes the change and returns the outcome as text. */
  send: (told: SubscriptionPreview) => Promise<string>
  /** Replaces the amount on the button. */
  submit?: string
}
export type Standing = { plan: Plan | null; subscription: Subscription | null; seats: { total: number } }

type Props = {
  wish: Wish
  now: Standing
  currency: Currency
  onDone: (words: string) => Promise<void>
  /** Called after an outcome that may have changed other data. */
  onNews: () => Promise<void>
  onClose: () => void
}

export function Preview({ wish, now, currency, onDone, onNews, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const told = useSignal<Loaded<SubscriptionPreview>>({ state: 'loading' })
  const note = useSignal<string | null>(null)

  async function load(): Promise<void> {
    try {
      told.value = { state: 'ready', value: await wish.ask() }
    } catch (error) {
      told.value = { state: 'failed', failure: asFailure(error) }
    }
  }
  const again = () => {
    confirm.reset()
    told.value = { state: 'loading' }
    return load()
  }

  const confirm = useAction(async () => {
    const known = told.peek()
    if (known.state !== 'ready') return
    note.value = null
    try {
      const words = await wish.send(known.value)
      dialog.current?.close()
      await onDone(words)
    } catch (error) {
      const { code } = asFailure(error)
      if (code === 'change_in_progress') void onNews()
      if (code !== 'price_changed') throw error
      note.value = t(
        'The price has changed since you were told, and nothing was charged. This is the new one.',
      )
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

  const current = told.value
  const refused = confirm.failure.value
  return (
    <dialog ref={dialog} class="preview" aria-label={wish.title} onClose={onClose}>
      <h2>{wish.title}</h2>
      {note.value && (
        <p class="note" role="status">
          {note.value}
        </p>
      )}
      {isChanging && (
        <p role="status">{t('Another change is still being paid for. This page looks again by itself.')}</p>
      )}
      {current.state === 'loading' && <span class="blank preview-place" aria-busy="true" />}
      {current.state === 'failed' && <Refusal failure={current.failure} retry={again} />}
      {current.state === 'ready' && (
        <Told told={current.value} plan={wish.plan} now={now} currency={currency} />
      )}
      {refused && (
        <Refusal failure={refused} retry={isPassing(refused) ? confirm.run : undefined}>
          <WayOut failure={refused} onLeave={() => dialog.current?.close()} />
        </Refusal>
      )}
      {!isOnline.value && <p class="help">{t('You are offline: nothing can be paid now.')}</p>}
      <div class="choices">
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Leave it as it is')}
        </button>
        {current.state === 'ready' && (
          <button
            type="button"
            class="primary"
            disabled={!isOnline.value || isChanging}
            aria-disabled={confirm.busy.value}
            onClick={() => void confirm.run()}
          >
            {confirm.busy.value ? t('One moment …') : submitWords(current.value, wish, currency)}
          </button>
        )}
      </div>
    </dialog>
  )
}

function submitWords(
  { kind, chargeNowMinor, effectiveAt }: SubscriptionPreview,
  { submit }: Wish,
  currency: Currency,
): string {
  const amount = formatMoney(chargeNowMinor, currency)
  if (kind === 'start' && chargeNowMinor > 0n) return t('Go on to pay {amount}', { amount })
  if (chargeNowMinor > 0n) return submit ?? t('Pay {amount} now', { amount })
  if (kind === 'downgrade') return t('Change on {date}', { date: day(effectiveAt) })
  return t('Change now')
}

type ToldProps = { told: SubscriptionPreview; plan: Plan; now: Standing; currency: Currency }

function Told({ told, plan, now, currency }: ToldProps) {
  const { kind, lines, chargeNowMinor, walletCreditMinor, effectiveAt, nextAmountMinor, nextAt, seats } = told
  return (
    <>
      {kind === 'downgrade' && (
        <p>{t('Changes on {date}. Until then everything stays as it is.', { date: day(effectiveAt) })}</p>
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
              <th scope="row">{t('Into your wallet')}</th>
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
        <Turn name={t('Plan')} from={now.plan?.name ?? t('Pay as you go')} to={plan.name} />
        <Turn
          name={t('Price')}
          from={now.plan ? priceWords(now.plan, currency) : t('Nothing')}
          to={priceWords(plan, currency)}
        />
        <Turn
          name={t('Usage every month')}
          from={formatMoney(now.plan?.includedUsageMinor ?? 0n, currency)}
          to={formatMoney(plan.includedUsageMinor, currency)}
        />
        <Turn name={t('Seats')} from={String(now.seats.total)} to={String(seats)} />
        <Turn name={t('Next bill')} to={billWords(nextAmountMinor, nextAt, currency)} />
      </dl>
    </>
  )
}

type TurnProps = { name: string; from?: string; to: ComponentChildren }

/** An unchanged value is shown once. */
const Turn = ({ name, from, to }: TurnProps) => (
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
