// The result of a run: status, cost, summary, and changes to read and download.
import type { FileEdit } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { showsCosts } from '../../../data/preferences/switches.ts'
import type { Me } from '../../../data/session.ts'
import { keep } from '../../../data/storage/browser-store.ts'
import { moment } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { goTo } from '../../../router/location.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Receipt } from '../../../ui/base/facts.tsx'
import { Part } from '../../../ui/base/sheet.tsx'
import { Coded } from '../../../ui/code/text-with-code.tsx'
import type { TaskFile } from '../composer/file-secrets.ts'
import { FORM } from '../composer/use-stored.ts'
import { Timeline } from '../progress/timeline.tsx'
import { Changes } from './changes.tsx'
import { type Compared, edited, useCompared } from './compare-edits.ts'
import { Cost } from './cost.tsx'
import { CopyAll, TakeAlong } from './download-changes.tsx'
import { type Bases, basesOf } from './original-files.ts'
import { Notes } from './rule-findings.tsx'
import { chipOf, STOPS, warningWords } from './run-texts.ts'
import type { Shown } from './run-view.ts'

type Props = { shown: Shown; me: Me; owner: string }

const NO_EDITS: readonly FileEdit[] = []

export function Result({ shown, me, owner }: Props) {
  const { id, result, stopReason, error } = shown
  const bases = useSignal<Bases | 'none' | null>(null)
  const added = useSignal<readonly TaskFile[]>([])
  useEffect(() => {
    void basesOf(owner, id).then((found) => {
      bases.value = found ?? 'none'
    })
  }, [owner, id])
  const known = bases.value === 'none' ? null : bases.value
  // Added files win over stored ones: they were checked against the record of the run.
  const files = useMemo(() => [...added.value, ...(known?.files ?? [])], [added.value, known])
  const compared = useCompared(result?.edits ?? NO_EDITS, files).value
  const chip = chipOf(shown)
  if (bases.value === null || !compared) return <span class="blank run-place" aria-busy="true" />
  return (
    <>
      <p class="outcome">
        <span class={`chip ${chip.class}`}>{t(chip.words)}</span>{' '}
        {shown.tests && (
          <span class="help">
            {t('{passed} passed, {failed} failed', {
              passed: shown.tests.passed,
              failed: shown.tests.failed,
            })}
          </span>
        )}
      </p>
      <Cost spentMinor={shown.costMinor} ceilingMinor={known?.ceilingMinor ?? null} currency={me.currency} />
      {stopReason && STOPS[stopReason] && <p>{t(STOPS[stopReason])}</p>}
      {error && (
        <p class="bad">
          <Coded text={error} />
        </p>
      )}
      {shown.testsModified && <p class="bad">{t('It changed files that decide about the tests.')}</p>}
      {result && <Words result={result} />}
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
        shown.status !== 'running' && <p class="help">{t('No file was changed.')}</p>
      )}
      {result && <Notes review={result.review} />}
      {known && known.steps.length > 0 && (
        <Part title={t('Steps')}>
          <Timeline steps={known.steps} currency={me.currency} />
        </Part>
      )}
      <Facts shown={shown} me={me} />
    </>
  )
}

type Found = NonNullable<Shown['result']>

function Words({ result: { summary, plan, warnings = [], context, withheld = [] } }: { result: Found }) {
  const omitted = context?.omitted ?? []
  return (
    <>
      <p class="written" dir="auto">
        <Coded text={summary} isModel />
      </p>
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning} dir="auto">
              <Coded text={warningWords(warning)} />
            </li>
          ))}
        </ul>
      )}
      {omitted.length > 0 && (
        <p class="help">
          {tn(
            omitted.length,
            '{n} file was not shown to the model whole:',
            '{n} files were not shown to the model whole:',
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
          <summary>{t('What it planned')}</summary>
          <p class="written" dir="auto">
            <Coded text={plan} isModel />
          </p>
        </details>
      )}
    </>
  )
}

type EditsProps = {
  id: string
  compared: readonly Compared[]
  files: readonly TaskFile[]
  owner: string
  onBase: (file: TaskFile) => void
}

function Edits({ id, compared, files, owner, onBase }: EditsProps) {
  async function goOn() {
    await keep(
      owner,
      FORM,
      'files',
      edited(
        files,
        compared.map(({ edit }) => edit),
      ),
    )
    goTo('/app/agent')
  }
  return (
    <Part title={tn(compared.length, '{n} file changed', '{n} files changed')}>
      <TakeAlong id={id} compared={compared} />
      <Changes compared={compared} onBase={onBase} />
      <div class="choices">
        {files.length > 0 && (
          <button type="button" onClick={() => void goOn()}>
            {t('Go on from these files')}
          </button>
        )}
        <CopyAll compared={compared} />
      </div>
    </Part>
  )
}

function Facts({ shown, me }: { shown: Shown; me: Me }) {
  const { balanceMinor, iterations, maxIters, lane, model, createdAt, kind, costMinor } = shown
  return (
    <Receipt
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
        [t('Begun'), moment(createdAt)],
      ]}
    />
  )
}
