// The form for a run: task, files, options and price. Its content is stored until a run succeeds.
import { useSignal } from '@preact/signals'
import type { TargetedDragEvent } from 'preact'
import { useMemo } from 'preact/hooks'
import { useDraft } from '../../../data/draft.ts'
import type { ApiFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import type { Me } from '../../../data/session.ts'
import { saveRow } from '../../../data/storage/browser-store.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { chosenFiles, droppedFiles } from '../../../ui/files/picked-files.ts'
import { useKeyboardInset } from '../../../ui/layout/keyboard-inset.ts'
import { parseAmount } from '../../../ui/money/parse-amount.ts'
import { closeRun, isBusyElsewhere, startRun } from '../progress/active-run.ts'
import { FileList, useFiles } from './file-list.tsx'
import type { TaskFile } from './file-secrets.ts'
import { IndexSearch } from './index-search.tsx'
import { Price } from './price.tsx'
import { RunOptionFields } from './run-options.tsx'
import { DEFAULT_OPTIONS, quoteBody, type RunOptions, runRequest } from './task.ts'
import { useQuote } from './use-quote.ts'
import { useStored } from './use-stored.ts'

const PROMPT_CHARACTERS = 200_000
const NO_FILES: readonly TaskFile[] = []
export const DRAFT = 'agent'

type Props = { owner: string; me: Me; failure: ApiFailure | null }

/** Shows a placeholder until the stored content is loaded. */
export function Composer(props: Props) {
  const [files, putFiles] = useStored(props.owner, 'files', NO_FILES)
  const [options, putOptions] = useStored(props.owner, 'manner', DEFAULT_OPTIONS)
  if (!files.value || !options.value) return <span class="blank run-place" aria-busy="true" />
  return (
    <Form {...props} list={files.value} putFiles={putFiles} options={options.value} putOptions={putOptions} />
  )
}

type FormProps = Props & {
  list: readonly TaskFile[]
  putFiles: (files: readonly TaskFile[]) => void
  options: RunOptions
  putOptions: (options: RunOptions) => void
}

function Form({ owner, me, failure, list, putFiles, options, putOptions }: FormProps) {
  useKeyboardInset()
  const prompt = useDraft(DRAFT)
  const files = useFiles(list, putFiles)
  const put = (by: Partial<RunOptions>) => putOptions({ ...options, ...by })
  const limit = limitOf(options.limit, me)
  const task = {
    prompt: prompt.value,
    files: list,
    options: withinPolicy(options, me),
    tier: me.orgPolicy.tier,
  }
  const body = useMemo(
    () => (prompt.value.trim() === '' || limit.error !== null ? null : quoteBody(task, limit.minor)),
    [prompt.value, list, options, me.orgPolicy.tier, me.orgPolicy.allowedLanes.join(), me.availableMinor],
  )
  const { quoted, again } = useQuote(body)
  const isOver = useSignal(false)
  const obstacle = blockedReason(me, owner)
  const quote = quoted.state === 'ready' ? quoted.quote : null
  const canRun = obstacle === null && quote?.affordable === true

  async function run(): Promise<void> {
    if (!canRun || !quote) return
    // Store the last keystrokes before the form closes.
    await saveRow(owner, 'draft', DRAFT, prompt.peek())
    await startRun(owner, runRequest(task, quote.maxMinor), quote.maxMinor)
  }

  function drop(event: TargetedDragEvent<HTMLFormElement>): void {
    event.preventDefault()
    isOver.value = false
    if (event.dataTransfer) void files.add(droppedFiles(event.dataTransfer))
  }

  return (
    <form
      class={isOver.value ? 'agent-form over' : 'agent-form'}
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run()
      }}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={drop}
      onPaste={(event) => {
        const pasted = event.clipboardData?.files ?? []
        if (pasted.length === 0) return
        event.preventDefault()
        void files.add(chosenFiles(pasted))
      }}
    >
      <div class="field">
        <label for="prompt">{t('What should change?')}</label>
        <textarea
          id="prompt"
          name="prompt"
          rows={5}
          dir="auto"
          maxLength={PROMPT_CHARACTERS}
          value={prompt.value}
          onInput={(event) => (prompt.value = event.currentTarget.value)}
        />
      </div>
      <FileList files={files} />
      <IndexSearch
        onMention={(place) => {
          prompt.value = `${prompt.value.trimEnd()}${prompt.value.trim() === '' ? '' : '\n'}${place} `
          announce(t('{place} is mentioned in the task.', { place }))
        }}
      />
      <RunOptionFields options={options} me={me} limitFault={limit.error} put={put} />
      {failure && (
        <ErrorNotice failure={failure}>
          {failure.code === 'sandbox_unavailable' && (
            <p>
              <button
                type="button"
                onClick={() => {
                  put({ sandbox: 'none' })
                  closeRun()
                }}
              >
                {t('Continue without tests')}
              </button>
            </p>
          )}
        </ErrorNotice>
      )}
      <div class="agent-bar">
        <Price quoted={quoted} currency={me.currency} again={again} />
        {obstacle && <p class="help bad">{obstacle}</p>}
        <button type="submit" class="primary" aria-disabled={!canRun} disabled={obstacle !== null}>
          {quote
            ? t('Run · up to {amount}', { amount: formatMoney(quote.maxMinor, me.currency) })
            : quoted.state === 'asking'
              ? t('Calculating the price …')
              : t('Run')}
        </button>
      </div>
    </form>
  )
}

/** Why no paid work can start; null if it can. */
function blockedReason({ orgSuspended }: Me, owner: string): string | null {
  if (!isOnline.value) return t('You are offline. Your input is saved; run it when you are back online.')
  if (orgSuspended) return t('Your organisation is suspended. Its owner can contact us.')
  if (isBusyElsewhere(owner)) return t('A run of another organisation is active in this tab.')
  return null
}

/** Drops options that the policy no longer allows. */
const withinPolicy = (options: RunOptions, { orgPolicy }: Me): RunOptions => ({
  ...options,
  frontier: options.frontier && orgPolicy.allowedLanes.includes('frontier'),
})

function limitOf(typed: string, { currency }: Me): { minor: bigint | null; error: string | null } {
  if (typed.trim() === '') return { minor: null, error: null }
  const read = parseAmount(typed, currency)
  return 'minor' in read
    ? { minor: read.minor, error: null }
    : { minor: null, error: t('This {problem}.', { problem: read.error }) }
}
