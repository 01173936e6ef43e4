// Searches the index by words and by meaning. Free, unless a model adds words to the query.
import type { SearchReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t, tn } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { CodeLines } from '../../ui/code/code-lines.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { highlightMatches, searchTerms } from './match-highlights.ts'
import { type QuotedSearch, quoteSearch, RewriteReport, SearchPrice, searchRewritten } from './rewrite.tsx'

const QUERY_CHARACTERS = 2_000
const HITS = 10

type Hit = SearchReply['hits'][number]
type SearchResult = { query: string; reply: SearchReply }

/** Works on indexed files even where adding is switched off; the service reports if it cannot. */
export function Search({ repo, me }: { repo: string; me: Me }) {
  const answered = useSignal<SearchResult | null>(null)
  const isRewritten = useSignal(false)
  const quoted = useSignal<QuotedSearch | null>(null)
  const show = (query: string, reply: SearchReply) => {
    quoted.value = null
    answered.value = { query, reply }
    announce(tn(reply.hits.length, '{n} result found.', '{n} results found.'))
  }
  const asking = useAction(async (form: FormData) => {
    const query = textOf(form, 'query').trim()
    if (query === '') throw problem(t('is empty'), { path: 'query' })
    const paths = textOf(form, 'below').trim()
    const body = { repo, query, limit: HITS, ...(paths !== '' && { paths: [paths] }) }
    if (!isRewritten.peek()) return show(query, await api.index.search(body))
    const reply = await quoteSearch(body)
    if (reply.rewrite?.status !== 'preview') return show(query, reply)
    paying.reset()
    answered.value = null
    quoted.value = { body, maxMinor: reply.rewrite.maxCostMinor }
  })
  const paying = useAction(async (asked: QuotedSearch) => {
    try {
      show(asked.body.query, await searchRewritten(asked))
    } finally {
      await reloadSession()
    }
  })
  const failure = asking.failure.value
  return (
    <div class="index-search">
      <Form action={asking} submit={t('Search')} busy={t('Searching …')} fields={['query']} back="query">
        <Field
          name="query"
          label={t('Search for')}
          help={t('A question, an error or a name.')}
          failure={failure}
          dir="auto"
          maxLength={QUERY_CHARACTERS}
          autocomplete="off"
        />
        <Field
          name="below"
          label={t('Only in folder')}
          dir="ltr"
          placeholder="src/"
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
        />
        <Checkbox on={isRewritten}>{t('Let a model add names and words, for a price shown first')}</Checkbox>
      </Form>
      {quoted.value && (
        <SearchPrice
          quoted={quoted.value}
          me={me}
          action={paying}
          onCancel={() => {
            quoted.value = null
          }}
        />
      )}
      {answered.value?.reply.rewrite && <RewriteReport rewrite={answered.value.reply.rewrite} me={me} />}
      {answered.value && <Hits answered={answered.value} />}
    </div>
  )
}

function Hits({ answered: { query, reply } }: { answered: SearchResult }) {
  const words = searchTerms(query)
  if (reply.hits.length === 0) return <p class="note">{t('No matches.')}</p>
  return (
    <section class="hits" aria-label={t('Results')}>
      {reply.mode === 'lexical' && <p class="help">{t('Searched by words only.')}</p>}
      {reply.hits.map((hit) => (
        <Place key={`${hit.path} ${hit.startLine}`} hit={hit} words={words} />
      ))}
    </section>
  )
}

function Place({ hit, words }: { hit: Hit; words: readonly string[] }) {
  const { path, startLine, endLine, content, symbol, why } = hit
  const lines = content.replace(/\n$/, '').split('\n')
  const marked = new Set(
    lines.flatMap((line, at) =>
      highlightMatches(line, words).some(({ isFound }) => isFound) ? [startLine + at] : [],
    ),
  )
  return (
    <article class="hit">
      <h3>
        <bdi dir="ltr">
          {path}:{startLine}–{endLine}
        </bdi>
      </h3>
      <p class="help">
        {symbol !== '' && (
          <>
            <code dir="ltr">{symbol}</code>{' '}
          </>
        )}
        {why.lexical > 0 && <span class="chip">{t('same words')}</span>}{' '}
        {why.vector > 0 && <span class="chip">{t('same meaning')}</span>}
      </p>
      <CodeLines
        label={t('Lines of {path}', { path })}
        first={startLine}
        lines={lines}
        path={path}
        isMarked={(line) => marked.has(line)}
        mark={t('found:')}
        draw={(text) =>
          highlightMatches(text, words).map(({ text: piece, isFound }, at) =>
            isFound ? <mark key={at}>{piece}</mark> : piece,
          )
        }
      />
    </article>
  )
}
