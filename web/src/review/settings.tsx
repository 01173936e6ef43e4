import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function ReviewSettings() {
  return (
    <Sheet title={t('Review settings')} wide>
      <p />
    </Sheet>
  )
}
