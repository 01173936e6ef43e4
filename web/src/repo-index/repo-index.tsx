import { Sheet } from '../app/sheet.tsx'
import { t } from '../i18n/t.ts'

export default function RepoIndex() {
  return (
    <Sheet title={t('Code index')} wide>
      <p />
    </Sheet>
  )
}
