// Picks files from the device: single files, a folder, or by drag and drop.
import { useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedDragEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { chosenFiles, droppedFiles, type PickedFile } from './picked-files.ts'

type Take = (offered: PickedFile[]) => unknown
type PickProps = { label: string; isFolder?: boolean; disabled?: boolean; onPick: Take }

export function FilePicker({ label, isFolder = false, disabled = false, onPick }: PickProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = isFolder
  }, [isFolder])
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onPick(chosenFiles(currentTarget.files ?? []))
          // Allows choosing the same file again after a change.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

type DropProps = { disabled?: boolean; onDropped: Take; children: ComponentChildren }

/** A drop zone. The buttons inside do the same without a pointer. */
export function DropZone({ disabled = false, onDropped, children }: DropProps) {
  const isOver = useSignal(false)
  function drop(event: TargetedDragEvent<HTMLDivElement>): void {
    event.preventDefault()
    isOver.value = false
    if (!disabled && event.dataTransfer) void droppedFiles(event.dataTransfer).then(onDropped)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same.
    <div
      class={isOver.value ? 'drop-place over' : 'drop-place'}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = !disabled
      }}
      onDragLeave={() => {
        isOver.value = false
      }}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
