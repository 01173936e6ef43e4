// A package for Termux: the same command in the folders of its package manager, which then also updates and removes it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packFiles } from '../../server/src/sandbox/archive.ts'

/** Termux has its own root folder. The folders exist there, so the package only has files. */
const PREFIX = 'data/data/com.termux/files/usr'
const FILES = {
  'bin/cowrie.cjs': 'bin/cowrie',
  'lib/cowrie.cjs': 'lib/cowrie.cjs',
  'lib/cowrie-start.cjs': 'lib/cowrie-start.cjs',
  'lib/LICENSES.txt': 'lib/cowrie-licences.txt',
}

/** Packs a built CLI and returns the path of the package. */
export function termuxPackage(stage, destination) {
  const { version, description } = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8'))
  const files = Object.entries(FILES).map(([from, to]) => [
    `${PREFIX}/${to}`,
    inTermux(readFileSync(join(stage, from))),
  ])
  const kilobytes = Math.ceil(files.reduce((sum, [, { length }]) => sum + length, 0) / 1_024)
  const control = [
    'Package: cowrie',
    `Version: ${version}`,
    'Architecture: all',
    'Maintainer: Cowrie <support@cowrie.example>',
    `Installed-Size: ${kilobytes}`,
    'Depends: nodejs | nodejs-lts, git',
    'Section: devel',
    'Priority: optional',
    `Description: ${description}`,
  ]
  const path = join(destination, `cowrie_${version}_termux_all.deb`)
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from('!<arch>\n'),
      ...member('debian-binary', Buffer.from('2.0\n')),
      ...member('control.tar.gz', tarOf([['control', Buffer.from(`${control.join('\n')}\n`)]])),
      ...member('data.tar.gz', tarOf(files)),
    ]),
  )
  return path
}

/** Android has no /usr/bin/env. Termux replaces it only while its library is preloaded. */
const inTermux = (content) => {
  const start = '#!/usr/bin/env '
  if (!content.subarray(0, start.length).equals(Buffer.from(start))) return content
  return Buffer.concat([Buffer.from(`#!/${PREFIX}/bin/env `), content.subarray(start.length)])
}

function tarOf(files) {
  const packed = packFiles(new Map(files))
  if ('refused' in packed) throw new Error(`The package for Termux could not be packed: ${packed.refused}.`)
  return gzipSync(packed.archive, { level: 9 })
}

/** A member of an archive of `ar`, with fixed dates and owners. Its length is even. */
function member(name, body) {
  const fields = [name.padEnd(16), '0'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)]
  const header = Buffer.from(`${fields.join('')}${String(body.length).padEnd(10)}\`\n`)
  return [header, body, Buffer.from(body.length % 2 === 0 ? '' : '\n')]
}
