import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Review() {
  return (
    <Sheet title={t('Review')} wide>
      <p />
    </Sheet>
  )
}
