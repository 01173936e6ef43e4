// Checks the hash chain of the audit log.
import type { AuditVerifyReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'

const PAGES_MAX = 100

export function AuditChain() {
  const found = useSignal<{ entries: number; last: AuditVerifyReply } | null>(null)
  const { run, busy, failure } = useAction(async () => {
    found.value = await checkAll()
    announce(sentenceFor(found.value))
  })
  const checked = found.value
  return (
    <section class="chain" aria-label={t('Log integrity')}>
      <p data-testid="chain">
        {checked === null ? (
          t('Not verified in this visit.')
        ) : (
          <span class={checked.last.ok ? 'ok' : 'bad'}>{sentenceFor(checked)}</span>
        )}
      </p>
      {failure.value && <ErrorNotice failure={failure.value} />}
      {checked?.last.head && (
        <p class="help">
          {t('Last hash')}: <code dir="ltr">{checked.last.head.hash}</code>
        </p>
      )}
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        {busy.value ? t('Checking …') : t('Verify log')}
      </button>
    </section>
  )
}

async function checkAll(): Promise<{ entries: number; last: AuditVerifyReply }> {
  let entries = 0
  let last = await api.audit.verify()
  for (let piece = 1; piece < PAGES_MAX && last.ok && last.nextCursor !== null; piece++) {
    entries += last.entries
    last = await api.audit.verify({ cursor: last.nextCursor })
  }
  return { entries: entries + last.entries, last }
}

function sentenceFor({ entries, last }: { entries: number; last: AuditVerifyReply }): string {
  if (last.broken) return t('The log was changed at entry {seq}. Contact us now.', { seq: last.broken.seq })
  if (!last.ok) return t('The log is intact, but the external proof of its end is missing.')
  return tn(entries, 'The chain is intact: {n} entry checked.', 'The chain is intact: {n} entries checked.')
}
