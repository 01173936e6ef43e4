// System calls that the sandbox refuses, by number on arm64 and x64; null if the call does not exist. No test run
// needs them, and most sandbox escapes begin with one.

type Numbers = readonly [arm64: number | null, x64: number | null]

export type RefusedCalls = Readonly<Record<string, Numbers>>

export const REFUSED_CALLS: RefusedCalls = {
  // Mounts and namespaces.
  chroot: [51, 161],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  mount: [40, 165],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  pivot_root: [41, 155],
  setns: [268, 308],
  umount2: [39, 166],
  unshare: [97, 272],
  // Files by handle, bypassing mounts.
  name_to_handle_at: [264, 303],
  open_by_handle_at: [265, 304],
  // Memory and descriptors of other processes.
  kcmp: [272, 312],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  process_vm_readv: [270, 310],
  process_vm_writev: [271, 311],
  ptrace: [117, 101],
  // Kernel parts with frequent vulnerabilities.
  add_key: [217, 248],
  bpf: [280, 321],
  fanotify_init: [262, 300],
  fanotify_mark: [263, 301],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  keyctl: [219, 250],
  lookup_dcookie: [18, 212],
  memfd_secret: [447, 447],
  nfsservctl: [42, 180],
  perf_event_open: [241, 298],
  personality: [92, 135],
  request_key: [218, 249],
  userfaultfd: [282, 323],
  vhangup: [58, 153],
  // Memory placement.
  get_mempolicy: [236, 239],
  mbind: [235, 237],
  migrate_pages: [238, 256],
  move_pages: [239, 279],
  set_mempolicy: [237, 238],
  set_mempolicy_home_node: [450, 450],
  // The host: kernel, clock, name, swap and log.
  acct: [89, 163],
  adjtimex: [171, 159],
  clock_adjtime: [266, 305],
  clock_settime: [112, 227],
  delete_module: [106, 176],
  finit_module: [273, 313],
  init_module: [105, 175],
  kexec_file_load: [294, 320],
  kexec_load: [104, 246],
  quotactl: [60, 179],
  quotactl_fd: [443, 443],
  reboot: [142, 169],
  setdomainname: [162, 171],
  sethostname: [161, 170],
  settimeofday: [170, 164],
  swapoff: [225, 168],
  swapon: [224, 167],
  syslog: [116, 103],
  // Old calls that only x64 has.
  _sysctl: [null, 156],
  create_module: [null, 174],
  get_kernel_syms: [null, 177],
  ioperm: [null, 173],
  iopl: [null, 172],
  modify_ldt: [null, 154],
  query_module: [null, 178],
  sysfs: [null, 139],
  uselib: [null, 134],
  ustat: [null, 136],
}

/** Memory outside of any process or folder. Only a control group counts it. */
export const UNMEASURED_CALLS: RefusedCalls = {
  memfd_create: [279, 319],
  shmget: [194, 29],
}

/** Calls that are refused depending on their arguments. */
export const CHECKED_CALLS = {
  clone: [220, 56],
  clone3: [435, 435],
  socket: [198, 41],
} as const satisfies Record<string, Numbers>
