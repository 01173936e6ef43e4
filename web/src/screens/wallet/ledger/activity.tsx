// The activity of the wallet: postings by day, with a filter row and a file.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { type Me, session } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { ALL, type Filter, queryOf } from './filter.tsx'
import { Ledger } from './ledger.tsx'

export default function Activity() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me: { currency } }: { me: Me }) {
  const filter = useSignal<Filter>(ALL)
  const { source, from, to } = filter.value
  const entries = usePages('entries', ['wallet.ledger', source, from, to].join(' '), (cursor) =>
    api.wallet.ledger({ limit: 20, ...queryOf({ source, from, to }), ...cursor }),
  )
  return (
    <Page title={t('Activity')} note={t('Open a transaction to see how it was calculated.')}>
      <Ledger pages={entries} currency={currency} filter={filter} />
    </Page>
  )
}
