// Example data for screens: money, a run, a chat, keys and the history of a team.
import { type Client, createClient } from '@cowrie/sdk'
import { STAFF } from './environment.ts'

/** The paths of created resources. */
export async function seed(origin: string): Promise<string[]> {
  const cookie = await signIn(origin)
  const api = createClient({ baseUrl: origin, headers: { cookie, origin } })
  const { reference } = await api.wallet.topup({ amountMinor: 2_000_000n, channel: 'ussd' })
  await api.wallet.verify({ reference })
  await api.wallet.topup({ amountMinor: 500_000n, channel: 'card' })
  await api.keys.create({ name: 'Build server', scopes: ['agent:run'] })
  await seedCatalogue(api)
  await seedLimitedKey(api, origin)
  const run = await api.agent.run({
    // A task that the development model can solve, so that there is a change to show.
    prompt: 'Rename total to sum, then add a function subtract(a, b) that returns a - b in src/sum.js.',
    context: [
      { path: 'src/sum.js', content: 'export function total(a, b) {\n  return a + b\n}\n' },
      {
        path: 'src/bill.js',
        content: "import { total } from './sum.js'\n\nexport const bill = (a, b) => total(a, b)\n",
      },
    ],
  })
  const { id: thread } = await api.chat.threads.create({ title: 'Why can a balance differ?' })
  for await (const _ of api.chat.messages.send(thread, {
    prompt: 'Why can a balance differ from what is available?',
  })) {
    // Read to the end.
  }
  await api.index.add({
    files: [
      {
        path: 'src/wallet/credit.ts',
        content: 'export function credit(amount: bigint) {\n  return amount\n}\n',
      },
      {
        path: 'src/wallet/debit.ts',
        content: 'export function debit(amount: bigint) {\n  return -amount\n}\n',
      },
    ],
  })
  const task = await seedTask(api)
  await api.kyc
    .submit({ businessName: 'Adunni Software Ltd', registrationNumber: 'RC-1234567' })
    .catch(() => undefined)
  const { orgId } = await api.me.get()
  const project = await api.projects.create({ name: 'Payments' })
  const { entries } = await api.wallet.ledger({ limit: 1 })
  return [
    ...entries.map((entry) => `/app/wallet/activity/${entry.id}`),
    `/app/projects/${project.id}`,
    `/app/agent/runs/${run.id}`,
    `/app/chat/${thread}`,
    `/app/tasks/${task}`,
    `/app/ops/orgs/${orgId}`,
    `/app/ops/payments/${reference}`,
    '/app/ops/models?model=claude-sonnet',
    '/app/tools?client=zed',
  ]
}

/** Pages outside the app: a receipt, and the test bank with an open payment. */
export async function paperPaths(origin: string): Promise<string[]> {
  const api = createClient({ baseUrl: origin, headers: { cookie: await signIn(origin), origin } })
  const { invoices } = await api.invoices.list({ limit: 1 })
  const { topups } = await api.wallet.topups({ status: 'pending', limit: 1 })
  return [
    ...invoices.map(({ receiptUrl }) => new URL(receiptUrl, origin).pathname),
    ...topups.map(({ reference }) => `/pay/mock/${reference}`),
  ]
}

/** A task whose first turn has started. */
async function seedTask(api: Client): Promise<string> {
  const { id } = await api.tasks.create({
    workspace: {
      kind: 'files',
      files: [
        { path: 'package.json', content: '{"type":"module","scripts":{"test":"node --test"}}' },
        { path: 'src/kobo.js', content: 'export function add(a, b) {\n  return a - b\n}\n' },
      ],
    },
  })
  await api.tasks.turn(id, { prompt: 'Add a function multiply to src/kobo.js.' })
  return id
}

/** A provider that does not respond, and models of both lanes. */
async function seedCatalogue(api: Client): Promise<void> {
  const { id } = await api.admin.providers.create({
    name: 'example-frontier',
    wire: 'anthropic',
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'a-key-for-screens-7f3a',
    region: 'eu-west',
  })
  const common = { contextTokens: 200_000, outputTokens: 64_000 }
  await api.admin.models.set('claude-sonnet', {
    ...common,
    title: 'Claude Sonnet',
    lane: 'frontier',
    routes: [
      { providerId: id, upstreamModel: 'claude-sonnet-latest' },
      { providerId: 'prv_default', upstreamModel: 'frontier', priority: 1 },
    ],
    capabilities: ['tools', 'images', 'reasoning', 'cache'],
    price: { input: 480_000, output: 2_400_000, cachedInput: 48_000, cacheWrite: 600_000 },
    aliases: ['claude-sonnet-*'],
  })
  await api.admin.models.set('open-coder-with-a-rather-long-name-2026-11-preview', {
    ...common,
    title: 'An open coder with a rather long title for a narrow telephone',
    lane: 'open',
    routes: [{ providerId: 'prv_default', upstreamModel: 'open-coder' }],
    capabilities: ['tools'],
    price: { input: 60_000, output: 120_000 },
    enabled: true,
  })
}

/** A key whose budget one call has nearly used up. */
async function seedLimitedKey(api: Client, origin: string): Promise<void> {
  const { key, id } = await api.keys.create({
    name: 'Claude Code on the laptop of Adunni',
    scopes: ['agent:run'],
    budgetMinor: 100_000n,
    budgetPeriod: 'month',
    models: ['open', 'claude-*'],
    requestsPerMinute: 60,
    tokensPerMinute: 200_000,
    allowedAddresses: ['127.0.0.1', '::1'],
  })
  await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'open',
      messages: [{ role: 'user', content: 'Say hello. '.repeat(2_000) }],
      max_tokens: 50,
    }),
  })
  const listed = (await api.keys.list({ limit: 200 })).keys.find((each) => each.id === id)
  const spent = listed?.spentMinor ?? 0n
  await api.keys.change(id, { budgetMinor: spent + spent / 9n })
}

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/auth/dev-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: STAFF }),
  })
  if (!answer.ok) throw new Error(`the sign-in failed: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
