// Changed files as a tree of folders. Folders with one folder inside are joined.
import type { ChangedFile } from './changed-files.ts'

export type TreeNode =
  | { kind: 'folder'; name: string; path: string; added: number; removed: number; children: TreeNode[] }
  | { kind: 'file'; name: string; file: ChangedFile; at: number }

type Folder = Extract<TreeNode, { kind: 'folder' }>

export function treeOf(files: readonly ChangedFile[]): TreeNode[] {
  const root = folderOf('', '')
  for (const [at, file] of files.entries()) {
    const names = file.path.split('/')
    let folder = root
    for (const [depth, name] of names.slice(0, -1).entries()) {
      const path = names.slice(0, depth + 1).join('/')
      let next = folder.children.find((each): each is Folder => each.kind === 'folder' && each.name === name)
      if (!next) {
        next = folderOf(name, path)
        folder.children.push(next)
      }
      next.added += file.added
      next.removed += file.removed
      folder = next
    }
    folder.children.push({ kind: 'file', name: names.at(-1) ?? file.path, file, at })
  }
  return root.children.map(joined)
}

const folderOf = (name: string, path: string): Folder => ({
  kind: 'folder',
  name,
  path,
  added: 0,
  removed: 0,
  children: [],
})

function joined(node: TreeNode): TreeNode {
  if (node.kind === 'file') return node
  const [only] = node.children
  if (node.children.length === 1 && only?.kind === 'folder')
    return joined({ ...only, name: `${node.name}/${only.name}` })
  return { ...node, children: node.children.map(joined) }
}
