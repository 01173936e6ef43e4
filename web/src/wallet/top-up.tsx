// Topping up: how much, how, and from which phone where that matters.
import { useSignal } from '@preact/signals'
import { type ApiFailure, problem } from '../api.ts'
import { Field, faultOf } from '../app/field.tsx'
import { Form, textOf } from '../app/form.tsx'
import { Refusal } from '../app/refusal.tsx'
import type { Resource } from '../app/resource.ts'
import { Part } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import type { Me } from '../identity/session.ts'
import { type Currency, formatMoney } from '../money.ts'
import { amountProblem, readAmount } from './amount.ts'
import { goToPayment } from './hand-off.tsx'
import { beginTopup } from './intent.ts'
import { PlayMoney } from './play-money.tsx'
import type { Channel } from './top-up-types.ts'

export type Channels = { channels: Channel[] }

export function TopUp({ me, from, onBegun }: { me: Me; from: Resource<Channels>; onBegun: () => void }) {
  const current = from.current.value
  return (
    <Part title="Top up">
      {current.state === 'failed' && <Refusal failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <Placeholder />}
      {current.state === 'ready' &&
        (current.value.channels.length > 0 ? (
          <Questions me={me} channels={current.value.channels} onBegun={onBegun} />
        ) : (
          <p>There is no way to pay in {me.currency.code} here yet.</p>
        ))}
    </Part>
  )
}

function Questions({ me, channels, onBegun }: { me: Me; channels: Channel[]; onBegun: () => void }) {
  const { currency } = me
  const amount = useSignal('')
  const chosen = useSignal(channels[0]?.channel ?? '')
  const channel = channels.find((each) => each.channel === chosen.value) ?? channels[0]
  const action = useAction(async (form: FormData) => {
    if (!channel) return
    const begun = await beginTopup(me.orgId, {
      amountMinor: amountOf(textOf(form, 'amount'), channel, currency),
      channel: channel.channel,
      ...(channel.needsPhone && { phone: textOf(form, 'phone').trim() }),
    })
    onBegun()
    goToPayment(begun)
  })
  const refused = action.failure.value
  if (!channel) return null
  return (
    <Form
      action={action}
      submit="Continue"
      busy="Preparing the payment …"
      fields={['amount', 'amountMinor', 'phone']}
      back="amount"
    >
      <div class="field">
        <label for="channel">How</label>
        <select
          id="channel"
          name="channel"
          value={channel.channel}
          onChange={(event) => {
            chosen.value = event.currentTarget.value
            action.reset()
          }}
        >
          {channels.map(({ channel: name, label, mode }) => (
            <option key={name} value={name}>
              {label}
              {mode === 'mock' ? ' (play money)' : ''}
            </option>
          ))}
        </select>
      </div>
      <Field
        name="amount"
        label={`Amount in ${currency.code}`}
        help={helpFor(amount.value, channel, currency)}
        fault={faultOf(refused, 'amount') ?? faultOf(refused, 'amountMinor')}
        required
        dir="ltr"
        inputMode="decimal"
        autocomplete="off"
        maxLength={24}
        onInput={(event) => {
          amount.value = event.currentTarget.value
        }}
      />
      {channel.needsPhone && (
        <Field
          name="phone"
          label="Phone that pays"
          help={`The number of your ${channel.label} account, with or without the country code.`}
          type="tel"
          inputMode="tel"
          autocomplete="tel"
          dir="ltr"
          required
          maxLength={40}
          refused={refused}
        />
      )}
      {channel.mode === 'mock' && <PlayMoney />}
    </Form>
  )
}

/** What was typed, as money; before that, how much may be. */
function helpFor(typed: string, { minMinor, maxMinor }: Channel, currency: Currency): string {
  const read = typed === '' ? null : readAmount(typed, currency)
  if (read && 'minor' in read) return `You pay ${formatMoney(read.minor, currency)}.`
  return `From ${formatMoney(minMinor, currency)} to ${formatMoney(maxMinor, currency)}.`
}

function amountOf(typed: string, channel: Channel, currency: Currency): bigint {
  const read = readAmount(typed, currency)
  const problem = 'fault' in read ? read.fault : amountProblem(read.minor, channel, currency)
  if (problem === null && 'minor' in read) return read.minor
  throw faulty('amount', problem ?? 'is not an amount')
}

/** A refusal of our own, said at its field like those of the service. */
export const faulty = (path: string, message: string): ApiFailure => problem(message, { path })

/** As tall as the form without a phone. */
const Placeholder = () => <span class="blank top-up-place" aria-hidden="true" />
