import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function Chat() {
  return (
    <Sheet title={t('Chat')} wide>
      <p />
    </Sheet>
  )
}
