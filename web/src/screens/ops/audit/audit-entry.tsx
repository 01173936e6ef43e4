// One entry of the audit log: actor, action, target, and on request the change and its position in the chain.
import type { AuditListReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { Facts } from '../../../ui/base/facts.tsx'
import { type Change, changesIn } from './audit-changes.ts'

export type AuditEntry = AuditListReply['entries'][number]

const KINDS: Readonly<Record<AuditEntry['actorKind'], string>> = {
  user: msg('a member'),
  key: msg('an API key'),
  operator: msg('staff'),
  system: msg('the service'),
}

export function AuditEntryRow({ entry }: { entry: AuditEntry }) {
  const isOpen = useSignal(false)
  const { action, target, actorEmail, actorKind, createdAt } = entry
  return (
    <details
      class="entry"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="entry-line">
          <span>
            <code dir="ltr" class="row-name">
              {action}
            </code>{' '}
            {target !== null && <code dir="ltr">{target}</code>}
          </span>
          <span class="help">
            <bdi>{actorEmail ?? t(KINDS[actorKind])}</bdi> · {formatDateTime(createdAt)}
          </span>
        </span>
      </summary>
      {isOpen.value && <EntryDetails entry={entry} />}
    </details>
  )
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { id, orgId, actorKind, actorUserId, ip, seq, hash, prevHash, metadata } = entry
  const changes = changesIn(metadata)
  return (
    <div class="entry-body">
      {changes.length > 0 && (
        <dl class="changes">
          {changes.map((change) => (
            <div key={change.name}>
              <dt>{change.name === '' ? t('Value') : change.name}</dt>
              <dd>
                <BeforeAfter change={change} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Facts
        lines={[
          [
            t('Organisation'),
            orgId === null ? (
              t('the platform itself')
            ) : (
              <a href={`/app/ops/orgs/${encodeURIComponent(orgId)}`}>{orgId}</a>
            ),
          ],
          [t('Who'), `${t(KINDS[actorKind])}${actorUserId === null ? '' : ` ${actorUserId}`}`],
          [t('From address'), ip ?? '–'],
          [t('Entry'), id],
          [t('Position in the chain'), String(seq)],
          [t('Hash'), <code key="hash">{hash}</code>],
          [t('Previous hash'), <code key="before">{prevHash}</code>],
        ]}
      />
    </div>
  )
}

const BeforeAfter = ({ change: { from, to } }: { change: Change }) => (
  <bdi dir="ltr">
    {from !== null && (
      <>
        <del>
          <span class="unseen">{t('before')} </span>
          {from}
        </del>{' '}
        <span aria-hidden="true">→</span>{' '}
      </>
    )}
    {from === null ? (
      <span>{to}</span>
    ) : (
      <ins>
        <span class="unseen">{t('after')} </span>
        {to}
      </ins>
    )}
  </bdi>
)
