// Customers of the drill: they sign in, pay and spend over HTTP.
import { fromJson, toJson } from '../../server/src/kernel/json.ts'

export type Customer = { readonly email: string; readonly cookie: string }
/** A payment that the API reported as settled. */
export type SettledPayment = {
  readonly customer: Customer
  readonly reference: string
  readonly amountMinor: bigint
}

export type Reply = { readonly status: number; readonly body: Record<string, unknown> }

export async function call(
  address: string,
  method: string,
  path: string,
  cookie = '',
  body?: object,
): Promise<Reply & { cookie: string }> {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    ...(body && { body: toJson(body) }),
  })
  const text = await answer.text()
  const json = answer.headers.get('content-type')?.includes('json') ? fromJson(text) : {}
  return {
    status: answer.status,
    body: typeof json === 'object' && json !== null ? { ...json } : {},
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

export async function signIn(address: string, email: string): Promise<Customer> {
  const { status, cookie } = await call(address, 'POST', '/auth/dev-login', '', { email })
  check(status === 200, `${email} could not sign in (${status})`)
  return { email, cookie }
}

/** Starts a payment and returns its reference. */
export async function startTopUp(address: string, customer: Customer, amountMinor: bigint): Promise<string> {
  const { status, body } = await call(address, 'POST', '/wallet/topup', customer.cookie, {
    amountMinor,
    channel: 'card',
  })
  check(status === 200 && typeof body.reference === 'string', `a payment did not start (${status})`)
  return String(body.reference)
}

/** Returns the status of the payment: `settled` if the provider reports it as paid. */
export async function verifyTopUp(address: string, customer: Customer, reference: string): Promise<string> {
  const { body } = await call(address, 'POST', '/wallet/verify', customer.cookie, { reference })
  return String(body.status ?? body.code)
}

/** A paid answer of the development model. */
export async function spend(address: string, customer: Customer): Promise<void> {
  const { status } = await call(address, 'POST', '/agent/run', customer.cookie, {
    prompt: 'Write a function that adds two amounts.',
    context: [{ path: 'src/kobo.js', content: 'export const one = 1\n' }],
  })
  check(status === 200, `a run was refused (${status})`)
}

export async function balanceOf(address: string, customer: Customer): Promise<bigint> {
  const { body } = await call(address, 'GET', '/wallet', customer.cookie)
  return BigInt(String(body.balanceMinor))
}

export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
