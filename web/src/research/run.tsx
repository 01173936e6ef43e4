import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function ResearchRun() {
  return (
    <Sheet title={t('Research')} wide>
      <p />
    </Sheet>
  )
}
