// The room of the panel: one file per page, a list, a list with both versions side by side, or that with a tree beside it.
import { type ReadonlySignal, signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { readLocal, writeLocal } from '../../../data/storage/local-storage.ts'

export type Room = 'narrow' | 'middle' | 'roomy' | 'wide'

const NARROW_PX = 480
const ROOMY_PX = 720
const WIDE_PX = 960

function roomOf(width: number): Room {
  if (width < NARROW_PX) return 'narrow'
  if (width < ROOMY_PX) return 'middle'
  return width < WIDE_PX ? 'roomy' : 'wide'
}

export const hasTwoColumns = (room: Room): boolean => room === 'roomy' || room === 'wide'

export function useRoom(box: RefObject<HTMLElement | null>): ReadonlySignal<Room> {
  const room = useSignal<Room>('narrow')
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    room.value = roomOf(element.clientWidth)
    const watch = new ResizeObserver(([entry]) => {
      if (entry) room.value = roomOf(entry.contentRect.width)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return room
}

const KEY = 'cowrie.diff-view'
const isSplit = signal(readLocal(KEY) === 'split')

/** Whether this person wants both versions side by side where there is room. */
export const prefersSplit: ReadonlySignal<boolean> = isSplit

export function setSplit(value: boolean): void {
  isSplit.value = value
  writeLocal(KEY, value ? 'split' : 'unified')
}
