// The Python packages that repositories of the corpus depend on: pure wheels of an index.
import { createHash } from 'node:crypto'
import type { Files } from './task.ts'
import { zipOf } from './zip.ts'

export type PythonPackage = {
  readonly name: string
  readonly version: string
  readonly dependencies: readonly string[]
  /** Below site-packages, without the metadata. */
  readonly files: Files
}

/** By name. */
export const PYTHON_PACKAGES: Readonly<Record<string, PythonPackage>> = Object.fromEntries(
  (
    [
      {
        name: 'tinymoney',
        version: '1.4.0',
        dependencies: [],
        files: {
          'tinymoney/__init__.py': `"""Money in minor units."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    minor: int
    currency: str

    def _same(self, other):
        if self.currency != other.currency:
            raise ValueError("currencies differ")

    def __add__(self, other):
        self._same(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other):
        self._same(other)
        return Money(self.minor - other.minor, self.currency)

    def __lt__(self, other):
        self._same(other)
        return self.minor < other.minor

    def __str__(self):
        sign = "-" if self.minor < 0 else ""
        return f"{sign}{self.currency} {abs(self.minor) // 100}.{abs(self.minor) % 100:02d}"


def zero(currency):
    return Money(0, currency)
`,
        },
      },
      {
        name: 'textbits',
        version: '0.9.2',
        dependencies: [],
        files: {
          'textbits/__init__.py': `import re

_WORD = re.compile(r"[a-z0-9']+")


def words(text):
    return _WORD.findall(text.lower())


def slugify(text):
    return "-".join(words(text))
`,
        },
      },
      {
        name: 'retrykit',
        version: '2.1.0',
        dependencies: ['textbits'],
        files: {
          'retrykit/__init__.py': `from textbits import slugify


class Backoff:
    """Doubling pauses, from the first up to the longest."""

    def __init__(self, first=1.0, longest=30.0):
        self.first = first
        self.longest = longest

    def pause(self, attempt):
        return min(self.longest, self.first * 2 ** (attempt - 1))


def label(name):
    return slugify(name)
`,
        },
      },
    ] satisfies PythonPackage[]
  ).map((each) => [each.name, each]),
)

export function pythonPackage(name: string): PythonPackage {
  const found = PYTHON_PACKAGES[name]
  if (!found) throw new Error(`the corpus has no Python package ${name}`)
  return found
}

export const PYTHON_FOLDER = '.judge-packages'

/** The packages and all that they need, as files of one folder. */
export function installedPythonFiles(packages: readonly string[]): Files {
  const all = new Set(packages)
  for (const name of all) for (const needed of pythonPackage(name).dependencies) all.add(needed)
  return Object.fromEntries(
    [...all].flatMap((name) =>
      Object.entries(pythonPackage(name).files).map(([path, text]) => [`${PYTHON_FOLDER}/${path}`, text]),
    ),
  )
}

export const wheelName = ({ name, version }: PythonPackage): string => `${name}-${version}-py3-none-any.whl`

/** The package as pip installs it. */
export function wheelOf(name: string): Buffer {
  const { version, dependencies, files } = pythonPackage(name)
  const folder = `${name}-${version}.dist-info`
  const needs = dependencies
    .map((each) => `Requires-Dist: ${each} (==${pythonPackage(each).version})\n`)
    .join('')
  const all: Files = {
    ...files,
    [`${folder}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs}`,
    [`${folder}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: corpus\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  }
  const record = Object.entries(all).map(([path, text]) => {
    const hash = createHash('sha256').update(text).digest('base64url')
    return `${path},sha256=${hash},${Buffer.byteLength(text)}\n`
  })
  return zipOf({ ...all, [`${folder}/RECORD`]: `${record.join('')}${folder}/RECORD,,\n` })
}
