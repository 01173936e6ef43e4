// Export all ledger entries of the wallet as CSV, over all pages.
import { createClient, paginate } from '@cowrie/sdk'

const cowrie = createClient({
  baseUrl: process.env.COWRIE_URL ?? 'http://127.0.0.1:8080',
  key: process.env.COWRIE_API_KEY,
})

console.log('at,type,source,amountMinor,balanceAfterMinor')
for await (const entry of paginate((cursor) => cowrie.wallet.ledger({ limit: 2, cursor }), 'entries'))
  console.log(
    [entry.createdAt, entry.type, entry.source, entry.amountMinor, entry.balanceAfterMinor].join(','),
  )
