import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Webhooks() {
  return (
    <Sheet title={t('Webhooks')} wide>
      <p />
    </Sheet>
  )
}
