// Customers who top up and spend without pause, retry whatever got no answer, and remember what they were told.

/** Where a call may go right now. */
export type ServiceAddress = { address(): Promise<string> }

/** What somebody was told, which must be true for ever. */
export type Confirmations = {
  /** Reference → what was credited for it. */
  readonly credits: Map<string, bigint>
  /** Hold → what was charged for it. */
  readonly debits: Map<string, bigint>
  retries: number
}

export type Customer = { readonly email: string; bearer: string }

const PATIENCE_MS = 120_000

type Answer = { status: number; body: Record<string, unknown> }

/** One call until it is answered for good: a lost connection or a 5xx is asked again, with the same words. */
export async function retryRequest(
  through: ServiceAddress,
  told: Confirmations,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      const response = await fetch(`${await through.address()}${path}`, {
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
    if (Date.now() > until) throw new Error(`${path} got no answer in ${PATIENCE_MS} ms`)
    told.retries++
    await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 70))
  }
}

export async function signIn(through: ServiceAddress, told: Confirmations, email: string): Promise<Customer> {
  const { body } = await retryRequest(through, told, '/auth/dev-login', { email })
  return { email, bearer: String(body.userId) }
}

/** Tops up and spends, again and again, until it is told to stop. */
export async function topUpAndSpend(
  through: ServiceAddress,
  told: Confirmations,
  customer: Customer,
  isOver: () => boolean,
): Promise<void> {
  const authorization = { authorization: `Bearer ${customer.bearer}` }
  const post = (path: string, body: object, key?: string) =>
    retryRequest(through, told, path, body, { ...authorization, ...(key && { 'idempotency-key': key }) })

  for (let n = 0; !isOver(); n++) {
    const name = `${customer.email} ${n}`
    if (n % 5 === 0) {
      const started = await post('/wallet/topup', { amountMinor: 100_000 + n }, name.replaceAll(' ', '/'))
      expectStatus(started, 200, 'a top-up')
      const reference = String(started.body.reference)
      const verified = await post('/wallet/verify', { reference })
      expectStatus(verified, 200, 'a verification')
      if (verified.body.status === 'settled')
        told.credits.set(reference, BigInt(verified.body.amountMinor as number))
    }
    const held = await post('/chaos/reserve', { ref: name, amountMinor: 500 + (n % 7) })
    // Its own earlier attempt was killed, and its hold has ended meanwhile.
    if (held.status === 400) continue
    expectStatus(held, 200, 'a reserve')
    // Some work is lost on its way: its hold must end by itself.
    if (n % 11 === 10) continue
    const settled = await post('/chaos/settle', { holdId: held.body.holdId, amountMinor: 300 + (n % 13) })
    expectStatus(settled, 200, 'a settlement')
    if (settled.body.state === 'settled')
      told.debits.set(String(held.body.holdId), BigInt(settled.body.chargedMinor as number))
  }
}

function expectStatus(answer: Answer, status: number, what: string): void {
  if (answer.status !== status)
    throw new Error(`${what} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
}
