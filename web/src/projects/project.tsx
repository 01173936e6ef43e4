import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Project() {
  return (
    <Sheet title={t('Project')} wide>
      <p />
    </Sheet>
  )
}
