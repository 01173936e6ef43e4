import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function OpsAudit() {
  return (
    <Sheet title={t('Audit')} wide>
      <p />
    </Sheet>
  )
}
