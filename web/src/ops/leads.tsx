import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Leads() {
  return (
    <Sheet title={t('Enquiries')} wide>
      <p />
    </Sheet>
  )
}
