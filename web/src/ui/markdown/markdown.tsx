// Renders the Markdown of a model or a report. It never runs foreign markup. Finished blocks are rendered once; while text
// arrives only the last block is rendered again, at most once per frame.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/t.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { type Block, decided, splitBlocks } from './markdown-blocks.ts'
import { type Inline, readInline } from './markdown-inline.ts'
import { type Align, cellsOf, type Item, readBlock } from './markdown-nodes.ts'

/** Renders `[n]`. Must be the same function on every render. */
export type Cite = (n: number) => ComponentChildren
type Props = { text: string; isStreaming?: boolean; cite?: Cite }

/** Headings start at the third level, below the two of the screen. */
const HIGHEST = 3
/** Deeper lists and quotes are shown as written. */
const DEEPEST = 8

export function Markdown({ text, isStreaming = false, cite }: Props) {
  const shown = useOncePerFrame(text, isStreaming)
  const body = useMemo(() => (isStreaming ? decided(shown) : shown), [shown, isStreaming])
  return (
    <div class="markdown">
      <Blocks text={body} depth={0} cite={cite} />
    </div>
  )
}

/** The newest text, at most once per frame. Complete text is returned at once. */
function useOncePerFrame(text: string, isStreaming: boolean): string {
  const [shown, show] = useState(text)
  const newest = useRef(text)
  const frame = useRef(0)
  newest.current = text
  useEffect(() => {
    if (frame.current === 0)
      frame.current = requestAnimationFrame(() => {
        frame.current = 0
        show(newest.current)
      })
  }, [text])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  return isStreaming ? shown : text
}

type BlocksProps = { text: string; depth: number; cite: Cite | undefined }

function Blocks({ text, depth, cite }: BlocksProps) {
  const before = useRef<{ text: string; blocks: Block[] }>({ text: '', blocks: [] })
  const { current: last } = before
  const blocks = useMemo(() => splitBlocks(text, text.startsWith(last.text) ? last.blocks : []), [text])
  before.current = { text, blocks }
  if (depth > DEEPEST) return <p dir="auto">{text}</p>
  const levels = levelsOf(blocks)
  return (
    <>
      {blocks.map((block, at) => (
        <Drawn key={block.start} block={block} level={levels[at] ?? 0} depth={depth} cite={cite} />
      ))}
    </>
  )
}

/** Heading levels without gaps, whatever levels the text uses. */
function levelsOf(blocks: readonly Block[]): number[] {
  const above: number[] = []
  return blocks.map((block) => {
    const node = block.kind === 'heading' || block.kind === 'paragraph' ? readBlock(block) : null
    if (node?.kind !== 'heading') return 0
    while ((above.at(-1) ?? 0) >= node.level) above.pop()
    above.push(node.level)
    return Math.min(6, HIGHEST - 1 + above.length)
  })
}

type DrawnProps = { block: Block; level: number; depth: number; cite: Cite | undefined }

/** The same block returns the same element, so that Preact skips it. */
function Drawn({ block, level, depth, cite }: DrawnProps) {
  return useMemo(() => draw(block, level, depth, cite), [block.text, block.kind, level, depth, cite])
}

function draw(block: Block, level: number, depth: number, cite: Cite | undefined): JSX.Element {
  const node = readBlock(block)
  if (node.kind === 'rule') return <hr />
  if (node.kind === 'code') return <CodeBlock {...node} />
  if (node.kind === 'quote')
    return (
      <blockquote dir="auto">
        <Blocks text={node.text} depth={depth + 1} cite={cite} />
      </blockquote>
    )
  if (node.kind === 'list') {
    const items = node.items.map((item, at) => <ListItem key={at} item={item} depth={depth} cite={cite} />)
    return node.first === null ? <ul>{items}</ul> : <ol start={node.first}>{items}</ol>
  }
  if (node.kind === 'table') return <Table {...node} cite={cite} />
  if (node.kind === 'paragraph') return <p dir="auto">{inline(node.text, cite)}</p>
  // Inside a list or quote a heading is bold text, not part of the outline.
  if (depth > 0)
    return (
      <p dir="auto">
        <strong>{inline(node.text, cite)}</strong>
      </p>
    )
  const Heading = `h${level}` as 'h3'
  return <Heading dir="auto">{inline(node.text, cite)}</Heading>
}

function ListItem({ item, depth, cite }: { item: Item; depth: number; cite: Cite | undefined }) {
  return useMemo(
    () => (
      <li dir="auto" class={item.isDone === null ? undefined : 'task'}>
        {item.isDone !== null && (
          <input
            type="checkbox"
            checked={item.isDone}
            disabled
            aria-label={item.isDone ? t('Done') : t('To do')}
          />
        )}
        <Blocks text={item.text} depth={depth + 1} cite={cite} />
      </li>
    ),
    [item.text, item.isDone, depth, cite],
  )
}

type TableProps = { aligns: Align[]; head: string[]; rows: string[]; cite: Cite | undefined }

const Table = ({ aligns, head, rows, cite }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
  <figure class="table-box" tabIndex={0} aria-label={t('Table')}>
    <table>
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={at} scope="col" dir="auto" class={aligns[at]}>
              {inline(cell, cite)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <Row key={at} row={row} columns={head.length} aligns={aligns} cite={cite} />
        ))}
      </tbody>
    </table>
  </figure>
)

type RowProps = { row: string; columns: number; aligns: Align[]; cite: Cite | undefined }

function Row({ row, columns, aligns, cite }: RowProps) {
  return useMemo(() => {
    const cells = cellsOf(row)
    return (
      <tr>
        {Array.from({ length: columns }, (_, at) => (
          <td key={at} dir="auto" class={aligns[at]}>
            {inline(cells[at] ?? '', cite)}
          </td>
        ))}
      </tr>
    )
  }, [row, columns, aligns.join(), cite])
}

const inline = (text: string, cite: Cite | undefined): ComponentChildren =>
  readInline(text).map((node, at) => drawInline(node, at, cite))

function drawInline(node: Inline, at: number, cite: Cite | undefined): ComponentChildren {
  if (node.kind === 'text') return node.text
  if (node.kind === 'break') return <br key={at} />
  if (node.kind === 'cite') return cite ? <span key={at}>{cite(node.n)}</span> : `[${node.n}]`
  if (node.kind === 'code')
    return (
      <code key={at} dir="ltr">
        {node.text}
      </code>
    )
  const children = node.children.map((child, place) => drawInline(child, place, cite))
  if (node.kind === 'link')
    return (
      <a
        key={at}
        href={node.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        dir={node.isBare ? 'ltr' : undefined}
      >
        {children}
      </a>
    )
  if (node.kind === 'strong') return <strong key={at}>{children}</strong>
  if (node.kind === 'em') return <em key={at}>{children}</em>
  return <s key={at}>{children}</s>
}
