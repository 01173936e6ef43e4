import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Payment() {
  return (
    <Sheet title={t('Payment')} wide>
      <p />
    </Sheet>
  )
}
