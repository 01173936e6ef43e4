// Adds files to the index. It shows the price first, and a retry is never charged twice.
import type { IndexReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { asFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { newKey, sendPaidRequest } from '../../data/paid-request.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { DropZone, FilePicker } from '../../ui/files/file-picker.tsx'
import type { PickedFile } from '../../ui/files/picked-files.ts'
import { readFiles, type SkippedFile, type TextFile } from '../../ui/files/read-files.ts'
import { SkippedFiles } from '../../ui/files/skipped-files.tsx'
import { batchesOf } from './batches.ts'
import { repoOfFiles } from './chosen-repo.ts'
import { REASONS } from './reasons.ts'

const ROOM = { files: 2_000, bytes: 30_000_000, fileBytes: 400 * 1024 }
/** Embedding is slow, and so are uploads over slow networks. */
const TIMEOUT_MS = 5 * 60_000

/** One request. Its id is created once, so that sending it again changes nothing and costs nothing. */
type Batch = { id: string; files: TextFile[]; told: IndexReply }
type Progress = { done: number; of: number }
type AddedResult = { files: number; unchanged: number; costMinor: bigint }

type Props = {
  me: Me
  /** The open repository. */
  repo: string
  isOff: boolean
  onAdded: (repo: string) => Promise<void>
}

export function AddFiles({ me, repo, isOff, onAdded }: Props) {
  /** The repository of the chosen files. */
  const target = useSignal(repo)
  const batches = useSignal<readonly Batch[] | null>(null)
  const leftOut = useSignal<readonly SkippedFile[]>([])
  const progress = useSignal<Progress | null>(null)
  const added = useSignal<AddedResult | null>(null)

  /** Quotes each request and shows the progress. */
  async function price(pieces: readonly TextFile[][]): Promise<Batch[]> {
    const priced: Batch[] = []
    try {
      for (const files of pieces) {
        progress.value = { done: priced.length, of: pieces.length }
        const told = await api.index.add(
          { repo: target.peek(), files, preview: true },
          { timeoutMs: TIMEOUT_MS },
        )
        priced.push({ id: newKey(), files, told })
      }
    } finally {
      progress.value = null
    }
    return priced
  }

  const asking = useAction(async (offered: PickedFile[]) => {
    batches.value = null
    added.value = null
    adding.reset()
    target.value = repoOfFiles(offered, repo)
    const read = await readFiles(offered, ROOM)
    leftOut.value = read.leftOut
    const priced = await price(batchesOf(read.files))
    const skipped = priced.flatMap(({ told }) => told.skipped)
    leftOut.value = [...read.leftOut, ...new Map(skipped.map((each) => [each.path, each])).values()]
    batches.value = priced
    const sum = sumOf(priced.map(({ told }) => told))
    announce(
      tn(sum.files, '{n} file to index, for at most {amount}.', '{n} files to index, for at most {amount}.', {
        amount: formatMoney(sum.costMinor, me.currency),
      }),
    )
  })

  const adding = useAction(async () => {
    let sum = added.peek() ?? { files: 0, unchanged: 0, costMinor: 0n }
    const waiting = batches.peek() ?? []
    try {
      for (const [at, { id, files, told }] of waiting.entries()) {
        progress.value = { done: at, of: waiting.length }
        const body = { repo: target.peek(), files, maxCostMinor: told.costMinor }
        const reply = await sendPaidRequest('index', id, (once) =>
          api.index.add(body, { ...once, timeoutMs: TIMEOUT_MS }),
        )
        sum = sumOf([reply], sum)
        added.value = sum
        // Finished requests are not sent again, whatever happens to the others.
        batches.value = waiting.slice(at + 1)
      }
      batches.value = null
    } catch (error) {
      // Quote the others again before asking the user.
      if (asFailure(error).code === 'price_changed')
        batches.value = await price((batches.peek() ?? []).map(({ files }) => files))
      throw error
    } finally {
      progress.value = null
      await Promise.all([onAdded(target.peek()), reloadSession()])
    }
    announce(resultText(sum, me))
  })

  const isBusy = asking.busy.value || adding.busy.value
  const failure = adding.failure.value ?? asking.failure.value
  const disabledReason = blockedReason(me, isOff)
  const total = batches.value && sumOf(batches.value.map(({ told }) => told))
  return (
    <>
      <DropZone disabled={disabledReason !== null || isBusy} onDropped={asking.run}>
        <div class="choices">
          <FilePicker
            label={t('Add files')}
            disabled={disabledReason !== null || isBusy}
            onPick={asking.run}
          />
          <FilePicker
            label={t('Add a folder')}
            isFolder
            disabled={disabledReason !== null || isBusy}
            onPick={asking.run}
          />
        </div>
        <p class="help">
          {disabledReason ??
            t('Or drop them here: up to 2,000 files of 400 kB. Files in .gitignore are skipped.')}
        </p>
      </DropZone>
      {progress.value && <Running progress={progress.value} isPaid={adding.busy.value} />}
      {failure && <ErrorNotice failure={failure} />}
      {total && !isBusy && (
        <div class="told">
          <p>
            <Trans
              text="{files} to index, for at most {amount}."
              files={tn(total.files, '{n} file', '{n} files')}
              amount={<Amount minor={total.costMinor} currency={me.currency} testId="index-price" />}
            />{' '}
            {total.unchanged > 0 &&
              tn(total.unchanged, '{n} is unchanged and free.', '{n} are unchanged and free.')}
          </p>
          <p class="help">
            {t('Repository')}: <bdi dir="ltr">{target.value}</bdi>
          </p>
          <div class="choices">
            <button
              type="button"
              class="primary"
              disabled={disabledReason !== null}
              aria-disabled={total.files === 0 && leftOut.value.length === 0}
              onClick={() => void adding.run()}
            >
              {failure && failure.code !== 'price_changed'
                ? t('Continue with the rest')
                : t('Index for at most {amount}', { amount: formatMoney(total.costMinor, me.currency) })}
            </button>
            <button
              type="button"
              onClick={() => {
                batches.value = null
                leftOut.value = []
                adding.reset()
              }}
            >
              {t('Go back')}
            </button>
          </div>
        </div>
      )}
      {added.value && !isBusy && (
        <p class="note" data-testid="index-added">
          {resultText(added.value, me)}
        </p>
      )}
      <SkippedFiles
        files={leftOut.value}
        title={tn(leftOut.value.length, '{n} file skipped', '{n} files skipped')}
        reasonOf={(reason) => t(REASONS[reason] ?? reason)}
      />
    </>
  )
}

const Running = ({ progress: { done, of }, isPaid }: { progress: Progress; isPaid: boolean }) => (
  <p class="running" role="status">
    <progress value={done} max={of} aria-label={t('Progress')} />{' '}
    {isPaid ? t('Indexing …') : t('Calculating the price …')}
  </p>
)

const sumOf = (
  replies: readonly IndexReply[],
  from: AddedResult = { files: 0, unchanged: 0, costMinor: 0n },
): AddedResult =>
  replies.reduce(
    (sum, { indexed, unchanged, costMinor }) => ({
      files: sum.files + indexed,
      unchanged: sum.unchanged + unchanged,
      costMinor: sum.costMinor + costMinor,
    }),
    from,
  )

const resultText = ({ files, costMinor }: AddedResult, { currency }: Me): string =>
  tn(files, '{n} file was indexed for {amount}.', '{n} files were indexed for {amount}.', {
    amount: formatMoney(costMinor, currency),
  })

/** Why nothing can be added; null if it can. */
function blockedReason({ orgSuspended }: Me, isOff: boolean): string | null {
  if (isOff) return t('Indexing is turned off at the moment.')
  if (!isOnline.value) return t('You are offline. You can add code when you are back online.')
  if (orgSuspended) return t('Your organisation is suspended. Its owner can contact us.')
  return null
}
