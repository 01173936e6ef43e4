import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Organisation() {
  return (
    <Sheet title={t('Organisation')} wide>
      <p />
    </Sheet>
  )
}
