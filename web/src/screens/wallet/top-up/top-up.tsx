// The top-up form: amount, payment method, and phone number if needed.
import type { WalletChannelsReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { problem } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import type { Resource } from '../../../data/resource.ts'
import type { Me } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { type Currency, formatMoney, plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { appLocation } from '../../../router/location.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Field, fieldError } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { amountProblem, parseAmount } from '../../../ui/money/parse-amount.ts'
import { Paybill } from '../paybill.tsx'
import { goToPayment } from '../payment/stored-instructions.ts'
import { TestModeNotice } from '../payment/test-mode-notice.tsx'
import { Channels } from './channels.tsx'
import { formatPhone } from './phone.ts'
import { startTopup } from './start-topup.ts'
import { amountsFor, atLeast, roundMoney } from './suggested-amounts.ts'
import type { Channel } from './top-up-types.ts'

type Props = { me: Me; from: Resource<WalletChannelsReply>; onBegun: () => void }

export function TopUp({ me, from, onBegun }: Props) {
  const current = from.current.value
  return (
    <section class="top-up-form" aria-label={t('Top up')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank top-up-place" aria-busy="true" />}
      {current.state === 'ready' &&
        (current.value.channels.length > 0 ? (
          <Questions me={me} channels={current.value.channels} onBegun={onBegun} />
        ) : (
          <p>{t('No payment method supports {currency} yet.', { currency: me.currency.code })}</p>
        ))}
    </section>
  )
}

function Questions({ me, channels, onBegun }: { me: Me; channels: Channel[]; onBegun: () => void }) {
  const { currency } = me
  const chosen = useSignal(channels[0]?.channel ?? '')
  const channel = channels.find((each) => each.channel === chosen.value) ?? channels[0]
  const amount = useSignal(amountFromLink(channel, currency))
  const phone = useSignal('')
  useEffect(() => {
    if (appLocation.value.section === 'top-up') document.getElementById('amount')?.focus()
    const asked = amountFromLink(channel, currency)
    if (asked) amount.value = asked
  }, [appLocation.value])
  const action = useAction(async (form: FormData) => {
    if (!channel) return
    if (!isOnline.peek()) throw problem(t('You are offline. Your input stays here.'), { code: 'offline' })
    const called = channel.needsPhone ? textOf(form, 'phone').trim() : null
    const started = await startTopup(me.orgId, {
      amountMinor: amountOf(textOf(form, 'amount'), channel, currency),
      channel: channel.channel,
      ...(called !== null && { phone: called }),
    })
    onBegun()
    goToPayment(started, { phone: called && (formatPhone(called, currency.code) ?? called) })
  })
  const failure = action.failure.value
  if (!channel) return null
  return (
    <Form
      action={action}
      submit={submitText(amount.value, currency)}
      busy={t('Preparing the payment …')}
      fields={['amount', 'amountMinor', 'phone']}
      back="amount"
    >
      <div class="amount-question">
        <Offers
          amounts={amountsFor(currency, channel)}
          currency={currency}
          typed={amount.value}
          onTake={(minor) => {
            amount.value = plainAmount(minor, currency)
            action.reset()
          }}
        />
        <Field
          name="amount"
          label={t('Amount in {currency}', { currency: currency.code })}
          help={rangeText(channel, currency)}
          error={fieldError(failure, 'amount') ?? fieldError(failure, 'amountMinor')}
          value={amount.value}
          required
          dir="ltr"
          inputMode="decimal"
          autocomplete="off"
          maxLength={24}
          onInput={(event) => {
            amount.value = event.currentTarget.value
          }}
        />
      </div>
      <Channels
        channels={channels}
        chosen={channel.channel}
        onChoose={(name) => {
          chosen.value = name
          action.reset()
        }}
      />
      {channel.needsPhone && (
        <Field
          name="phone"
          label={t('Phone to pay with')}
          help={phoneHelp(phone.value, channel, currency)}
          type="tel"
          inputMode="tel"
          autocomplete="tel"
          dir="ltr"
          required
          maxLength={40}
          failure={failure}
          onInput={(event) => {
            phone.value = event.currentTarget.value
          }}
        />
      )}
      {channel.channel === 'mpesa' && channel.mode === 'live' && <Paybill />}
      {channel.mode === 'mock' && <TestModeNotice />}
      {!isOnline.value && <p class="help">{t('You are offline. You can pay when you are back online.')}</p>}
    </Form>
  )
}

type OffersProps = {
  amounts: readonly bigint[]
  currency: Currency
  typed: string
  onTake: (minor: bigint) => void
}

function Offers({ amounts, currency, typed, onTake }: OffersProps) {
  const read = parseAmount(typed, currency)
  return (
    <fieldset class="offers">
      <legend class="unseen">{t('Suggested amounts')}</legend>
      {amounts.map((minor) => (
        <button
          key={minor}
          type="button"
          aria-pressed={'minor' in read && read.minor === minor}
          onClick={() => onTake(minor)}
        >
          <bdi dir="ltr">{roundMoney(minor, currency)}</bdi>
        </button>
      ))}
    </fieldset>
  )
}

/** The amount in the link, for example the missing amount of a run, rounded for the payment method. */
function amountFromLink(channel: Channel | undefined, currency: Currency): string {
  const asked = parseAmount(appLocation.peek().query.get('amount') ?? '', currency)
  return channel && 'minor' in asked ? plainAmount(atLeast(asked.minor, channel), currency) : ''
}

const rangeText = ({ minMinor, maxMinor }: Channel, currency: Currency): string =>
  t('From {least} to {most}.', {
    least: formatMoney(minMinor, currency),
    most: formatMoney(maxMinor, currency),
  })

/** The typed amount as money, so that a wrong one is noticed before it is paid. */
function submitText(typed: string, currency: Currency): string {
  const read = parseAmount(typed, currency)
  return 'minor' in read ? t('Pay {amount}', { amount: formatMoney(read.minor, currency) }) : t('Pay')
}

/** The parsed number, so that a wrong one is noticed before its phone rings. */
function phoneHelp(typed: string, { label }: Channel, { code }: Currency) {
  const spoken = formatPhone(typed, code)
  if (spoken === null)
    return t('The number of your {channel} account, with or without the country code.', { channel: label })
  return <bdi dir="ltr">{spoken}</bdi>
}

function amountOf(typed: string, channel: Channel, currency: Currency): bigint {
  const read = parseAmount(typed, currency)
  if ('error' in read) throw problem(read.error, { path: 'amount' })
  const wrong = amountProblem(read.minor, channel, currency)
  if (wrong !== null) throw problem(wrong, { path: 'amount' })
  return read.minor
}
