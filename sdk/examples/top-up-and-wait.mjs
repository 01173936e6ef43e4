// Pay money in, show what to do, and wait until it is there. The provider's answer counts, so asking often credits nothing twice.
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const topup = await cowrie.wallet.topup({ amountMinor: 500_000n, channel: 'ussd' })
console.log(topup.ussdCode ? `Dial ${topup.ussdCode}` : `Pay at ${topup.authorizationUrl}`)

let standing = await cowrie.wallet.verify({ reference: topup.reference })
while (standing.status === 'pending' && new Date() < new Date(topup.expiresAt)) {
  await setTimeout(3_000)
  standing = await cowrie.wallet.verify({ reference: topup.reference })
}
console.log(`${standing.status}: ${standing.creditedMinor} came, the balance is ${standing.balanceMinor}`)
