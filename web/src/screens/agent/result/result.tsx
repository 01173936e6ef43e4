// The result of a run: status, cost, summary, and changes to read and download.
import type { FileEdit } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { showsCosts } from '../../../data/preferences/switches.ts'
import type { Me } from '../../../data/session.ts'
import { saveRow } from '../../../data/storage/browser-store.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { navigate } from '../../../router/location.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { TextWithCode } from '../../../ui/code/text-with-code.tsx'
import type { TaskFile } from '../composer/file-secrets.ts'
import { FORM_KIND } from '../composer/use-stored.ts'
import { Timeline } from '../progress/timeline.tsx'
import { Changes } from './changes.tsx'
import { applyEdits, type ComparedEdit, useComparedEdits } from './compare-edits.ts'
import { Cost } from './cost.tsx'
import { CopyAll, DownloadChanges } from './download-changes.tsx'
import { loadOriginals, type OriginalFiles } from './original-files.ts'
import { RuleFindings } from './rule-findings.tsx'
import { chipOf, STOP_TEXTS, warningText } from './run-texts.ts'
import type { RunView } from './run-view.ts'

type Props = { view: RunView; me: Me; owner: string }

const NO_EDITS: readonly FileEdit[] = []

export function Result({ view, me, owner }: Props) {
  const { id, result, stopReason, error } = view
  const bases = useSignal<OriginalFiles | 'none' | null>(null)
  const added = useSignal<readonly TaskFile[]>([])
  useEffect(() => {
    void loadOriginals(owner, id).then((found) => {
      bases.value = found ?? 'none'
    })
  }, [owner, id])
  const known = bases.value === 'none' ? null : bases.value
  // Added files win over stored ones: they were checked against the record of the run.
  const files = useMemo(() => [...added.value, ...(known?.files ?? [])], [added.value, known])
  const compared = useComparedEdits(result?.edits ?? NO_EDITS, files).value
  const chip = chipOf(view)
  if (bases.value === null || !compared) return <span class="blank run-place" aria-busy="true" />
  return (
    <>
      <p class="outcome">
        <span class={`chip ${chip.class}`}>{t(chip.words)}</span>{' '}
        {view.tests && (
          <span class="help">
            {t('{passed} passed, {failed} failed', {
              passed: view.tests.passed,
              failed: view.tests.failed,
            })}
          </span>
        )}
      </p>
      <Cost spentMinor={view.costMinor} ceilingMinor={known?.ceilingMinor ?? null} currency={me.currency} />
      {stopReason && STOP_TEXTS[stopReason] && <p>{t(STOP_TEXTS[stopReason])}</p>}
      {error && (
        <p class="bad">
          <TextWithCode text={error} />
        </p>
      )}
      {view.testsModified && <p class="bad">{t('It changed files that affect the tests.')}</p>}
      {result && <Summary result={result} />}
      {compared.length > 0 ? (
        <Edits
          id={id}
          compared={compared}
          files={known?.files ?? []}
          owner={owner}
          onBase={(file) => {
            added.value = [...added.value, file]
          }}
        />
      ) : (
        view.status !== 'running' && <p class="help">{t('No file was changed.')}</p>
      )}
      {result && <RuleFindings review={result.review} />}
      {known && known.steps.length > 0 && (
        <Section title={t('Steps')}>
          <Timeline steps={known.steps} currency={me.currency} />
        </Section>
      )}
      <RunFacts view={view} me={me} />
    </>
  )
}

type Found = NonNullable<RunView['result']>

function Summary({ result: { summary, plan, warnings = [], context, withheld = [] } }: { result: Found }) {
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
          {tn(
            omitted.length,
            '{n} file was only partly sent to the model:',
            '{n} files were only partly sent to the model:',
          )}{' '}
          <bdi dir="ltr">{omitted.map(({ path }) => path).join(', ')}</bdi>
        </p>
      )}
      {withheld.length > 0 && (
        <p class="help">
          {t('Withheld from the model because of secrets:')}{' '}
          <bdi dir="ltr">
            {withheld.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(', ')}
          </bdi>
        </p>
      )}
      {plan && (
        <details class="plan">
          <summary>{t('Plan of the agent')}</summary>
          <p class="written" dir="auto">
            <TextWithCode text={plan} isModel />
          </p>
        </details>
      )}
    </>
  )
}

type EditsProps = {
  id: string
  compared: readonly ComparedEdit[]
  files: readonly TaskFile[]
  owner: string
  onBase: (file: TaskFile) => void
}

function Edits({ id, compared, files, owner, onBase }: EditsProps) {
  async function goOn() {
    await saveRow(
      owner,
      FORM_KIND,
      'files',
      applyEdits(
        files,
        compared.map(({ edit }) => edit),
      ),
    )
    navigate('/app/agent')
  }
  return (
    <Section title={tn(compared.length, '{n} file changed', '{n} files changed')}>
      <DownloadChanges id={id} compared={compared} />
      <Changes compared={compared} onBase={onBase} />
      <div class="choices">
        {files.length > 0 && (
          <button type="button" onClick={() => void goOn()}>
            {t('Continue with these files')}
          </button>
        )}
        <CopyAll compared={compared} />
      </div>
    </Section>
  )
}

function RunFacts({ view, me }: { view: RunView; me: Me }) {
  const { balanceMinor, iterations, maxIters, lane, model, createdAt, kind, costMinor } = view
  return (
    <Facts
      lines={[
        ...(showsCosts.value
          ? [[t('Cost'), <Amount key="cost" minor={costMinor} currency={me.currency} />] as const]
          : []),
        ...(balanceMinor === null
          ? []
          : [
              [
                t('Balance after'),
                <Amount key="left" minor={balanceMinor} currency={me.currency} />,
              ] as const,
            ]),
        ...(kind === 'loop'
          ? [[t('Rounds'), t('{used} of {most}', { used: iterations, most: maxIters })] as const]
          : []),
        [t('Model'), `${model} · ${lane === 'frontier' ? t('frontier lane') : t('open lane')}`],
        [t('Started'), formatDateTime(createdAt)],
      ]}
    />
  )
}
