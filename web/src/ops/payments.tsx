import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Payments() {
  return (
    <Sheet title={t('Payments')} wide>
      <p />
    </Sheet>
  )
}
