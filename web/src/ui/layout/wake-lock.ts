// Keeps the screen on while the user waits for a payment and holds another phone.
import { useEffect } from 'preact/hooks'

export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let held: WakeLockSentinel | null = null
    let isOver = false
    // Browsers may refuse, for example on low battery.
    const take = async (): Promise<void> => {
      if (document.hidden) return
      held = await navigator.wakeLock.request('screen').catch(() => null)
      if (isOver) void held?.release()
    }
    // Hiding the page releases the lock, so request it again when the page is visible.
    const seen = (): void => void take()
    void take()
    document.addEventListener('visibilitychange', seen)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', seen)
      void held?.release()
    }
  }, [isWanted])
}
