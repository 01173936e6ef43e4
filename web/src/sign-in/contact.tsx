import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Contact() {
  return (
    <Sheet title={t('Talk to us')} wide>
      <p />
    </Sheet>
  )
}
