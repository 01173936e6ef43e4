import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Audit() {
  return (
    <Sheet title={t('Audit log')} wide>
      <p />
    </Sheet>
  )
}
