// The contract of the shared rate counters.

/** `document` is only for the API document, which the contract exempts from the other four. */
export type BucketName = 'auth' | 'webhook' | 'money' | 'global' | 'document'
export type Limit = { requests: number; seconds: number }

export type LeaseRequest = { bucket: string; address: string; want: number; limit: Limit }
export type Lease = { granted: number; used: number; resetsAtMs: number }

/**
 * The shared counters of all replicas. The keys of one `take` are distinct. It grants each request the tokens it wants, or
 * those that the window has left. A smaller grant means that the window is used up. A token counts as used when it is
 * granted. A window starts with the first take after the end of the previous one.
 */
export type LeaseStore = {
  take(requests: LeaseRequest[]): Promise<Lease[]>
  /** Deletes a bounded number of old windows and returns that number. */
  sweep?(): Promise<number>
  close(): Promise<void>
}
