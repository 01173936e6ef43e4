// uv, poetry and pip. All of them install into one virtual environment outside the project.
import { HOME_FOLDER } from '../../bootstrap.ts'
import { isHttp, type PrepareTool, type ProjectFolder, VIRTUAL_ENVIRONMENT } from './tool.ts'

// Builds read the version of a project from files such as these. All other files only have to exist: the project is
// installed as a link to its folder.
const MANIFESTS =
  /(^|\/)(pyproject\.toml|setup\.(py|cfg)|MANIFEST\.in|hatch\.toml|\.python-version|VERSION(\.txt)?|[\w.-]*requirements[\w.-]*\.(txt|in)|constraints\.txt|((uv|poetry)\.lock)|(__init__|__about__|__version__|_?version|about)\.py)$|(^|\/)requirements\/[^/]+\.(txt|in)$|\.whl$/
const VARIABLES = { VIRTUAL_ENV: VIRTUAL_ENVIRONMENT, PYTHONDONTWRITEBYTECODE: '1' }
/** There is no history from which a build could derive a version. */
const VERSIONS = { SETUPTOOLS_SCM_PRETEND_VERSION: '0.0.0', PBR_VERSION: '0.0.0' }

// Packages of the host stay visible: a project whose tests need only them has nothing to install.
const MAKE_ENVIRONMENT = `
[ -x ${VIRTUAL_ENVIRONMENT}/bin/python ] ||
  python3 -m venv --without-pip --system-site-packages ${VIRTUAL_ENVIRONMENT} || exit`
const PIP = `python3 -m pip --python ${VIRTUAL_ENVIRONMENT}/bin/python install`

const pipOnline = (url: string | null) => ({
  ...VERSIONS,
  PIP_CACHE_DIR: `${HOME_FOLDER}/.pip-cache`,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PIP_RETRIES: '2',
  PIP_DEFAULT_TIMEOUT: '30',
  ...(url !== null && { PIP_INDEX_URL: `${url}/` }),
  ...(isHttp(url) && { PIP_TRUSTED_HOST: new URL(url).host }),
})

const REQUIREMENTS = /^[\w.-]*requirements[\w.-]*\.txt$/
/** Others, as for documentation, are installed only if there is no usual one. */
const USUAL = /^(requirements|(requirements|reqs)?[-_.]?(dev|test|tests|testing)[-_.]?(requirements)?)\.txt$/

const LOCAL_FOLDER = /^\s*(\.{0,2}\/|\.\s*$|\.\[|file:)|@\s*file:/m
const COMPILED_PROJECT =
  /\b(ext_modules|cythonize|cffi_modules|rust_extensions)\b|\b(maturin|mesonpy|scikit_build_core|setuptools[-_]rust|Cython)\b/
/** A path without \`editable\` or \`develop\` is copied. */
const COPIED_PATH = /\{[^}\n]*\bpath\s*=(?![^}\n]*\b(editable|develop)\s*=\s*true)[^}\n]*\}/

/** Whether files of the project are copied or compiled into the environment, not linked. */
async function copiesSources(project: ProjectFolder): Promise<boolean> {
  for (const name of [...project.names].filter((each) => REQUIREMENTS.test(each)))
    if (LOCAL_FOLDER.test((await project.read(name)) ?? '')) return true
  const settings = (await project.read('pyproject.toml')) ?? ''
  const setup = (await project.read('setup.py')) ?? ''
  return COMPILED_PROJECT.test(settings + setup) || COPIED_PATH.test(settings)
}

const LISTED = `${HOME_FOLDER}/listed.txt`
/** Lists packages for development and, if they cannot come with the project itself, those that it needs. */
const LIST_PACKAGES = `
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
project = settings.get("project", {})
groups = [settings.get("dependency-groups", {})]
listed = []
if "all" in sys.argv:
    groups.append(project.get("optional-dependencies", {}))
    listed += project.get("dependencies", [])
for group in groups:
    for name in ("dev", "test", "tests", "testing"):
        listed += [each for each in group.get(name, []) if isinstance(each, str)]
print("\\n".join(listed), end="")
`
const installListed = (which: 'all' | 'groups'): string =>
  `python3 -c '${LIST_PACKAGES}' ${which} >${LISTED} && { [ ! -s ${LISTED} ] || ${PIP} -r ${LISTED}; }`

/**
 * An unknown extra is only a warning. Applications often cannot be built and run from their folder; then only the
 * packages of the list are installed.
 */
const installProject = ({ names }: ProjectFolder): string => {
  // The older way leaves the metadata in the folder of the project.
  const build = `${PIP} --use-pep517 -e '.[dev,test,tests,testing]'`
  if (!names.has('pyproject.toml')) return build
  const instead = names.has('setup.py') ? 'false' : `{ [ ! -d src ] && ${installListed('all')}; }`
  return `{ ${build} || ${instead}; } && ${installListed('groups')}`
}

