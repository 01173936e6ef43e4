import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Kyc() {
  return (
    <Sheet title={t('Identity checks')} wide>
      <p />
    </Sheet>
  )
}
