// Syntax highlighting without a grammar: comments, strings, numbers and keywords. It is sometimes wrong but never slow:
// one pass, and no part of the pattern can match in two ways.

export type Shade = 'comment' | 'string' | 'number' | 'word'
export type Piece = { readonly shade: Shade | null; readonly text: string }

type Family = 'c' | 'hash' | 'sql' | 'markup' | 'style'
const FAMILIES: Readonly<Record<Family, string>> = {
  c: 'js jsx mjs cjs ts tsx mts typescript javascript java kotlin kt swift c h cpp cc hpp csharp cs go rust rs php dart scala groovy json json5 jsonc proto solidity sol zig',
  hash: 'py python rb ruby sh bash zsh shell console yaml yml toml ini dockerfile docker make makefile perl r elixir ex nim conf env',
  sql: 'sql pgsql postgres postgresql mysql sqlite lua haskell hs elm ada',
  markup: 'html xml svg vue svelte markup',
  style: 'css scss less',
}
const FAMILY_OF = new Map<string, Family>(
  (Object.keys(FAMILIES) as Family[]).flatMap((family) =>
    FAMILIES[family].split(' ').map((name): [string, Family] => [name, family]),
  ),
)

const STRINGS = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`
const NUMBER = String.raw`\b(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\b`
const WORD = String.raw`[A-Za-z_$][\w$-]*`
const BLOCK_COMMENT = String.raw`\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?`
const PATTERNS: Readonly<Record<Family, [comment: string, string: string]>> = {
  c: [String.raw`\/\/[^\n]*|${BLOCK_COMMENT}`, `${STRINGS}|${String.raw`\`(?:[^\`\\]|\\[\s\S])*\`?`}`],
  hash: ['#[^\\n]*', `"""[^"]*(?:"(?!"")[^"]*)*(?:""")?|'''[^']*(?:'(?!'')[^']*)*(?:''')?|${STRINGS}`],
  sql: [String.raw`--[^\n]*|${BLOCK_COMMENT}`, STRINGS],
  markup: ['<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?', STRINGS],
  style: [BLOCK_COMMENT, STRINGS],
}

const WORDS: Readonly<Record<Family, ReadonlySet<string>>> = {
  c: words(
    'abstract as async await bool boolean break case catch chan char class const constructor continue crate debugger declare default defer delete do double else enum export extends extern false final finally float fn for from func function get go goto if impl implements import in int interface internal is let long loop match mod module mut namespace new nil null number object of operator override package private protected pub public readonly record ref return satisfies sealed select self set short signed sizeof static string struct super switch this throw throws trait true try type typedef typeof undefined union unknown unsafe unsigned use using val var virtual void volatile when where while with yield',
  ),
  hash: words(
    'True False None and as assert async await begin break case class continue def del do done echo elif elsif else end ensure esac except exit export false fi finally for from function global if import in is lambda local module next nil nonlocal not or pass raise require rescue return self set shift source then true try unless until unset when while with yield FROM RUN COPY CMD ENV WORKDIR EXPOSE ENTRYPOINT ARG ADD null',
  ),
  sql: words(
    'add all alter and as asc begin between by case cascade check column commit constraint count create cross database default delete desc distinct do drop else end exists false for foreign from full function grant group having if in index inner insert integer into is join key left like limit local nil not null offset on or order outer primary references repeat return returning revoke right rollback select set sum table text then timestamp to transaction trigger true union unique until update using values view when where while with',
  ),
  markup: words(''),
  style: words('important'),
}

/** Longer code is not highlighted. */
const LONGEST = 40_000

/** The highlighted pieces of the code, or null where it stays plain. */
export function highlighted(code: string, language: string): Piece[] | null {
  const family = FAMILY_OF.get(language.toLowerCase())
  if (!family || code.length > LONGEST) return null
  const [comment, string] = PATTERNS[family]
  const pattern = new RegExp(`(${comment})|(${string})|(${NUMBER})|(${WORD})`, 'g')
  const pieces: Piece[] = []
  let plain = 0
  for (const found of code.matchAll(pattern)) {
    const shade = shadeOf(found, family)
    if (!shade) continue
    if (found.index > plain) pieces.push({ shade: null, text: code.slice(plain, found.index) })
    pieces.push({ shade, text: found[0] })
    plain = found.index + found[0].length
  }
  if (plain < code.length) pieces.push({ shade: null, text: code.slice(plain) })
  return pieces
}

function shadeOf([whole, comment, string, number]: RegExpExecArray, family: Family): Shade | null {
  if (comment !== undefined) return 'comment'
  if (string !== undefined) return 'string'
  if (number !== undefined) return 'number'
  return WORDS[family].has(family === 'sql' ? whole.toLowerCase() : whole) ? 'word' : null
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
