// Customers who top up and spend continuously, retry unanswered requests, and record every confirmed amount.

/** The current address of the service. */
export type ServiceAddress = { address(): Promise<string> }

/** Amounts that the service confirmed to customers. They must stay true. */
export type Confirmations = {
  /** Payment reference → credited amount. */
  readonly credits: Map<string, bigint>
  /** Hold id → charged amount. */
  readonly debits: Map<string, bigint>
  retries: number
}

export type Customer = { readonly email: string; bearer: string }

const RETRY_FOR_MS = 120_000

type Answer = { status: number; body: Record<string, unknown> }

/** Sends a request until it has a final answer. A lost connection, a 5xx or a 409 is retried with the same body. */
export async function retryRequest(
  service: ServiceAddress,
  confirmed: Confirmations,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const until = Date.now() + RETRY_FOR_MS
  for (;;) {
    try {
      const response = await fetch(`${await service.address()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      if (response.status < 500 && response.status !== 409)
        return { status: response.status, body: JSON.parse(text) }
    } catch (error) {
      if (Date.now() > until) throw error
    }
    if (Date.now() > until) throw new Error(`${path} had no final answer in ${RETRY_FOR_MS} ms`)
    confirmed.retries++
    await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 70))
  }
}

export async function signIn(
  service: ServiceAddress,
  confirmed: Confirmations,
  email: string,
): Promise<Customer> {
  const { body } = await retryRequest(service, confirmed, '/auth/dev-login', { email })
  return { email, bearer: String(body.userId) }
}

/** Tops up and spends until `isOver`. */
export async function topUpAndSpend(
  service: ServiceAddress,
  confirmed: Confirmations,
  customer: Customer,
  isOver: () => boolean,
): Promise<void> {
  const authorization = { authorization: `Bearer ${customer.bearer}` }
  const post = (path: string, body: object, key?: string) =>
    retryRequest(service, confirmed, path, body, { ...authorization, ...(key && { 'idempotency-key': key }) })

  for (let n = 0; !isOver(); n++) {
    const name = `${customer.email} ${n}`
    if (n % 5 === 0) {
      const started = await post('/wallet/topup', { amountMinor: 100_000 + n }, name.replaceAll(' ', '/'))
      expectStatus(started, 200, 'a top-up')
      const reference = String(started.body.reference)
      const verified = await post('/wallet/verify', { reference })
      expectStatus(verified, 200, 'a verification')
      if (verified.body.status === 'settled')
        confirmed.credits.set(reference, BigInt(verified.body.amountMinor as number))
    }
    const held = await post('/chaos/reserve', { ref: name, amountMinor: 500 + (n % 7) })
    // An earlier attempt was killed, and its hold has expired.
    if (held.status === 400) continue
    expectStatus(held, 200, 'a reserve')
    // Some work is lost on purpose: its hold must expire.
    if (n % 11 === 10) continue
    const settled = await post('/chaos/settle', { holdId: held.body.holdId, amountMinor: 300 + (n % 13) })
    expectStatus(settled, 200, 'a settlement')
    if (settled.body.state === 'settled')
      confirmed.debits.set(String(held.body.holdId), BigInt(settled.body.chargedMinor as number))
  }
}

function expectStatus(answer: Answer, status: number, what: string): void {
  if (answer.status !== status)
    throw new Error(`${what} returned ${answer.status}: ${JSON.stringify(answer.body)}`)
}
