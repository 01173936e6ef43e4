import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Staff() {
  return (
    <Sheet title={t('Staff')} wide>
      <p />
    </Sheet>
  )
}
