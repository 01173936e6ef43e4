// One entry as a receipt with its calculation. Every member of the organisation can open the link.
import { session } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { Page } from '../../../ui/base/sheet.tsx'
import { EntryExplanation } from './explanation.tsx'

export default function Entry({ id }: { id: string }) {
  const { value } = session
  if (value.state !== 'in') return null
  return (
    <Page
      title={t('Transaction')}
      width="reading"
      action={
        <a class="button" href="/app/wallet">
          {t('All activity')}
        </a>
      }
    >
      <EntryExplanation key={`${value.me.orgId} ${id}`} id={id} currency={value.me.currency} isAlone />
    </Page>
  )
}
