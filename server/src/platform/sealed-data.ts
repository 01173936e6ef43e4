// Stored data that is sealed with the service secret. After a rotation of the secret it is sealed again.
import type { Db, Tx } from './db/tx.ts'
import { type Secrets, UnsealError } from './secrets.ts'

type Parts = { readonly db: Db; readonly secrets: Secrets }

export type SealedData<App extends Parts = Parts> = {
  /** The table and the column, or where else it is stored. */
  readonly name: string
  /** Seals the next texts after `after` again that have another key. Repeating it has no effect. */
  resealPage(app: App, after: string): Promise<ResealedPage>
}

export type ResealedPage = {
  readonly resealed: number
  /** Texts that no secret opens. They are left as they are. */
  readonly unreadable: readonly string[]
  /** Undefined after the last page. */
  readonly next: string | undefined
}

export type SealedText = { readonly id: string; readonly sealed: string }
export type PageOfTexts = { readonly keyId: string; readonly after: string; readonly limit: number }

type SealedColumn = {
  readonly name: string
  /** The texts that do not start with `keyId`, in the order of their ids. Runs in the platform scope. */
  list(tx: Tx, page: PageOfTexts): Promise<SealedText[]>
  /** Replaces the text unless it has changed since. */
  replace(tx: Tx, was: SealedText, sealed: string): Promise<unknown>
  contextOf(id: string): string
}

const PAGE = 200

/** A column whose texts are each sealed with a context that follows from the id of their row. */
export const sealedColumn = ({ name, list, replace, contextOf }: SealedColumn): SealedData => ({
  name,
  resealPage: (app, after) =>
    app.db.tx('platform', async (tx) => {
      const found = await list(tx, { keyId: app.secrets.keyId, after, limit: PAGE })
      const unreadable: string[] = []
      for (const text of found) {
        const fresh = resealed(app, text, contextOf(text.id))
        if (fresh === null) unreadable.push(text.id)
        else await replace(tx, text, fresh)
      }
      const next = found.length < PAGE ? undefined : found.at(-1)?.id
      return { resealed: found.length - unreadable.length, unreadable, next }
    }),
})

function resealed({ secrets }: Parts, { sealed }: SealedText, context: string): string | null {
  try {
    return secrets.reseal(sealed, context)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}
