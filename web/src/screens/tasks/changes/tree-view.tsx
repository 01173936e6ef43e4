// The changed files as a tree, with their states and counts.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { Counts } from '../../../ui/diff/counts.tsx'
import { type ChangedFile, STATE_TEXTS } from './changed-files.ts'
import { type TreeNode, treeOf } from './file-tree.ts'

type Props = {
  files: readonly ChangedFile[]
  current: string | null
  isAccepted: (file: ChangedFile) => boolean
  onChoose: (at: number) => void
}

export function FileTree(props: Props) {
  const nodes = useMemo(() => treeOf(props.files), [props.files])
  return (
    <nav class="diff-tree" aria-label={t('Changed files')}>
      <ul>
        {nodes.map((node) => (
          <Node key={keyOf(node)} node={node} {...props} />
        ))}
      </ul>
    </nav>
  )
}

const keyOf = (node: TreeNode): string => (node.kind === 'folder' ? `${node.path}/` : node.file.id)

const SIGNS: Readonly<Record<ChangedFile['state'], string>> = {
  created: '+',
  edited: '•',
  deleted: '−',
  renamed: '→',
}

function Node({ node, ...props }: Props & { node: TreeNode }) {
  const isOpen = useSignal(true)
  if (node.kind === 'folder')
    return (
      <li>
        <button
          type="button"
          class="quiet tree-folder"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <span aria-hidden="true" class="diff-arrow" />
          <bdi dir="ltr">{node.name}</bdi>
        </button>
        {isOpen.value && (
          <ul>
            {node.children.map((child) => (
              <Node key={keyOf(child)} node={child} {...props} />
            ))}
          </ul>
        )}
      </li>
    )
  const { file } = node
  return (
    <li>
      <button
        type="button"
        class={`quiet tree-file ${file.state}`}
        aria-current={props.current === file.id ? 'true' : undefined}
        onClick={() => props.onChoose(node.at)}
      >
        <span aria-hidden="true" class="tree-sign">
          {props.isAccepted(file) ? '✓' : SIGNS[file.state]}
        </span>
        <bdi dir="ltr" class="tree-name">
          {node.name}
        </bdi>
        <span class="unseen">
          {t(STATE_TEXTS[file.state])} {props.isAccepted(file) && t('Accepted')}
        </span>
        <Counts {...file} />
      </button>
    </li>
  )
}
