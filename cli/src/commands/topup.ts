// cowrie wallet topup: pay money in, see what to do for it, and wait until it is there.
import { CowrieError, type Currency, type TopupResult } from '@cowrie/sdk'
import { type Command, type Context, textOf } from '../command.ts'
import { EXIT } from '../exits.ts'
import { formatMoney } from '../money.ts'
import { openAtEnter } from '../open-at-enter.ts'
import { beginTopup, notesOf } from '../topup/begin.ts'
import { askForCode, handInCode } from '../topup/code.ts'
import { handOffLines } from '../topup/hand-off.ts'
import type { Told } from '../topup/notes.ts'
import { lookAt, type Standing, watch } from '../topup/watch.ts'
import { readWish } from '../topup/wish.ts'
import { Failure, UsageError } from '../wrong.ts'

const topup: Command = {
  name: 'wallet topup',
  usage: '<amount>',
  summary: 'Pay money in, such as 2000 or 12.50, and wait until it is there.',
  args: { min: 0, max: 1 },
  options: {
    channel: {
      type: 'string',
      placeholder: '<channel>',
      summary: 'How to pay; see "cowrie wallet channels".',
      complete: 'channels',
    },
    phone: { type: 'string', placeholder: '<number>', summary: 'The phone that pays with mobile money.' },
    'no-wait': { type: 'boolean', summary: 'End with 8 as soon as it is said what to do.' },
    resume: { type: 'string', placeholder: '<reference>', summary: 'Go on with a top-up that was begun.' },
    otp: { type: 'string', placeholder: '<code>', summary: 'With --resume: the code that the network sent.' },
  },
  async run(context) {
    const { args, values, client, signal } = context
    const reference = textOf(values, 'resume')
    if (reference !== undefined) {
      if (args.length > 0 || values.channel || values.phone)
        throw new UsageError('--resume goes with neither an amount nor --channel nor --phone.')
      return resume(context, reference)
    }
    if (args.length === 0) throw new UsageError('"cowrie wallet topup" needs <amount>.')
    if (values.otp !== undefined) throw new UsageError('--otp goes with --resume.')
    const [{ orgId, currency }, { channels }] = await Promise.all([
      client.me.get({ signal }),
      client.wallet.channels({ signal }),
    ])
    const begun = await beginTopup(context, orgId, await readWish(context, currency, channels))
    await goOn(context, { standing: { ...begun, reason: null }, told: begun, value: begun }, currency)
  },
}

/** Also by its last word alone. */
export const topups: readonly Command[] = [topup, { ...topup, name: 'topup', hidden: true }]

type Payment = { readonly standing: Standing; readonly told: Told | null; readonly value: object }

async function resume(context: Context, reference: string): Promise<void> {
  const { client, values, signal } = context
  const notes = notesOf(context)
  const code = textOf(values, 'otp')
  const handed = code === undefined ? null : await handInCode(context, reference, code)
  if (handed) await notes?.tell(reference, handed)
  const [standing, told, { currency }] = await Promise.all([
    lookAt(client, reference, signal),
    notes?.told(reference) ?? null,
    client.me.get({ signal }),
  ])
  await goOn(context, { standing, told: handed ?? told, value: standing }, currency)
}

/** From what is to be done to how it ended. Whoever stops waiting learns how to go on: the money may still come. */
async function goOn(context: Context, payment: Payment, currency: Currency): Promise<void> {
  const { values, out, signal } = context
  const { standing, told, value } = payment
  if (standing.status !== 'pending') return end(context, standing, currency)
  const mayWait = values['no-wait'] !== true && !(told?.otpRequired && !context.ask.isPossible)
  if (!mayWait) {
    out.result(value, told ? handOffLines(context, told) : [ELSEWHERE])
    return leave(context, standing, told)
  }
  if (out.json) out.error(value)
  else out.result(value, told ? handOffLines(context, told) : [ELSEWHERE])
  let ended = standing
  try {
    const todo = told?.otpRequired ? await takeCode(context, standing.reference) : told
    if (todo?.authorizationUrl) openAtEnter(context, todo.authorizationUrl)
    ended = await watch(context, standing, currency)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  out.endProgress()
  if (ended.status !== 'pending') return end(context, ended, currency)
  if (out.json) out.result(standing, [])
  leave(context, standing, null)
}

const ELSEWHERE = 'What to do was shown where this payment was begun.'

async function takeCode(context: Context, reference: string): Promise<TopupResult> {
  const taken = await askForCode(context, reference)
  await notesOf(context)?.tell(reference, taken)
  context.out.result(taken, handOffLines(context, taken))
  return taken
}

function leave({ out, endWith }: Context, { reference }: Standing, told: Told | null): void {
  const code = told?.otpRequired ? ' --otp <code>' : ''
  if (!out.json) {
    out.complain('It is not decided yet; we keep watching, also while nobody waits here. Go on with:')
    out.complain(`  cowrie wallet topup --resume ${reference}${code}`)
  }
  endWith(EXIT.pending)
}

async function end(context: Context, standing: Standing, currency: Currency): Promise<void> {
  const { out, endWith } = context
  const { status, reference, reason, amountMinor } = standing
  const amount = formatMoney(amountMinor, currency)
  const again = `cowrie wallet topup --resume ${reference}`
  switch (status) {
    case 'settled':
      await notesOf(context)?.forget(reference)
      return showSettled(context, standing, currency)
    case 'failed':
      throw new Failure(
        'payment_failed',
        `${amount} was not paid. ${reason ?? 'The provider did not take it.'}`,
        {
          next: 'Nothing was added and nothing is owed. Top up again, or see "cowrie wallet channels".',
        },
      )
    case 'expired':
      throw new Failure('payment_expired', `${amount} was not paid in time.`, {
        next: `If you have paid, it is still yours: ask with "${again}". Else top up again.`,
      })
    default:
      out.result(standing, [`We are checking your payment of ${amount}. ${reason ?? ''}`.trim()])
      if (!out.json) out.complain(`Do not pay again. A person looks at it; its name is ${reference}.`)
      endWith(EXIT.pending)
  }
}

/** Asking about money that has arrived moves nothing; it says what the balance is now. */
async function showSettled(
  { client, out, signal }: Context,
  standing: Standing,
  currency: Currency,
): Promise<void> {
  const added = `+${formatMoney(standing.amountMinor, currency)}`
  try {
    const found = await client.wallet.verify({ reference: standing.reference }, { signal })
    out.result(found, [`${added} · Balance ${formatMoney(found.balanceMinor, currency)}`])
  } catch (error) {
    // It has arrived, whatever the network or a Ctrl-C does now.
    if (!(error instanceof CowrieError) && !signal?.aborted) throw error
    out.result(standing, [added])
  }
}
