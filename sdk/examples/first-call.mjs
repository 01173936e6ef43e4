// Show the signed-in user and the available balance. Amounts are bigints in minor units: kobo, cents, piastres.
import { createClient } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

const me = await cowrie.me.get()
console.log(`${me.email} of ${me.orgName} can spend ${me.availableMinor} ${me.currency.minorName}`)
