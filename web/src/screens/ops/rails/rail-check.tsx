// Checks a payment provider with calls that move no money, and lists the findings with their remedies.
import type { RailDoctorReport } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { api } from '../shared/staff-api.ts'
import { isAllowed } from '../shared/tiers.ts'

/** Longer than the timeout of the service. */
const TIMEOUT_MS = 40_000

type Account = RailDoctorReport['accounts'][number]
type Probe = Account['probes'][number]

const SUMMARIES: Readonly<Record<RailDoctorReport['status'], string>> = {
  ok: msg('All checks passed.'),
  warning: msg('Checked, with warnings.'),
  failed: msg('A check failed.'),
  skipped: msg('There is no account to check.'),
}

const LOOKS: Readonly<Record<RailDoctorReport['status'], string>> = {
  ok: 'ok',
  warning: 'light',
  failed: 'light wrong',
  skipped: 'light',
}

const STATUSES: Readonly<Record<Probe['status'], readonly [words: string, look: string]>> = {
  ok: [msg('passed'), 'light on'],
  warning: [msg('warning'), 'light'],
  failed: [msg('failed'), 'light wrong'],
  skipped: [msg('not tried'), 'light'],
  not_applicable: [msg('not applicable'), 'light'],
  not_readable: [msg('not readable'), 'light'],
}

const PROBES: Readonly<Record<Probe['probe'], string>> = {
  keys: msg('Live or test keys'),
  token: msg('Accepted keys'),
  unknown_reference: msg('Unused reference'),
  account: msg('Country and currency'),
  signature: msg('Webhook signature'),
  callback: msg('Webhook URL'),
  registration: msg('Registered webhook URL'),
  clock: msg('Clock'),
}

export function RailCheck({ rail }: { rail: string }) {
  const report = useSignal<RailDoctorReport | null>(null)
  const check = useAction(async () => {
    report.value = await api.admin.railDoctor(rail, { timeoutMs: TIMEOUT_MS, retries: 0 })
    announce(t(SUMMARIES[report.value.status]))
  })
  const isDisabled = !isAllowed('rails')
  return (
    <>
      <div class="choices">
        <button
          type="button"
          aria-disabled={isDisabled || check.busy.value}
          aria-describedby={isDisabled ? 'needs-rails' : undefined}
          onClick={() => !isDisabled && void check.run()}
        >
          {check.busy.value ? t('Checking …') : t('Check {rail}', { rail })}
        </button>
      </div>
      {check.failure.value && <ErrorNotice failure={check.failure.value} />}
      {report.value && <Result report={report.value} />}
    </>
  )
}

const Result = ({ report: { status, checkedAt, accounts } }: { report: RailDoctorReport }) => (
  <div class="checked" data-testid="rail-report">
    <p class={LOOKS[status]}>{t(SUMMARIES[status])}</p>
    <p class="help">{formatDateTime(checkedAt)}</p>
    {accounts.map((account) => (
      <section key={account.account}>
        <h3>
          <bdi>{account.account}</bdi>
        </h3>
        <ul class="rows lights">
          {account.probes.map(({ probe, ...found }) => (
            <li key={probe}>
              <p>
                <span class="row-name">{t(PROBES[probe])}</span>{' '}
                <span class={STATUSES[found.status][1]}>{t(STATUSES[found.status][0])}</span>
              </p>
              {/* The service writes findings in English. */}
              <p class="help" lang="en" dir="ltr">
                {found.finding}
              </p>
              {found.remedy !== null && (
                <p lang="en" dir="ltr">
                  {found.remedy}
                </p>
              )}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
