import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Usage() {
  return (
    <Sheet title={t('Usage')} wide>
      <p />
    </Sheet>
  )
}
