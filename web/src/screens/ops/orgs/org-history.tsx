// Staff actions on an organisation, and its audit log.
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { AuditDetailsList } from '../../../ui/audit/audit-details-list.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Step, Steps } from '../../../ui/layout/steps.tsx'
import type { OrgTabProps } from './org-texts.ts'

export function OrgHistory({ detail: { org, staffActions } }: Pick<OrgTabProps, 'detail'>) {
  const entries = usePages('entries', `audit org ${org.orgId}`, (cursor) =>
    api.audit.list({ orgId: org.orgId, limit: 20, ...cursor }),
  )
  return (
    <>
      <Section title={t('Staff actions')}>
        {staffActions.length === 0 ? (
          <p class="help">{t('Nothing yet.')}</p>
        ) : (
          <Steps label={t('Staff actions')}>
            {staffActions.map(({ id, action, actorEmail, metadata, createdAt }) => (
              <Step
                key={id}
                state="done"
                title={<code dir="ltr">{action}</code>}
                after={formatDateTime(createdAt)}
              >
                <p class="help">
                  <bdi dir="ltr">{actorEmail}</bdi>
                </p>
                <AuditDetailsList metadata={metadata} />
              </Step>
            ))}
          </Steps>
        )}
      </Section>
      <Section title={t('Full audit log')}>
        <PagedList pages={entries} empty={t('Nothing yet.')} more={t('Older entries')}>
          {({ action, actorEmail, actorKind, createdAt, metadata }) => (
            <div class="row">
              <div>
                <p class="row-name">
                  <code dir="ltr">{action}</code>
                </p>
                <p class="help">
                  <bdi>{actorEmail ?? actorKind}</bdi> · {formatDateTime(createdAt)}
                </p>
                <AuditDetailsList metadata={metadata} />
              </div>
            </div>
          )}
        </PagedList>
      </Section>
    </>
  )
}
