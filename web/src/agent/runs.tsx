import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Runs() {
  return (
    <Sheet title={t('Past runs')} wide>
      <p />
    </Sheet>
  )
}
