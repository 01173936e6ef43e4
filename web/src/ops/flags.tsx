import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Flags() {
  return (
    <Sheet title={t('Flags')} wide>
      <p />
    </Sheet>
  )
}
