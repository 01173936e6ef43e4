// One run of the API or the CLI: its outcome and the files that it wrote.
import type { AgentRun } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { showsCosts } from '../../data/preferences/switches.ts'
import { useResource } from '../../data/resource.ts'
import { ownerOf, session } from '../../data/session.ts'
import { NO_FILES, saveTaskFiles } from '../../data/task-files.ts'
import { formatDateTime } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { TextWithCode } from '../../ui/code/text-with-code.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { RuleFindings } from './rule-findings.tsx'
import { chipOf, STOP_TEXTS, testsOf, warningText } from './run-texts.ts'
import { WrittenFiles } from './written-files.tsx'
import { zipOf } from './zip.ts'

type Result = NonNullable<AgentRun['result']>

export default function Run({ id = '' }: { id?: string }) {
  const current = session.value
  if (current.state !== 'in') return null
  return <OpenRun key={ownerOf(current)} id={id} currency={current.me.currency} owner={ownerOf(current)} />
}

function OpenRun({ id, currency, owner }: { id: string; currency: Currency; owner: string }) {
  const { current, load } = useResource(`agent run ${id}`, () => api.agent.runs.get(id))
  const state = current.value
  const run = state.state === 'ready' ? state.value : null
  const written = (run?.result?.edits ?? []).filter(({ action }) => action !== 'delete')
  /** The new texts become the files of a task. */
  async function goOn(): Promise<void> {
    const files = written.map(({ path, content }) => ({
      path,
      content,
      bytes: new TextEncoder().encode(content).length,
    }))
    await saveTaskFiles(owner, { ...NO_FILES, files })
    navigate('/app/tasks/new')
  }
  return (
    <Page
      title={t('Agent run')}
      width="reading"
      action={
        run?.status === 'running' ? (
          <button type="button" onClick={() => void load()}>
            {t('Check again')}
          </button>
        ) : (
          written.length > 0 && (
            <button type="button" class="primary" onClick={() => void goOn()}>
              {t('Continue as a task')}
            </button>
          )
        )
      }
      menu={
        <Menu label={t('More actions')}>
          {written.length > 0 && (
            <>
              <button
                type="button"
                onClick={() =>
                  saveFile(`cowrie-${id.slice(-6)}.zip`, [zipOf(written, new Date())], 'application/zip')
                }
              >
                {t('Download files')}
              </button>
              <button type="button" onClick={() => void copy(written.map(withHeader).join('\n'))}>
                {t('Copy all')}
              </button>
            </>
          )}
          <a href="/app/agent/runs">{t('Past runs')}</a>
          <a href="/app/tasks/new">{t('New task')}</a>
        </Menu>
      }
    >
      {state.state === 'failed' && <ErrorNotice failure={state.failure} retry={load} />}
      {state.state === 'loading' && <span class="blank run-place" aria-busy="true" />}
      {run && <Outcome run={run} currency={currency} />}
    </Page>
  )
}

const withHeader = ({ path, content }: { path: string; content: string }): string =>
  `==> ${path} <==\n${content}`

async function copy(text: string): Promise<void> {
  const isDone = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  announce(isDone ? t('Copied.') : t('This browser blocks copying.'))
}

function Outcome({ run, currency }: { run: AgentRun; currency: Currency }) {
  const { result, stopReason, error } = run
  const chip = chipOf(run)
  const { tests, testsModified } = testsOf(run)
  const edits = result?.edits ?? []
  return (
    <>
      <p class="asked" dir="auto">
        {run.prompt}
      </p>
      <p>
        <span class={`chip ${chip.class}`}>{t(chip.words)}</span>{' '}
        {tests && <span>{t('{passed} passed, {failed} failed', tests)}</span>}
      </p>
      {stopReason && STOP_TEXTS[stopReason] && <p>{t(STOP_TEXTS[stopReason])}</p>}
      {error && (
        <p class="bad">
          <TextWithCode text={error} />
        </p>
      )}
      {testsModified && <p class="bad">{t('It changed files that affect the tests.')}</p>}
      {result && <Summary result={result} />}
      {edits.length > 0 ? (
        <Section title={tn(edits.length, '{n} file changed', '{n} files changed')}>
          <WrittenFiles edits={edits} />
        </Section>
      ) : (
        run.status !== 'running' && <p class="help">{t('No file was changed.')}</p>
      )}
      {result && <RuleFindings review={result.review} />}
      <RunFacts run={run} currency={currency} />
    </>
  )
}

function Summary({ result: { summary, plan, warnings = [], context, withheld = [] } }: { result: Result }) {
  const omitted = context?.omitted ?? []
  return (
    <>
      <p class="written" dir="auto">
        <TextWithCode text={summary} isModel />
      </p>
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning} dir="auto">
              <TextWithCode text={warningText(warning)} />
            </li>
          ))}
        </ul>
      )}
      {omitted.length > 0 && (
        <p class="help">
          {tn(omitted.length, 'The model saw {n} file in part:', 'The model saw {n} files in part:')}{' '}
          <bdi dir="ltr">{omitted.map(({ path }) => path).join(', ')}</bdi>
        </p>
      )}
      {withheld.length > 0 && (
        <p class="help">
          {t('Hidden from the model because of secrets:')}{' '}
          <bdi dir="ltr">
            {withheld.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(', ')}
          </bdi>
        </p>
      )}
      {plan && (
        <details class="fold">
          <summary>{t('Plan')}</summary>
          <p class="written" dir="auto">
            <TextWithCode text={plan} isModel />
          </p>
        </details>
      )}
    </>
  )
}

function RunFacts({ run, currency }: { run: AgentRun; currency: Currency }) {
  const { iterations, maxIters, lane, model, createdAt, kind, costMinor } = run
  return (
    <Facts
      lines={[
        ...(showsCosts.value
          ? [
              [
                t('Cost'),
                <Amount key="cost" minor={costMinor} currency={currency} testId="run-cost" />,
              ] as const,
            ]
          : []),
        ...(kind === 'loop'
          ? [[t('Rounds'), t('{used} of {most}', { used: iterations, most: maxIters })] as const]
          : []),
        [t('Model'), `${model} · ${lane === 'frontier' ? t('frontier lane') : t('open lane')}`],
        [t('Started'), formatDateTime(createdAt)],
      ]}
    />
  )
}
