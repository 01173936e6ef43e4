// Whether tests confirm a turn: the command, the result before and after, and the reason.
import type { TaskVerification } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import { StateMark } from '../task-texts.tsx'
import { runText } from './turn-texts.ts'

const VERIFICATIONS: Readonly<Record<TaskVerification['reason'], string>> = {
  failed_before_passes_now: msg('The tests failed before and pass now.'),
  new_test_passes: msg('A new test passes, and fails without the change.'),
  passed_before: msg('The tests passed before too, so they do not prove the change.'),
  still_fails: msg('The tests still fail.'),
  tests_changed: msg('Existing tests were changed, so they prove nothing.'),
  hard_coded: msg('The code hard-codes answers from the tests.'),
  flaky: msg('The tests are unreliable: they pass and fail by chance.'),
  no_tests_ran: msg('The command ran no tests.'),
  no_changes: msg('No file changed.'),
  no_command: msg('There is no test command.'),
  no_sandbox: msg('Tests cannot run right now.'),
  dependencies_failed: msg('The packages of the project could not be installed.'),
  sandbox_failed: msg('The tests could not be run.'),
  timed_out: msg('The tests took too long.'),
  stopped: msg('It was stopped before the tests ran.'),
}

export function Verification({ found }: { found: TaskVerification }) {
  const { verified, command, before, after, reason, detail, excerpt, dependencies } = found
  return (
    <div class="verification">
      <p class="verification-line">
        {verified ? <StateMark state="verified" /> : <span class="chip">{t('Not verified')}</span>}{' '}
        {command && <code dir="ltr">{command}</code>}{' '}
        {after && (
          <span data-testid="tests">
            {before && <>{runText(before)} → </>}
            {runText(after)}
          </span>
        )}
      </p>
      <p class="help">
        {t(VERIFICATIONS[reason])} {detail && <span dir="auto">{detail}</span>}
        {dependencies.state === 'failed' && dependencies.reason && (
          <span dir="auto"> {dependencies.reason}</span>
        )}
      </p>
      {excerpt !== '' && (
        <details class="fold">
          <summary>{t('Test output')}</summary>
          <CodeBox label={t('Test output')}>
            <pre>{excerpt}</pre>
          </CodeBox>
        </details>
      )}
    </div>
  )
}
