// A new task: what should change, where the files come from, the model, the budget, and the price before it starts.
import type { NewTask } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useDraft } from '../../data/draft.ts'
import { type Me, ownerOf, session } from '../../data/session.ts'
import { type AcceptedFiles, loadTaskFiles, NO_FILES, saveTaskFiles } from '../../data/task-files.ts'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { appLocation, navigate } from '../../router/location.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useKeyboardInset } from '../../ui/layout/keyboard-inset.ts'
import { parseAmount } from '../../ui/money/parse-amount.ts'
import { blockedReason } from './blocked-reason.ts'
import { ModelPicker } from './model-picker.tsx'
import { FileSource } from './new/file-source.tsx'
import { type GithubChoice, GithubSource, NO_CHOICE } from './new/github-source.tsx'
import { SAMPLE_COMMAND, SAMPLE_FILES, SAMPLE_PROMPT } from './new/sample.ts'
import { startTask } from './new/start-task.ts'
import { Price, priceLabel } from './price.tsx'
import { useQuote } from './use-quote.ts'

const PROMPT_CHARACTERS = 200_000
const DRAFT = 'task.new'

type Source = 'files' | 'github' | 'sample'
const SOURCES: readonly (readonly [Source, string])[] = [
  ['files', msg('Files')],
  ['github', msg('GitHub')],
  ['sample', msg('Sample')],
]

export default function NewTaskScreen() {
  const { value } = session
  // The old address of the agent.
  useEffect(() => {
    if (appLocation.peek().path === '/app/agent')
      navigate(`/app/tasks/new${location.search}`, { replace: true })
  }, [])
  return value.state === 'in' ? <NewTaskForm key={value.me.orgId} me={value.me} /> : null
}

function NewTaskForm({ me }: { me: Me }) {
  useKeyboardInset()
  const owner = ownerOf(session.value)
  const prompt = useDraft(DRAFT)
  const source = useSignal<Source>(appLocation.peek().query.has('sample') ? 'sample' : 'files')
  // The prompt of the front page travels in the address, and wins over a draft.
  useEffect(() => {
    const given = appLocation.peek().query.get('prompt')
    if (given) prompt.value = given
  }, [])
  const accepted = useStoredFiles(owner)
  const github = useSignal<GithubChoice>(NO_CHOICE)
  const model = useSignal('')
  const budget = useSignal('')
  const command = useSignal('')
  const limit = readLimit(budget.value, me)
  const text = prompt.value.trim()

  const asked = {
    prompt: text,
    ...(model.value !== '' && { model: model.value }),
    ...(limit.minor !== null && { budgetMinor: limit.minor }),
  }
  const name = text === '' || limit.error !== null ? null : JSON.stringify([text, model.value, budget.value])
  const { quoted, again } = useQuote(name, (signal) => api.tasks.quoteNew(asked, { signal }))
  const quote = quoted.state === 'ready' ? quoted.quote : null
  const workspace = useMemo(
    () => workspaceOf(source.value, accepted.value, github.value),
    [source.value, accepted.value, github.value],
  )
  const obstacle = blockedReason(me)
  const canStart = obstacle === null && quote?.affordable === true && workspace !== null
  const { run, busy, failure } = useAction(async () => {
    if (!quote || !workspace) return
    const { budgetMinor, ...turn } = asked
    const verify = command.value.trim() || (source.value === 'sample' ? SAMPLE_COMMAND : '')
    await startTask(
      {
        workspace,
        ...(model.value !== '' && { model: model.value }),
        ...(budgetMinor !== undefined && { budgetMinor }),
      },
      { ...turn, maxMinor: quote.maxMinor, ...(verify !== '' && { verify: { command: verify } }) },
    )
    prompt.value = ''
    accepted.value = NO_FILES
  })
  const start = () => {
    if (canStart) void run()
  }

  return (
    <Page title={t('New task')} width="reading">
      <form
        class="new-task"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <div class="field">
          <label for="prompt">{t('What should change?')}</label>
          <textarea
            id="prompt"
            name="prompt"
            rows={4}
            dir="auto"
            maxLength={PROMPT_CHARACTERS}
            value={prompt.value}
            onInput={(event) => {
              prompt.value = event.currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              start()
            }}
          />
        </div>
        <SourceField
          source={source}
          onChoose={(chosen) => {
            source.value = chosen
            if (chosen === 'sample' && prompt.peek().trim() === '') prompt.value = SAMPLE_PROMPT
          }}
        />
        {source.value === 'files' && <FileSource accepted={accepted} />}
        {source.value === 'github' && <GithubSource choice={github} />}
        {source.value === 'sample' && (
          <p class="help">{t('A small repository with a failing test. Nothing to upload.')}</p>
        )}
        <div class="field">
          <label for="model">{t('Model')}</label>
          <ModelPicker id="model" value={model.value} onChoose={(chosen) => (model.value = chosen)} />
        </div>
        <details class="fold">
          <summary>{t('Budget and tests')}</summary>
          <div class="pair">
            <Field
              name="budget"
              label={t('Task budget ({currency})', { currency: me.currency.code })}
              help={t('For all turns. Leave empty for no limit.')}
              error={limit.error}
              dir="ltr"
              inputMode="decimal"
              autocomplete="off"
              maxLength={24}
              value={budget.value}
              onInput={(event) => (budget.value = event.currentTarget.value)}
            />
            <Field
              name="command"
              label={t('Test command')}
              help={t('Leave empty to use the one of the repository.')}
              dir="ltr"
              autocapitalize="none"
              autocomplete="off"
              spellcheck={false}
              maxLength={2_000}
              value={command.value}
              onInput={(event) => (command.value = event.currentTarget.value)}
            />
          </div>
        </details>
        <div class="start-bar">
          <Price quoted={quoted} currency={me.currency} again={again} />
          {obstacle && <p class="help bad">{obstacle}</p>}
          {quote && workspace === null && <p class="help">{missingText(source.value)}</p>}
          {failure.value && <ErrorNotice failure={failure.value} />}
          <button
            type="submit"
            class="primary"
            disabled={obstacle !== null}
            aria-disabled={!canStart || busy.value}
          >
            {busy.value ? t('Sending files …') : priceLabel(t('Start'), quoted, me.currency)}
          </button>
        </div>
      </form>
    </Page>
  )
}

