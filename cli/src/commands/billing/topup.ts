// cowrie wallet topup: starts a payment, shows the instructions and waits for the result.
import { CowrieError, type Currency, type TopupResult } from '@cowrie/sdk'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { formatMoney } from '../../spending/money.ts'
import { openOnEnter } from '../../system/open-on-enter.ts'
import { instructionLines } from '../../topup/instructions.ts'
import { askForCode, submitCode } from '../../topup/otp.ts'
import type { PaymentInstructions } from '../../topup/records.ts'
import { recordsOf, startTopup } from '../../topup/start.ts'
import { readTopup } from '../../topup/validate-topup.ts'
import { type PaymentState, readPayment, waitForPayment } from '../../topup/watch.ts'

const topup: Command = {
  name: 'wallet topup',
  usage: '<amount>',
  summary: 'Top up your wallet with an amount such as 2000 or 12.50, and wait for the payment.',
  args: { min: 0, max: 1 },
  options: {
    channel: {
      type: 'string',
      placeholder: '<channel>',
      summary: 'The payment channel. See "cowrie wallet channels".',
      complete: 'channels',
    },
    phone: {
      type: 'string',
      placeholder: '<number>',
      summary: 'The phone number that pays with mobile money.',
    },
    'no-wait': { type: 'boolean', summary: 'Exit with 8 once the instructions are shown.' },
    resume: { type: 'string', placeholder: '<reference>', summary: 'Continue a top-up.' },
    otp: { type: 'string', placeholder: '<code>', summary: 'With --resume: the code from the network.' },
  },
  async run(context) {
    const { args, values, client, signal } = context
    const reference = textOf(values, 'resume')
    if (reference !== undefined) {
      if (args.length > 0 || values.channel || values.phone)
        throw new UsageError('--resume cannot be combined with an amount, --channel or --phone.')
      return resume(context, reference)
    }
    if (args.length === 0) throw new UsageError('"cowrie wallet topup" needs <amount>.')
    if (values.otp !== undefined) throw new UsageError('--otp needs --resume.')
    const [{ orgId, currency }, { channels }] = await Promise.all([
      client.me.get({ signal }),
      client.wallet.channels({ signal }),
    ])
    const started = await startTopup(context, orgId, await readTopup(context, currency, channels))
    await continueTopup(
      context,
      { state: { ...started, reason: null }, instructions: started, value: started },
      currency,
    )
  },
}

/** "cowrie topup" also works, but is not listed in the help. */
export const topups: readonly Command[] = [topup, { ...topup, name: 'topup', hidden: true }]

type Payment = {
  readonly state: PaymentState
  readonly instructions: PaymentInstructions | null
  readonly value: object
}

async function resume(context: Context, reference: string): Promise<void> {
  const { client, values, signal } = context
  const records = recordsOf(context)
  const code = textOf(values, 'otp')
  const submitted = code === undefined ? null : await submitCode(context, reference, code)
  if (submitted) await records?.saveInstructions(reference, submitted)
  const [state, instructions, { currency }] = await Promise.all([
    readPayment(client, reference, signal),
    records?.readInstructions(reference) ?? null,
    client.me.get({ signal }),
  ])
  await continueTopup(context, { state, instructions: submitted ?? instructions, value: state }, currency)
}

/**
 * From the instructions to the outcome. A user who stops waiting learns how to continue: the payment may still arrive.
 */
async function continueTopup(context: Context, payment: Payment, currency: Currency): Promise<void> {
  const { values, out, signal } = context
  const { state, instructions, value } = payment
  if (state.status !== 'pending') return end(context, state, currency)
  const mayWait = values['no-wait'] !== true && !(instructions?.otpRequired && !context.ask.isPossible)
  if (!mayWait) {
    out.result(value, instructions ? instructionLines(context, instructions) : [ELSEWHERE])
    return showPending(context, state, instructions)
  }
  if (out.json) out.error(value)
  else out.result(value, instructions ? instructionLines(context, instructions) : [ELSEWHERE])
  let ended = state
  try {
    const todo = instructions?.otpRequired ? await takeCode(context, state.reference) : instructions
    if (todo?.authorizationUrl) openOnEnter(context, todo.authorizationUrl)
    ended = await waitForPayment(context, state, currency)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  out.endProgress()
  if (ended.status !== 'pending') return end(context, ended, currency)
  if (out.json) out.result(state, [])
  showPending(context, state, null)
}

const ELSEWHERE = 'The instructions were shown where this payment started.'

async function takeCode(context: Context, reference: string): Promise<TopupResult> {
  const taken = await askForCode(context, reference)
  await recordsOf(context)?.saveInstructions(reference, taken)
  context.out.result(taken, instructionLines(context, taken))
  return taken
}

function showPending(
  { out, endWith }: Context,
  { reference }: PaymentState,
  instructions: PaymentInstructions | null,
): void {
  const code = instructions?.otpRequired ? ' --otp <code>' : ''
  if (!out.json) {
    out.complain('The payment is still pending. The service keeps checking it. Continue with:')
    out.complain(`  cowrie wallet topup --resume ${reference}${code}`)
  }
  endWith(EXIT.pending)
}

async function end(context: Context, state: PaymentState, currency: Currency): Promise<void> {
  const { out, endWith } = context
  const { status, reference, reason, amountMinor } = state
  const amount = formatMoney(amountMinor, currency)
  const again = `cowrie wallet topup --resume ${reference}`
  switch (status) {
    case 'settled':
      await recordsOf(context)?.removeInstructions(reference)
      return showSettled(context, state, currency)
    case 'failed':
      throw new Failure(
        'payment_failed',
        `${amount} was not paid. ${reason ?? 'The provider declined it.'}`,
        {
          next: 'Your balance did not change and you owe nothing. Top up again, or see "cowrie wallet channels".',
        },
      )
    case 'expired':
      throw new Failure('payment_expired', `${amount} was not paid in time.`, {
        next: `If you have paid, check with "${again}". Otherwise top up again.`,
      })
    default:
      out.result(state, [`We are checking your payment of ${amount}. ${reason ?? ''}`.trim()])
      if (!out.json) out.complain(`Do not pay again. Our staff is checking it. Reference: ${reference}.`)
      endWith(EXIT.pending)
  }
}

/** Checking a settled payment changes nothing and returns the balance. */
async function showSettled(
  { client, out, signal }: Context,
  state: PaymentState,
  currency: Currency,
): Promise<void> {
  const added = `+${formatMoney(state.amountMinor, currency)}`
  try {
    const found = await client.wallet.verify({ reference: state.reference }, { signal })
    out.result(found, [`${added} · Balance ${formatMoney(found.balanceMinor, currency)}`])
  } catch (error) {
    // The payment has arrived, whatever happens to this request.
    if (!(error instanceof CowrieError) && !signal?.aborted) throw error
    out.result(state, [added])
  }
}
