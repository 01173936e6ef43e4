// Staff actions on an organisation, and its audit log.
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { moment } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { NotedLines } from '../../../ui/audit/audit-details-list.tsx'
import { Paged } from '../../../ui/base/paged-list.tsx'
import { Part } from '../../../ui/base/sheet.tsx'
import { Step, Steps } from '../../../ui/layout/steps.tsx'
import type { OrgPart } from './org-texts.ts'

export function OrgHistory({ detail: { org, staffActions } }: Pick<OrgPart, 'detail'>) {
  const entries = usePages('entries', `audit org ${org.orgId}`, (cursor) =>
    api.audit.list({ orgId: org.orgId, limit: 20, ...cursor }),
  )
  return (
    <>
      <Part title={t('What staff did')}>
        {staffActions.length === 0 ? (
          <p class="help">{t('Nothing yet.')}</p>
        ) : (
          <Steps label={t('What staff did')}>
            {staffActions.map(({ id, action, actorEmail, metadata, createdAt }) => (
              <Step key={id} state="done" title={<code dir="ltr">{action}</code>} after={moment(createdAt)}>
                <p class="help">
                  <bdi dir="ltr">{actorEmail}</bdi>
                </p>
                <NotedLines metadata={metadata} />
              </Step>
            ))}
          </Steps>
        )}
      </Part>
      <Part title={t('The whole record')}>
        <Paged pages={entries} empty={t('Nothing yet.')} more={t('Older entries')}>
          {({ action, actorEmail, actorKind, createdAt, metadata }) => (
            <div class="row">
              <div>
                <p class="row-name">
                  <code dir="ltr">{action}</code>
                </p>
                <p class="help">
                  <bdi>{actorEmail ?? actorKind}</bdi> · {moment(createdAt)}
                </p>
                <NotedLines metadata={metadata} />
              </div>
            </div>
          )}
        </Paged>
      </Part>
    </>
  )
}