function SourceField({ source, onChoose }: { source: Signal<Source>; onChoose: (chosen: Source) => void }) {
  return (
    <fieldset class="field source-field">
      <legend>{t('Where is the code?')}</legend>
      {SOURCES.map(([id, words]) => (
        <label key={id} class="source-choice">
          <input
            type="radio"
            name="source"
            value={id}
            checked={source.value === id}
            onChange={() => onChoose(id)}
          />
          <span>{t(words)}</span>
        </label>
      ))}
    </fieldset>
  )
}

const missingText = (source: Source): string =>
  source === 'github' ? t('Choose a repository.') : t('Choose a folder or files.')

/** Null while nothing is chosen. */
function workspaceOf(
  source: Source,
  { files }: AcceptedFiles,
  github: GithubChoice,
): NewTask['workspace'] | null {
  if (source === 'sample') return { kind: 'files', files: SAMPLE_FILES }
  if (source === 'github') return github.repository === '' ? null : { kind: 'repository', ...github }
  return files.length === 0
    ? null
    : { kind: 'files', files: files.map(({ path, content }) => ({ path, content })) }
}

/** The chosen files survive a reload and an empty battery. */
function useStoredFiles(owner: string): Signal<AcceptedFiles> {
  const accepted = useSignal(NO_FILES)
  useEffect(() => {
    let isLoaded = false
    void loadTaskFiles(owner).then((stored) => {
      if (stored && accepted.peek() === NO_FILES) accepted.value = stored
      isLoaded = true
    })
    return accepted.subscribe((value) => {
      if (isLoaded) void saveTaskFiles(owner, value)
    })
  }, [owner])
  return accepted
}

function readLimit(typed: string, { currency }: Me): { minor: bigint | null; error: string | null } {
  if (typed.trim() === '') return { minor: null, error: null }
  const read = parseAmount(typed, currency)
  return 'minor' in read
    ? { minor: read.minor, error: null }
    : { minor: null, error: t('This {problem}.', { problem: read.error }) }
}
