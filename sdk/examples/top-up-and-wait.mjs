// Start a top-up, show the payment instructions and wait until it settles. Repeated checks never credit twice.
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const topup = await cowrie.wallet.topup({ amountMinor: 500_000n, channel: 'ussd' })
console.log(topup.ussdCode ? `Dial ${topup.ussdCode}` : `Pay at ${topup.authorizationUrl}`)

let payment = await cowrie.wallet.verify({ reference: topup.reference })
while (payment.status === 'pending' && new Date() < new Date(topup.expiresAt)) {
  await setTimeout(3_000)
  payment = await cowrie.wallet.verify({ reference: topup.reference })
}
console.log(`${payment.status}: ${payment.creditedMinor} came, the balance is ${payment.balanceMinor}`)
