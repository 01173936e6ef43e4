import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Scan() {
  return (
    <Sheet title={t('Scan')} wide>
      <p />
    </Sheet>
  )
}
