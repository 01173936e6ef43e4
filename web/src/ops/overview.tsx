import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Overview() {
  return (
    <Sheet title={t('Overview')} wide>
      <p />
    </Sheet>
  )
}
