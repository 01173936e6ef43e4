// Example data for screens: money, a run, a chat, keys and the history of a team.
import { createClient } from '@cowrie/sdk'
import { STAFF } from './environment.ts'

/** The paths of created resources. */
export async function seed(origin: string): Promise<string[]> {
  const cookie = await signIn(origin)
  const api = createClient({ baseUrl: origin, headers: { cookie, origin } })
  const { reference } = await api.wallet.topup({ amountMinor: 2_000_000n, channel: 'ussd' })
  await api.wallet.verify({ reference })
  await api.wallet.topup({ amountMinor: 500_000n, channel: 'card' })
  await api.keys.create({ name: 'Build server', scopes: ['agent:run'] })
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
  await api.kyc
    .submit({ businessName: 'Adunni Software Ltd', registrationNumber: 'RC-1234567' })
    .catch(() => undefined)
  const { orgId } = await api.me.get()
  return [
    `/app/agent/runs/${run.id}`,
    `/app/chat/${thread}`,
    `/app/ops/orgs/${orgId}`,
    `/app/ops/payments/${reference}`,
  ]
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
