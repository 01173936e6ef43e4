// One entry of the audit log: action, actor, time and details.
import type { AuditListReply } from '@cowrie/sdk'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { AuditDetailsList } from '../../../ui/audit/audit-details-list.tsx'

export type Entry = AuditListReply['entries'][number]

const ACTORS: Readonly<Record<Entry['actorKind'], string>> = {
  user: msg('a member'),
  key: msg('an API key'),
  operator: msg('Cowrie staff'),
  system: msg('the service itself'),
}

export function AuditEntry({ entry }: { entry: Entry }) {
  const { action, actorKind, actorEmail, target, createdAt, ip, seq, hash, metadata } = entry
  return (
    <details class="entry">
      <summary>
        <span class="entry-name">
          <code class="row-name" dir="ltr">
            {action}
          </code>
          <span class="help">
            <bdi>{actorKind === 'user' && actorEmail ? actorEmail : t(ACTORS[actorKind])}</bdi> ·{' '}
            {formatDateTime(createdAt)}
          </span>
        </span>
      </summary>
      <div class="explanation">
        <AuditDetailsList
          metadata={{
            ...metadata,
            ...(target !== null && { target }),
            ...(actorKind !== 'user' && actorEmail && { actor: actorEmail }),
            ...(ip !== null && { ip }),
          }}
        />
        <p class="help">
          {t('Entry {seq}', { seq })} · <code dir="ltr">{hash.slice(0, 16)}</code>
        </p>
      </div>
    </details>
  )
}
