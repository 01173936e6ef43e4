// Path parameters that name nothing.

const ZEROS = '0'.repeat(26)
export const UNKNOWN_BY_NAME: Record<string, string> = {
  orgId: `org_${ZEROS}`,
  userId: `usr_${ZEROS}`,
  key: 'default_skin',
  n: '1',
  callId: 'call_1_2',
  inquiry: '0'.repeat(40),
  path: 'a.txt',
}
/** Parameter values to try. Every route accepts one of them. */
export const UNKNOWN = [
  `nothing_${ZEROS}`,
  'nothing00000000',
  'ORG-NOTHING',
  ...[
    'pky',
    'apr',
    'ein',
    'srf',
    'dsp',
    'psh',
    'led',
    'pay',
    'pcs',
    'agr',
    'thr',
    'org',
    'hep',
    'hdl',
    'inst',
    'fnd',
    'prj',
    'att',
    'run',
    'tsk',
  ].map((prefix) => `${prefix}_${ZEROS}`),
]
