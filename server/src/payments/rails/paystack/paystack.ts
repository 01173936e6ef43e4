// Paystack: cards on its hosted page, Nigerian bank codes and Ghanaian mobile money by direct charge. Our reference is
// its idempotency key, and what it says when asked about one is the truth.

import { type Line, NoAnswer } from '../http-client.ts'
import { baseOf } from '../keys.ts'
import { Misconfigured, type OpenRail, type Order, type Rail, type Started, type Variables } from '../rail.ts'
import { attempt } from '../request.ts'
import { chargedBy, isForgotten } from './cards.ts'
import { chargeOf, hostedPageOf, startedBy } from './replies.ts'
import { paystackReturns } from './returns.ts'
import { providerAmount, standingOf } from './status.ts'
import { hearPaystack } from './webhook.ts'

type Access = {
  readonly secretKey: string
  readonly baseUrl: string
  /** The bank whose code is dialled: 737 is the only one that Paystack's documents still list. */
  readonly ussdType: string
}

export type PaystackRail = OpenRail & Required<Pick<OpenRail, 'submitOtp' | 'chargeCard' | 'forgetCard'>>

export const paystack = {
  name: 'paystack',
  needs: ['PAYSTACK_SECRET_KEY'],
  open(variables: Variables): PaystackRail | null {
    const access = accessOf(variables)
    if (!access) return null
    const keys = access.secretKey.startsWith('sk_test_') ? 'test' : 'live'
    const previous = variables.PAYSTACK_SECRET_KEY_PREVIOUS
    const secrets = previous ? [access.secretKey, previous] : [access.secretKey]
    return {
      name: 'paystack',
      keys,
      start: (line, order) => start(line, access, order),
      async check(line, asked) {
        const path = `/transaction/verify/${encodeURIComponent(asked.reference)}`
        const answer = await call(line, access, path)
        if (answer instanceof NoAnswer) return { status: 'unknown', reason: answer.message }
        return standingOf(answer, { line, asked, keys })
      },
      hear: (message) => hearPaystack(message, secrets),
      returns: (line, paid) => paystackReturns((path) => call(line, access, path), paid),
      // Some Ghanaian networks send their payers a code.
      async submitOtp(line, reference, otp) {
        return startedBy(await call(line, access, '/charge/submit_otp', { otp, reference }), chargeOf)
      },
      async chargeCard(line, { authorizationCode, email, amountMinor, currency, reference }) {
        const amount = providerAmount(amountMinor, currency)
        const body = { authorization_code: authorizationCode, email, amount, currency, reference }
        return chargedBy(await call(line, access, '/transaction/charge_authorization', body))
      },
      async forgetCard(line, authorizationCode) {
        const body = { authorization_code: authorizationCode }
        return isForgotten(await call(line, access, '/customer/authorization/deactivate', body))
      },
    }
  },
} satisfies Rail

function accessOf(variables: Variables): Access | null {
  const { PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_SECRET_KEY_PREVIOUS: previous } = variables
  if (!secretKey) {
    if (previous) throw new Misconfigured(['PAYSTACK_SECRET_KEY is not set.'])
    return null
  }
  const problems: string[] = []
  const ussdType = variables.PAYSTACK_USSD_TYPE || '737'
  if (secretKey.startsWith('pk_'))
    problems.push('PAYSTACK_SECRET_KEY is a public key: the secret one is needed.')
  if (!/^\d{3,4}$/.test(ussdType)) problems.push("PAYSTACK_USSD_TYPE is not a bank's code such as 737.")
  if (problems.length) throw new Misconfigured(problems)
  return { secretKey, baseUrl: baseOf(variables, 'PAYSTACK_BASE_URL', 'https://api.paystack.co'), ussdType }
}

async function start(line: Line, access: Access, order: Order): Promise<Started> {
  const { email, currency, reference } = order
  const common = { email, amount: providerAmount(order.amountMinor, currency), currency, reference }
  if (order.channel === 'card') {
    const body = { ...common, callback_url: order.returnUrl, channels: ['card'] }
    return startedBy(await call(line, access, '/transaction/initialize', body), hostedPageOf)
  }
  if (order.channel === 'ussd') {
    const body = { ...common, ussd: { type: access.ussdType } }
    return startedBy(await call(line, access, '/charge', body), chargeOf)
  }
  const provider = GHANAIAN_NETWORKS.get(order.channel)
  if (!provider) return { outcome: 'rejected', reason: 'This way to pay is not offered here.' }
  const local = /^\+233(\d{9})$/.exec(order.phone ?? '')?.[1]
  if (!local) return { outcome: 'rejected', reason: 'A Ghanaian phone number is needed to pay this way.' }
  const body = { ...common, mobile_money: { phone: `0${local}`, provider } }
  return startedBy(await call(line, access, '/charge', body), chargeOf)
}

// The networks were renamed; their codes at Paystack were not.
const GHANAIAN_NETWORKS: ReadonlyMap<string, string> = new Map([
  ['telecel_cash', 'vod'],
  ['airteltigo', 'atl'],
])

/** One question to Paystack: a post when there is a body. */
const call = (line: Line, { secretKey, baseUrl }: Access, path: string, body?: object) =>
  attempt(line, `${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
