import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Posture() {
  return (
    <Sheet title={t('Posture')} wide>
      <p />
    </Sheet>
  )
}
