// What came of a run: how it ended, what it cost, what it says, and its changes to read and to take along.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Amount } from '../app/amount.tsx'
import { goTo } from '../app/place.ts'
import { Receipt } from '../app/receipt.tsx'
import { Part } from '../app/sheet.tsx'
import { keep } from '../app/store.ts'
import { moment } from '../app/words.ts'
import { t, tn } from '../i18n/t.ts'
import type { Me } from '../identity/session.ts'
import { type Bases, basesOf } from './bases.ts'
import { Changes } from './changes.tsx'
import { edited, useCompared } from './compared.ts'
import { Cost } from './cost.tsx'
import { Notes } from './notes.tsx'
import type { Shown } from './shown.ts'
import { CopyAll, TakeAlong } from './take-along.tsx'
import type { TaskFile } from './task.ts'
import { Timeline } from './timeline.tsx'
import { FORM } from './use-kept.ts'
import { chipOf, STOPS, warningWords } from './words.ts'

type Props = { shown: Shown; me: Me; owner: string }

export function Result({ shown, me, owner }: Props) {
  const { id, result, stopReason, error } = shown
  const bases = useSignal<Bases | null>(null)
  const isLooked = useSignal(false)
  useEffect(() => {
    void basesOf(owner, id).then((found) => {
      bases.value = found
      isLooked.value = true
    })
  }, [owner, id])
  const chip = chipOf(shown)
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
      <Cost
        spentMinor={shown.costMinor}
        ceilingMinor={bases.value?.ceilingMinor ?? null}
        currency={me.currency}
      />
      {stopReason && STOPS[stopReason] && <p>{t(STOPS[stopReason])}</p>}
      {error && <p class="bad">{error}</p>}
      {shown.testsModified && <p class="bad">{t('It changed files that decide about the tests.')}</p>}
      {result && <Words result={result} />}
      {result && result.edits.length > 0 && isLooked.value && (
        <Edits shown={shown} result={result} files={bases.value?.files ?? []} owner={owner} />
      )}
      {result && <Notes review={result.review} />}
      {(bases.value?.steps.length ?? 0) > 0 && (
        <Part title={t('Steps')}>
          <Timeline steps={bases.value?.steps ?? []} currency={me.currency} />
        </Part>
      )}
      <Facts shown={shown} me={me} />
    </>
  )
}

type Found = NonNullable<Shown['result']>

function Words({ result: { summary, plan, warnings = [], context } }: { result: Found }) {
  const omitted = context?.omitted ?? []
  return (
    <>
      <p class="written" dir="auto">
        {summary}
      </p>
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning} dir="auto">
              {warningWords(warning)}
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
      {plan && (
        <details class="plan">
          <summary>{t('Plan')}</summary>
          <p class="written" dir="auto">
            {plan}
          </p>
        </details>
      )}
    </>
  )
}

type EditsProps = { shown: Shown; result: Found; files: readonly TaskFile[]; owner: string }

function Edits({ shown, result, files, owner }: EditsProps) {
  const added = useSignal<readonly TaskFile[]>([])
  // What is added to compare goes before what was kept: it was held against the run's own record.
  const all = useMemo(() => [...added.value, ...files], [added.value, files])
  const compared = useCompared(result.edits, all).value
  if (!compared) return <span class="blank control" aria-busy="true" />
  async function goOn() {
    await keep(owner, FORM, 'files', edited(files, result.edits))
    goTo('/app/agent')
  }
  return (
    <Part title={tn(compared.length, '{n} file changed', '{n} files changed')}>
      <TakeAlong id={shown.id} compared={compared} />
      <Changes
        compared={compared}
        onBase={(file) => {
          added.value = [...added.value, file]
        }}
      />
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
        [t('Cost'), <Amount key="cost" minor={costMinor} currency={me.currency} />],
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
