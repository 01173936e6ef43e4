import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function OpsSettings() {
  return (
    <Sheet title={t('Settings')} wide>
      <p />
    </Sheet>
  )
}
