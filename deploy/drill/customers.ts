// Customers of the drill: they sign in, pay and spend over HTTP, and remember what they were told.
import { fromJson, toJson } from '../../server/src/kernel/json.ts'

export type Customer = { readonly email: string; readonly cookie: string }
/** A payment that was told as settled, and its amount. */
export type Told = { readonly customer: Customer; readonly reference: string; readonly amountMinor: bigint }

export type Reply = { readonly status: number; readonly body: Record<string, unknown> }

export async function ask(
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
  const { status, cookie } = await ask(address, 'POST', '/auth/dev-login', '', { email })
  must(status === 200, `${email} could not sign in (${status})`)
  return { email, cookie }
}

/** Begins a payment and says its reference. */
export async function beginTopUp(address: string, customer: Customer, amountMinor: bigint): Promise<string> {
  const { status, body } = await ask(address, 'POST', '/wallet/topup', customer.cookie, {
    amountMinor,
    channel: 'card',
  })
  must(status === 200 && typeof body.reference === 'string', `a payment did not begin (${status})`)
  return String(body.reference)
}

/** What the payment came to: `settled` when the provider says that it was paid. */
export async function verifyTopUp(address: string, customer: Customer, reference: string): Promise<string> {
  const { body } = await ask(address, 'POST', '/wallet/verify', customer.cookie, { reference })
  return String(body.status ?? body.code)
}

/** A paid answer of the development model. */
export async function spend(address: string, customer: Customer): Promise<void> {
  const { status } = await ask(address, 'POST', '/agent/run', customer.cookie, {
    prompt: 'Write a function that adds two amounts.',
    context: [{ path: 'src/kobo.js', content: 'export const one = 1\n' }],
  })
  must(status === 200, `a run was refused (${status})`)
}

export async function balanceOf(address: string, customer: Customer): Promise<bigint> {
  const { body } = await ask(address, 'GET', '/wallet', customer.cookie)
  return BigInt(String(body.balanceMinor))
}

export function must(isSo: boolean, complaint: string): asserts isSo {
  if (!isSo) throw new Error(complaint)
}
