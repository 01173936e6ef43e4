import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Projects() {
  return (
    <Sheet title={t('Projects')} wide>
      <p />
    </Sheet>
  )
}
