import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Team() {
  return (
    <Sheet title={t('Team')} wide>
      <p />
    </Sheet>
  )
}
