import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Orgs() {
  return (
    <Sheet title={t('Organisations')} wide>
      <p />
    </Sheet>
  )
}
