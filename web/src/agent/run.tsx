import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Run() {
  return (
    <Sheet title={t('Agent run')} wide>
      <p />
    </Sheet>
  )
}
