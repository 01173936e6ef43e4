import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Agent() {
  return (
    <Sheet title={t('Agent')} wide>
      <p />
    </Sheet>
  )
}
