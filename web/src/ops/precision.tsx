import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Precision() {
  return (
    <Sheet title={t('Review precision')} wide>
      <p />
    </Sheet>
  )
}
