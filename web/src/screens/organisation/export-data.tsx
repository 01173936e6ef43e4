// Exports all data of the organisation as one file.
import { toJson } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Section } from '../../ui/base/sheet.tsx'

export function ExportData({ me }: { me: Me }) {
  const isOwner = me.role === 'owner'
  const { run, busy, failure } = useAction(async () => {
    const everything = await api.orgs.export(me.orgId)
    saveFile(
      `cowrie-export-${everything.exportedAt.slice(0, 10)}.json`,
      [toJson(everything, 2)],
      'application/json',
    )
    announce(t('The file is ready.'))
  })
  return (
    <Section title={t('Export data')}>
      <p>{t('One file with all data of the organisation. It contains no secrets.')}</p>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" disabled={!isOwner} aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? t('Preparing the file …') : t('Download all data')}
        </button>
      </div>
      {!isOwner && <p class="help">{t('Only an owner can do this.')}</p>}
    </Section>
  )
}