const pip: PrepareTool = {
  name: 'pip',
  kind: 'python',
  lockfiles: /^([\w.-]*requirements[\w.-]*\.txt|pyproject\.toml|setup\.py)$/,
  manifests: MANIFESTS,
  programs: ['python3'],
  isNeeded: async (project) => {
    const all = [...project.names].filter((name) => REQUIREMENTS.test(name))
    for (const name of all) if (/^\s*[^\s#]/m.test((await project.read(name)) ?? '')) return true
    // Many projects have the file only for the settings of linters.
    const settings = (await project.read('pyproject.toml')) ?? ''
    return project.names.has('setup.py') || /^\[(project|build-system)\]/m.test(settings)
  },
  needsSources: copiesSources,
  command: async (project) => {
    const all = [...project.names].filter((name) => REQUIREMENTS.test(name)).sort()
    const usual = all.filter((name) => USUAL.test(name))
    const files = (usual.length > 0 ? usual : all).map((name) => `-r ${name}`).join(' ')
    return `${MAKE_ENVIRONMENT}\n${files === '' ? installProject(project) : `${PIP} ${files}`}`
  },
  environment: VARIABLES,
  online: pipOnline,
  offline: { PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

// Lockfiles of uv have whole addresses, so a mirror is used through a list of versions.
const uv: PrepareTool = {
  name: 'uv',
  kind: 'python',
  lockfiles: /^uv\.lock$/,
  manifests: MANIFESTS,
  programs: ['uv'],
  needsSources: copiesSources,
  command: async () => `
if [ -z "$UV_DEFAULT_INDEX" ]; then uv sync --frozen --all-extras --all-groups
else
  uv venv ${VIRTUAL_ENVIRONMENT} &&
    uv export --frozen --all-extras --all-groups --no-emit-workspace -o ${LISTED} >/dev/null &&
    uv pip install --python ${VIRTUAL_ENVIRONMENT} -r ${LISTED} &&
    uv sync --frozen --all-extras --all-groups --inexact
fi`,
  environment: {
    ...VARIABLES,
    UV_PROJECT_ENVIRONMENT: VIRTUAL_ENVIRONMENT,
    UV_PYTHON_DOWNLOADS: 'never',
  },
  online: (url) => ({
    ...VERSIONS,
    UV_CACHE_DIR: `${HOME_FOLDER}/.uv-cache`,
    UV_LINK_MODE: 'copy',
    ...(url !== null && { UV_DEFAULT_INDEX: `${url}/` }),
    ...(isHttp(url) && { UV_INSECURE_HOST: new URL(url).host }),
  }),
  offline: { UV_OFFLINE: '1', UV_NO_SYNC: '1', PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

// Writes the versions of the lockfile as constraints, and the names of the packages that the project needs.
const READ_POETRY = `
import sys, tomllib
def load(path):
    with open(path, "rb") as file:
        return tomllib.load(file)
settings = load("pyproject.toml")
poetry = settings.get("tool", {}).get("poetry", {})
project = settings.get("project", {})
tables = [poetry.get("dependencies", {}), poetry.get("dev-dependencies", {})]
tables += [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
names = list(project.get("dependencies", []))
lists = list(project.get("optional-dependencies", {}).values()) + list(settings.get("dependency-groups", {}).values())
names += [each for listed in lists for each in listed if isinstance(each, str)]
for table in tables:
    for name, value in table.items():
        details = value if isinstance(value, dict) else {}
        if name != "python" and not {"git", "path", "url"} & details.keys():
            names.append(name + ("[" + ",".join(details["extras"]) + "]" if "extras" in details else ""))
with open(sys.argv[1], "w") as file:
    print(*names, sep="\\n", file=file)
with open(sys.argv[2], "w") as file:
    print(*(each["name"] + "==" + each["version"] for each in load("poetry.lock")["package"]), sep="\\n", file=file)
`

// poetry knows no mirror of the public index, so pip installs the locked versions from there.
const poetry: PrepareTool = {
  name: 'poetry',
  kind: 'python',
  lockfiles: /^poetry\.lock$/,
  manifests: MANIFESTS,
  programs: ['poetry', 'python3'],
  needsSources: copiesSources,
  command: async () => `${MAKE_ENVIRONMENT}
if [ -z "$PIP_INDEX_URL" ] && command -v poetry >/dev/null; then poetry install --no-interaction --all-extras
else
  python3 -c '${READ_POETRY}' ${LISTED} ${HOME_FOLDER}/locked.txt &&
    ${PIP} -r ${LISTED} -c ${HOME_FOLDER}/locked.txt || exit
  # Projects with "package-mode = false" cannot be installed, and need not be.
  ${PIP} --no-deps -e . || true
fi`,
  environment: VARIABLES,
  online: (url) => ({ ...pipOnline(url), POETRY_CACHE_DIR: `${HOME_FOLDER}/.poetry-cache` }),
  offline: { PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

export const PYTHON_TOOLS: readonly PrepareTool[] = [uv, poetry, pip]
