// The form for a run: task, files, options and price. Its content is stored until a run succeeds.
import { useSignal } from '@preact/signals'
import type { TargetedDragEvent } from 'preact'
import { useMemo } from 'preact/hooks'
import { useDraft } from '../../../data/draft.ts'
import type { ApiFailure } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import type { Me } from '../../../data/session.ts'
import { keep } from '../../../data/storage/browser-store.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Refusal } from '../../../ui/base/error-notice.tsx'
import { chosen, dropped } from '../../../ui/files/picked-files.ts'
import { useKeyboardRoom } from '../../../ui/layout/keyboard-inset.ts'
import { readAmount } from '../../../ui/money/parse-amount.ts'
import { begin, isTaken, putAway } from '../progress/active-run.ts'
import { FileList, useFiles } from './file-list.tsx'
import type { TaskFile } from './file-secrets.ts'
import { IndexSearch } from './index-search.tsx'
import { Price } from './price.tsx'
import { MannerFields } from './run-options.tsx'
import { type Manner, orderOf, quoteBody, USUAL } from './task.ts'
import { useQuote } from './use-quote.ts'
import { useKept } from './use-stored.ts'

const PROMPT_CHARACTERS = 200_000
const NO_FILES: readonly TaskFile[] = []
export const DRAFT = 'agent'

type Props = { owner: string; me: Me; refused: ApiFailure | null }

/** Shows a placeholder until the stored content is loaded. */
export function Composer(props: Props) {
  const [files, putFiles] = useKept(props.owner, 'files', NO_FILES)
  const [manner, putManner] = useKept(props.owner, 'manner', USUAL)
  if (!files.value || !manner.value) return <span class="blank run-place" aria-busy="true" />
  return (
    <Form {...props} list={files.value} putFiles={putFiles} manner={manner.value} putManner={putManner} />
  )
}

type FormProps = Props & {
  list: readonly TaskFile[]
  putFiles: (files: readonly TaskFile[]) => void
  manner: Manner
  putManner: (manner: Manner) => void
}

function Form({ owner, me, refused, list, putFiles, manner, putManner }: FormProps) {
  useKeyboardRoom()
  const prompt = useDraft(DRAFT)
  const files = useFiles(list, putFiles)
  const put = (by: Partial<Manner>) => putManner({ ...manner, ...by })
  const limit = limitOf(manner.limit, me)
  const task = { prompt: prompt.value, files: list, manner: allowed(manner, me), tier: me.orgPolicy.tier }
  const body = useMemo(
    () => (prompt.value.trim() === '' || limit.fault !== null ? null : quoteBody(task, limit.minor)),
    [prompt.value, list, manner, me.orgPolicy.tier, me.orgPolicy.allowedLanes.join(), me.availableMinor],
  )
  const { quoted, again } = useQuote(body)
  const isOver = useSignal(false)
  const obstacle = obstacleFor(me, owner)
  const quote = quoted.state === 'ready' ? quoted.quote : null
  const canRun = obstacle === null && quote?.affordable === true

  async function run(): Promise<void> {
    if (!canRun || !quote) return
    // Store the last keystrokes before the form closes.
    await keep(owner, 'draft', DRAFT, prompt.peek())
    await begin(owner, orderOf(task, quote.maxMinor), quote.maxMinor)
  }

  function drop(event: TargetedDragEvent<HTMLFormElement>): void {
    event.preventDefault()
    isOver.value = false
    if (event.dataTransfer) void files.add(dropped(event.dataTransfer))
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
        void files.add(chosen(pasted))
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
          announce(t('{place} is named in the task.', { place }))
        }}
      />
      <MannerFields manner={manner} me={me} limitFault={limit.fault} put={put} />
      {refused && (
        <Refusal failure={refused}>
          {refused.code === 'sandbox_unavailable' && (
            <p>
              <button
                type="button"
                onClick={() => {
                  put({ sandbox: 'none' })
                  putAway()
                }}
              >
                {t('Go on without running the tests')}
              </button>
            </p>
          )}
        </Refusal>
      )}
      <div class="agent-bar">
        <Price quoted={quoted} currency={me.currency} again={again} />
        {obstacle && <p class="help bad">{obstacle}</p>}
        <button type="submit" class="primary" aria-disabled={!canRun} disabled={obstacle !== null}>
          {quote
            ? t('Run · up to {amount}', { amount: formatMoney(quote.maxMinor, me.currency) })
            : quoted.state === 'asking'
              ? t('Working out the price …')
              : t('Run')}
        </button>
      </div>
    </form>
  )
}

/** Why no paid work can start; null if it can. */
function obstacleFor({ orgSuspended }: Me, owner: string): string | null {
  if (!isOnline.value) return t('You are offline. All of this is kept; run it when you are back.')
  if (orgSuspended) return t('Your organisation is suspended. Its owner can write to us about it.')
  if (isTaken(owner)) return t('A run of another of your organisations is still under way in this tab.')
  return null
}

/** Drops options that the policy no longer allows. */
const allowed = (manner: Manner, { orgPolicy }: Me): Manner => ({
  ...manner,
  frontier: manner.frontier && orgPolicy.allowedLanes.includes('frontier'),
})

function limitOf(typed: string, { currency }: Me): { minor: bigint | null; fault: string | null } {
  if (typed.trim() === '') return { minor: null, fault: null }
  const read = readAmount(typed, currency)
  return 'minor' in read
    ? { minor: read.minor, fault: null }
    : { minor: null, fault: t('This {problem}.', { problem: read.fault }) }
}
