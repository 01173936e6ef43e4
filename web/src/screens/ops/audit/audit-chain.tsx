// Checks the hash chains of the audit log, and accepts a chain after a
// restore.
import type { AuditVerifyReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { disabledReasonFor } from '../shared/tiers.ts'

/** A bound above the length of any log. */
const PAGES_MAX = 1_000
const CHECK_TIMEOUT_MS = 120_000

type Broken = NonNullable<AuditVerifyReply['broken']>
type ChainCheck = {
  entries: number
  broken: Broken | null
  unproven: AuditVerifyReply['unproven']
  isDone: boolean
}

const REASONS: Readonly<Record<Broken['reason'], string>> = {
  missing: msg('An entry is missing.'),
  edited: msg('An entry was edited.'),
  unexpected: msg('An entry was inserted.'),
  rewritten: msg('The chain was truncated or rewritten.'),
}

export function AuditChain() {
  const walk = useSignal<ChainCheck | null>(null)
  const verify = useAction(async () => {
    let cursor: string | null = null
    let sum: ChainCheck = { entries: 0, broken: null, unproven: [], isDone: false }
    for (let piece = 0; piece < PAGES_MAX && !sum.isDone; piece++) {
      const reply: AuditVerifyReply = await api.audit.verify(
        { scope: 'all', ...(cursor === null ? {} : { cursor }) },
        { timeoutMs: CHECK_TIMEOUT_MS },
      )
      cursor = reply.nextCursor
      sum = {
        entries: sum.entries + reply.entries,
        broken: reply.broken,
        unproven: [...sum.unproven, ...reply.unproven],
        isDone: cursor === null || reply.broken !== null,
      }
      walk.value = sum
    }
    announce(sum.broken === null ? t('The chains are intact.') : t(REASONS[sum.broken.reason]))
  })
  const current = walk.value
  return (
    <div class="chain">
      {verify.failure.value && <ErrorNotice failure={verify.failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={verify.busy.value} onClick={() => void verify.run()}>
          {verify.busy.value ? t('Verifying …') : t('Verify chains')}
        </button>
      </div>
      {current && <ChainResult walk={current} again={() => void verify.run()} />}
    </div>
  )
}

function ChainResult({
  walk: { entries, broken, unproven, isDone },
  again,
}: {
  walk: ChainCheck
  again: () => void
}) {
  const seen = tn(entries, '{n} entry is unchanged.', '{n} entries are unchanged.')
  return (
    <div data-testid="chain-verdict">
      {broken === null && unproven.length === 0 && isDone && (
        <p class="ok">
          {t('The chains are intact.')} {seen}
        </p>
      )}
      {broken === null && !isDone && <p class="help">{seen}</p>}
      {broken !== null && (
        <>
          <p class="light wrong">{t(REASONS[broken.reason])}</p>
          <p class="help">
            {t('Entry {seq} of {chain}.', { seq: String(broken.seq), chain: chainName(broken.orgId) })} {seen}
          </p>
          <Accept orgId={broken.orgId} again={again} />
        </>
      )}
      {unproven.map(({ orgId, state }) => (
        <div key={orgId}>
          <p class="light">
            {state === 'lost'
              ? t('The external proof of {chain} is missing.', { chain: chainName(orgId) })
              : t('The external proof of {chain} cannot be read.', { chain: chainName(orgId) })}
          </p>
          <Accept orgId={orgId} again={again} />
        </div>
      ))}
    </div>
  )
}

const chainName = (orgId: string | null): string => orgId ?? t('the platform itself')

/** After a restore a staff member accepts the chain as it is. The chain records who did. */
const Accept = ({ orgId, again }: { orgId: string | null; again: () => void }) => (
  <DialogButton
    label={t('Accept chain')}
    name={chainName(orgId)}
    question={t('Accept the chain of {chain}?', { chain: chainName(orgId) })}
    disabledReason={disabledReasonFor('chains')}
    fields={['reason']}
    look="grave"
    act={async (form) => {
      await api.audit.anchors.accept({ orgId, reason: textOf(form, 'reason').trim() })
      again()
    }}
  >
    {(failure) => (
      <>
        <p>{t('Use this only after a database restore. Your name and reason are recorded.')}</p>
        <LongField name="reason" label={t('Reason')} failure={failure} required maxLength={500} />
      </>
    )}
  </DialogButton>
)
