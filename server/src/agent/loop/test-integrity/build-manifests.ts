// The configuration of builds that is left when dependencies are taken out: Maven, Gradle, Cargo and Go.
import { namesRunnerPackage } from './runner-packages.ts'

/** Null for other files. */
export function extractBuildConfig(name: string, text: string): string | null {
  const extract = Object.entries(EXTRACTORS).find(([each]) => name.toLowerCase().startsWith(each))?.[1]
  return extract === undefined ? null : extract(text).replace(/\s+/g, ' ').trim() || NOTHING
}

const NOTHING = '{}'
const EXTRACTORS: Readonly<Record<string, (text: string) => string>> = {
  'pom.xml': extractMaven,
  'build.gradle': (text) => dropLines(text, GRADLE_DEPENDENCY),
  'libs.versions.toml': (text) => text.split('\n').filter(namesRunnerPackage).join('\n'),
  'cargo.toml': extractCargo,
  'go.mod': extractGo,
}

const ELEMENT = /<dependency>(?:(?!<\/dependency>)[\s\S]){0,4000}<\/dependency>/g
const PLUGIN = /<plugin>(?:(?!<\/plugin>)[\s\S]){0,20000}<\/plugin>/g

/** Dependencies of plugins stay, because plugins run the tests. */
function extractMaven(text: string): string {
  const plugins = text.match(PLUGIN) ?? []
  const rest = text
    .replace(PLUGIN, '')
    .replace(ELEMENT, (element) => (namesRunnerPackage(element.replace(/\s+/g, ' ')) ? element : ''))
    .replace(/<\/?(dependencies|dependencyManagement)>/g, '')
    .replace(/<!--(?:(?!-->)[\s\S]){0,4000}-->/g, '')
  return [rest, ...plugins].join('\n')
}

const GRADLE_DEPENDENCY =
  /^\s*(implementation|api|compileOnly|runtimeOnly|annotationProcessor|kapt)\b[ (]+(platform\()?['"][\w.:${}-]+['"]\)*\s*$/

const dropLines = (text: string, pattern: RegExp): string =>
  text
    .split('\n')
    .filter((line) => !pattern.test(line) || namesRunnerPackage(line))
    .join('\n')

/** Sections that only name dependencies. Test targets, features of tests, patches and profiles are left. */
const CARGO_DEPENDENCIES = /^\s*\[((target\.[^\]]{1,200}\.)?(dev-|build-)?dependencies|features)(\.[\w-]+)?\]/
const CARGO_DESCRIPTION =
  /^\s*(version|description|authors|license|repository|readme|keywords|categories|homepage|documentation)\b/

function extractCargo(text: string): string {
  return text
    .split(/^(?=\s*\[)/m)
    .flatMap((section) => section.split('\n').filter((line) => isCargoConfig(section, line)))
    .join('\n')
}

function isCargoConfig(section: string, line: string): boolean {
  if (CARGO_DEPENDENCIES.test(section))
    return namesRunnerPackage(line) || /\b(path|git|registry)\s*=/.test(line)
  return !(/^\s*\[package\]/.test(section) && CARGO_DESCRIPTION.test(line))
}

/** Replacements of modules, and modules that judge tests. */
function extractGo(text: string): string {
  const replacements = text.match(/^replace\s*(\([^)]{0,20000}\)|[^\n]{0,2000})/gm) ?? []
  const lines = text
    .split('\n')
    .filter((line) => namesRunnerPackage(line) || /^(exclude|toolchain|tool)\b/.test(line))
  return [...replacements, ...lines].join('\n')
}
