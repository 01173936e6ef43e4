// The details of an audit entry: name, old value, new value.
import { t } from '../../i18n/t.ts'
import { auditDetails } from './audit-details.ts'

export function AuditDetailsList({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const lines = auditDetails(metadata)
  if (lines.length === 0) return null
  return (
    <ul class="noted">
      {lines.map(({ name, before, after }) => (
        <li key={`${name} ${after}`}>
          {name !== '' && <code dir="ltr">{name}</code>}{' '}
          {before !== null && (
            <>
              <span class="unseen">{t('was')} </span>
              <del>
                <bdi>{before}</bdi>
              </del>{' '}
              <span class="noted-turn" aria-hidden="true">
                →
              </span>
              <span class="unseen">{t('is now')}</span>{' '}
            </>
          )}
          <bdi>{after}</bdi>
        </li>
      ))}
    </ul>
  )
}
